import { Readable } from 'node:stream';
import type { TestApp } from '@gatehouse/server/test/app.ts';
import { wireOf, type Answer, type Call } from './client.ts';

/** A request whose guard has passed and whose body has not arrived yet. */
export type Parked = {
  /** Lets the body arrive and answers as the server does. */
  release(): Promise<Answer>;
};

/** Sends a request to an app in this process. */
export async function sendTo(
  app: TestApp['app'],
  call: Call,
  payload: Readable | string | Buffer | undefined = wireOf(call).body,
): Promise<Answer> {
  const answer = await app.inject({
    method: call.method as 'GET' | 'POST' | 'PATCH',
    url: call.path,
    headers: wireOf(call).headers,
    ...(payload !== undefined && { payload }),
  });
  const headers = answer.headers as Answer['headers'];
  return { status: answer.statusCode, headers, text: answer.body };
}

/**
 * Sends a request without its body and waits until the server reads that, which it does only for a
 * caller that its guard has found. Throws where it answers instead.
 */
export async function park(app: TestApp['app'], call: Call): Promise<Parked> {
  const reading = Promise.withResolvers<null>();
  const payload = new Readable({ read: () => reading.resolve(null) });
  const { body } = wireOf(call);
  const headers = { ...call.headers, 'content-type': 'application/json' };
  const sent = sendTo(app, { ...call, body: undefined, headers }, payload);
  const early = await Promise.race([reading.promise, sent]);
  if (early !== null)
    throw new Error(`${call.path} answered before its body: ${early.status} ${early.text}`);
  return {
    release() {
      if (body !== undefined) payload.push(body);
      payload.push(null);
      return sent;
    },
  };
}
