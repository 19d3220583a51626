import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const STUB_ACCOUNT_SID = `AC${'a'.repeat(32)}`;
export const STUB_AUTH_TOKEN = 'b'.repeat(32);

type Answer = { status: number; body?: string | undefined } | null;

export type TwilioStub = {
  url: string;
  /** The forms that arrived with the right account, in order. */
  received: Record<string, string>[];
  numbers: Record<'good' | 'invalid' | 'stopped' | 'away' | 'noAnswer', string>;
  /** Sets the answer to what comes from now on; null breaks the connection off. */
  answer(next: (form: Record<string, string>) => Answer): void;
  close(): Promise<void>;
};

const numbers = {
  good: '+18175550142',
  invalid: '+15005550001',
  stopped: '+15005550004',
  away: '+15005550090',
  noAnswer: '+15005550091',
};

/**
 * A real HTTP server that answers as Twilio's Messages resource does by its documentation: 201 with
 * the message, 400 with the code of a refusal, 401 for a wrong account, 429 for too many calls.
 */
export async function openTwilioStub(): Promise<TwilioStub> {
  const received: Record<string, string>[] = [];
  let answer = usual;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const account = Buffer.from(`${STUB_ACCOUNT_SID}:${STUB_AUTH_TOKEN}`).toString('base64');
      const isKnown = request.headers.authorization === `Basic ${account}`;
      const isPlace =
        request.method === 'POST' &&
        request.url === `/2010-04-01/Accounts/${STUB_ACCOUNT_SID}/Messages.json` &&
        request.headers['content-type'] === 'application/x-www-form-urlencoded';
      const form = Object.fromEntries(new URLSearchParams(body));
      const given = !isPlace ? { status: 404 } : isKnown ? answer(form) : refusal(401, 20003);
      if (isPlace && isKnown) received.push(form);
      if (given === null) {
        request.socket.destroy();
        return;
      }
      response.writeHead(given.status, { 'content-type': 'application/json' });
      response.end(given.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    numbers,
    answer: (next) => (answer = next),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function usual({ To }: Record<string, string>): Answer {
  switch (To) {
    case numbers.invalid:
      return refusal(400, 21211);
    case numbers.stopped:
      return refusal(400, 21610);
    case numbers.away:
      return refusal(429, 20429);
    case numbers.noAnswer:
      return null;
    default: {
      const sid = `SM${randomBytes(16).toString('hex')}`;
      return { status: 201, body: JSON.stringify({ sid, status: 'queued', error_code: null }) };
    }
  }
}

function refusal(status: number, code: number): Answer {
  const message = `The 'To' number is refused.`;
  return { status, body: JSON.stringify({ code, message, status }) };
}
