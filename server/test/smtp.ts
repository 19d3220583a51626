import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A real mail server on loopback and what was handed to it. */
export type SmtpSink = {
  url: string;
  port: number;
  received: { from: string; to: string[]; raw: string; at: Date }[];
  /** What is told to the next that many mails in place of taking them. */
  refuseNext(times: number, sentence: string): void;
  close(): Promise<void>;
};

/** Opens one, on a free port or on one that was free before. */
export async function openSmtpSink(port = 0): Promise<SmtpSink> {
  const received: SmtpSink['received'] = [];
  let refusals: { times: number; sentence: string } = { times: 0, sentence: '' };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, callback) {
      const take = (raw: string) => {
        if (refusals.times > 0) {
          refusals.times -= 1;
          callback(Object.assign(new Error(refusals.sentence), { responseCode: 451 }));
          return;
        }
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, at: new Date() });
        callback(null);
      };
      // Who dies in the middle of a mail has sent none.
      text(stream).then(take, () => {});
    },
  });
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const opened = (server.server.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${opened}`,
    port: opened,
    received,
    refuseNext: (times, sentence) => (refusals = { times, sentence }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
