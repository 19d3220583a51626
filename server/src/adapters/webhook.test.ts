import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { PostFailed } from './bounded-post.ts';
import { postWebhook } from './webhook.ts';

const SECRET = 'a-secret-for-tests-alone';

let receiver: Receiver;
let elsewhere: Receiver;
beforeAll(async () => {
  receiver = await openReceiver(SECRET);
  elsewhere = await openReceiver(SECRET);
});
afterAll(async () => {
  await receiver.close();
  await elsewhere.close();
});
beforeEach(() => {
  receiver.received.length = 0;
});

const event = {
  id: '0d9c8b7a-6f5e-4d3c-8b2a-190807060504',
  body: '{"a":"ü"}',
  at: new Date('2026-11-21T12:00:00Z'),
};
const limits = { connectMs: 10_000, callMs: 10_000, answerBytes: 1000 };
const post = (url = receiver.url, secret = SECRET, callMs = limits.callMs) =>
  postWebhook({ url, secret, refusesPrivate: false }, event, { ...limits, callMs });

/** The message of the failure. */
async function faultOf(posting: Promise<void>): Promise<string> {
  const error = await posting.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PostFailed);
  return (error as PostFailed).message;
}

describe('a receiver', () => {
  test.each([200, 201, 202, 204])('accepts a signed event with %d', async (status) => {
    receiver.answer(() => ({ status }));
    await post();
    expect(receiver.received).toMatchObject([
      { id: event.id, raw: event.body, signedAt: event.at.getTime() / 1000, isSigned: true },
    ]);
  });

  test('rejects an event with another signature', async () => {
    expect(await faultOf(post(receiver.url, `${SECRET}x`))).toBe('the other side answered 401');
    expect(receiver.received).toMatchObject([{ isSigned: false }]);
  });

  test.each([
    [400, 'the other side answered 400'],
    [500, 'the other side answered 500'],
    [304, 'the other side redirects (304), which is not followed'],
  ])('that answers %d has not accepted it', async (status, fault) => {
    receiver.answer(() => ({ status, body: 'secret words' }));
    expect(await faultOf(post())).toBe(fault);
  });

  test.each([301, 302, 307, 308])('that redirects with %d is not followed', async (status) => {
    receiver.answer(() => ({ status, headers: { location: elsewhere.url } }));
    expect(await faultOf(post())).toBe(
      `the other side redirects (${status}), which is not followed`,
    );
    expect(elsewhere.received).toEqual([]);
  });

  test('that hangs, before its answer or within it, is a timeout', async () => {
    receiver.answer(() => () => {});
    expect(await faultOf(post(receiver.url, SECRET, 300))).toMatch(
      /^the (other side gave no answer|answer of the other side broke off)/,
    );
    receiver.answer(() => (response) => {
      response.writeHead(200, { 'content-length': '10' }).write('so');
    });
    expect(await faultOf(post(receiver.url, SECRET, 300))).toMatch(
      /^the (other side gave no answer|answer of the other side broke off)/,
    );
  });

  test('that answers 200 and breaks off has not accepted it', async () => {
    receiver.answer(() => (response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('so', () => response.destroy());
    });
    expect(await faultOf(post())).toBe('the answer of the other side broke off');
  });

  test('that breaks off without an answer, or is unreachable, has not accepted it', async () => {
    receiver.answer(() => (response) => response.destroy());
    expect(await faultOf(post())).toBe('the other side gave no answer (ECONNRESET)');
    expect(await faultOf(post('http://127.0.0.1:1/'))).toBe(
      'the other side gave no answer (ECONNREFUSED)',
    );
  });

  test('that sends a longer answer than the limit is disconnected', async () => {
    let written = 0;
    receiver.answer(() => (response) => {
      response.writeHead(200);
      const more = () => {
        written += 1;
        // Deferred, so that writing to a closed connection does not keep it from closing.
        response.write('x'.repeat(1000), (error) => error ?? setImmediate(more));
      };
      more();
    });
    await post();
    expect(written).toBeLessThan(10_000);
  });

  test('that accepts connections but does not speak TLS is given up within the time to connect', async () => {
    const deaf = createServer(() => {});
    deaf.listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const { port } = deaf.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}/`;
    const posting = postWebhook({ url, secret: SECRET, refusesPrivate: false }, event, {
      ...limits,
      connectMs: 200,
      callMs: 5000,
    });
    expect(await faultOf(posting)).toBe('the other side gave no answer');
    deaf.close();
  });
});

describe('in the live profile', () => {
  const inside = 'the address is one of a private network, which the live profile does not call';
  const live = (url: string) =>
    postWebhook({ url, secret: SECRET, refusesPrivate: true }, event, limits);

  test.each(['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254', '[::ffff:127.0.0.1]'])(
    'nothing is sent to %s',
    async (host) => {
      expect(await faultOf(live(`https://${host}/`))).toBe(inside);
    },
  );

  test('nothing is sent to a name that resolves to such an address', async () => {
    expect(await faultOf(live(receiver.url.replace('127.0.0.1', 'localhost')))).toBe(inside);
    expect(receiver.received).toEqual([]);
  });
});
