import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { testClock } from '#test/test-day.ts';
import { isPrivateAddress } from '#config/private-addresses.ts';
import { PostFailed } from './bounded-post.ts';
import { createSignedPost, signatureOf } from './signed-post.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver('a-secret');
});
afterEach(() => receiver.close());

const post = (body: string, more = {}) =>
  createSignedPost(
    { url: receiver.url, secret: 'a-secret', isPrivateRefused: false, ...more },
    () => testClock.now().getTime(),
  )(body);

describe('a signed call', () => {
  test('is signed over its time and its exact bytes, and returns the answer', async () => {
    receiver.answer(() => ({ body: { taken: true } }));
    expect(await post('{"unit":"Ä1"}')).toEqual({ status: 200, text: '{"taken":true}' });
    expect(receiver.received).toMatchObject([{ raw: '{"unit":"Ä1"}', isSigned: true }]);
    const apart = receiver.received[0]!.signedAt - testClock.now().getTime() / 1000;
    expect(Math.abs(apart)).toBeLessThan(60);
    await expect(post('{}', { secret: 'another' })).rejects.toMatchObject({ status: 401 });
  });

  test('has the signature that the documentation shows', () => {
    expect(signatureOf('a-secret', '1795000000', '{"type":"gate.changes"}')).toBe(
      'v1=1aa4603d9e89330dbabe438a61634578fe4a6473e35f9a08b8044f2005a54d66',
    );
  });

  test.each([301, 302, 307, 308])('does not follow a redirect (%i)', async (status) => {
    receiver.answer(() => ({ status, headers: { location: receiver.url } }));
    await expect(post('{}')).rejects.toThrow(
      `the other side redirects (${status}), which is not followed`,
    );
    expect(receiver.received).toHaveLength(1);
  });

  test.each([400, 404, 500, 503])('fails on the status %i', async (status) => {
    receiver.answer(() => ({ status, body: { secret: 'x' } }));
    const fault: unknown = await post('{}').catch((error: unknown) => error);
    expect(fault).toEqual(new PostFailed(`the other side answered ${status}`, status));
  });

  test('ends when the caller aborts, where no answer comes', async () => {
    receiver.answer(() => () => {});
    const target = { url: receiver.url, secret: 'a-secret', isPrivateRefused: false };
    const fault = createSignedPost(target)('{}', { signal: AbortSignal.timeout(100) });
    await expect(fault).rejects.toMatchObject({
      status: null,
      message: 'the other side gave no answer',
    });
  });

  test('fails where no server is listening, and where the answer is too large', async () => {
    receiver.answer(() => ({ body: 'x'.repeat(1024 * 1024) }));
    await expect(post('{}')).rejects.toThrow('the answer of the other side is too large');
    await receiver.close();
    await expect(post('{}')).rejects.toMatchObject({ status: null });
    receiver = await openReceiver('a-secret');
  });
});

describe('an address', () => {
  test('outside of this machine is called over https only', () => {
    const target = { url: 'http://gate.example.com/hook', secret: 'x', isPrivateRefused: false };
    expect(() => createSignedPost(target)).toThrow(
      'signed calls go over https, or stay on this machine',
    );
  });

  test.each(['127.0.0.1', 'localhost'])(
    'of a private network is not called where that is refused: %s',
    async (host) => {
      const url = receiver.url.replace('127.0.0.1', host);
      await expect(post('{}', { url, isPrivateRefused: true })).rejects.toThrow();
      expect(receiver.received).toEqual([]);
    },
  );

  test.each([
    ...[
      '10.1.2.3',
      '100.64.0.1',
      '127.9.9.9',
      '169.254.169.254',
      '172.31.0.1',
      '192.168.1.1',
      '0.0.0.0',
      '239.1.1.1',
    ],
    ...[
      '::',
      '::1',
      '::ffff:10.0.0.1',
      'fd00::1',
      'fe80::1',
      'ff02::1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
    ],
  ])('of a private network is recognized: %s', (address) =>
    expect(isPrivateAddress(address)).toBe(true),
  );

  test.each(['93.184.215.14', '172.32.0.1', '2606:4700::1111', 'gate.example.com'])(
    'of the public internet is not private: %s',
    (address) => expect(isPrivateAddress(address)).toBe(false),
  );
});
