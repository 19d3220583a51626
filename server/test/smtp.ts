import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { testClock } from './test-day.ts';

/** A real mail server on loopback, with the mails that it received. */
export type SmtpSink = {
  url: string;
  port: number;
  received: { from: string; to: string[]; raw: string; at: Date }[];
  /** Leaves mails to a domain without a reply until the returned function is called. */
  hold(domain: string): () => void;
  /** Refuses the next mails, this many, with this reply. */
  refuseNext(times: number, sentence: string): void;
  /** Answers a command with this refusal until it is given null, as `RCPT`, `550 5.1.1 unknown`. */
  refuse(command: Command, reply: string | null): void;
  close(): Promise<void>;
};

type Command = 'AUTH' | 'MAIL' | 'RCPT' | 'DATA';

/** Opens one, on a free port or on a given one; without SMTPUTF8 it takes ASCII addresses only. */
export async function openSmtpSink(port = 0, { hasUtf8 = true } = {}): Promise<SmtpSink> {
  const received: SmtpSink['received'] = [];
  let held: { domain: string; until: Promise<void> } | undefined;
  let refusals: { times: number; sentence: string } = { times: 0, sentence: '' };
  const refused = new Map<Command, string>();
  const refusalOf = (command: Command) => {
    const reply = refused.get(command);
    if (reply === undefined) return null;
    return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
  };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    hideSMTPUTF8: !hasUtf8,
    onAuth: ({ username }, _session, callback) => callback(refusalOf('AUTH'), { user: username }),
    onMailFrom: (_address, _session, callback) => callback(refusalOf('MAIL')),
    onRcptTo({ address }, _session, callback) {
      const needsUtf8 = !hasUtf8 && !/^[\x20-\x7e]+$/.test(address);
      const reply = new Error('5.6.7 the address needs SMTPUTF8');
      callback(needsUtf8 ? Object.assign(reply, { responseCode: 553 }) : refusalOf('RCPT'));
    },
    onData(stream, { envelope }, callback) {
      const take = (raw: string) => {
        const refusal = refusalOf('DATA');
        if (refusal !== null) {
          callback(refusal);
          return;
        }
        if (refusals.times > 0) {
          refusals.times -= 1;
          callback(Object.assign(new Error(refusals.sentence), { responseCode: 451 }));
          return;
        }
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          raw,
          at: testClock.now(),
        });
        callback(null);
      };
      // A client that dies within a mail has sent none.
      text(stream).then(
        async (raw) => {
          if (envelope.rcptTo.some(({ address }) => address.endsWith(`@${held?.domain}`)))
            await held?.until;
          take(raw);
        },
        () => {},
      );
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
    hold(domain) {
      let release = () => {};
      held = { domain, until: new Promise((resolve) => (release = resolve)) };
      return release;
    },
    refuseNext: (times, sentence) => (refusals = { times, sentence }),
    refuse: (command, reply) =>
      void (reply === null ? refused.delete(command) : refused.set(command, reply)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
