import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { IMAGE_BODY_BYTES } from '@gatehouse/contract/images';
import { beforeAll, expect, test, vi } from 'vitest';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { patience } from '#test/patience.ts';
import { noisePng } from '#test/photos.ts';
import { BODY_BYTES } from './uploads.ts';

/** More than a body without a photo may have. */
const A_PART = 'A'.repeat(72 * 1024);

const api = useTestApp('demo_template');
let dana: SignedIn;
let lee: SignedIn;
let photo: string;
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
  photo = `data:image/png;base64,${(await noisePng(200)).toString('base64')}`;
  expect(photo.length).toBeGreaterThan(BODY_BYTES);
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});

async function bodyOf({ token, prefix, tenantIds }: SignedIn, imageData?: string) {
  const ledgers = await api.call('GET', `${prefix}/tenants/${tenantIds[0]}/ledgers`, { token });
  const ledgerId = ledgers.body[0].id as string;
  const issue = { issueType: 'gate', issueDescription: 'The gate squeaks.' };
  return JSON.stringify({ ledgerId, ...issue, imageData });
}

type Sending = { call: ClientRequest; answer: Promise<{ status: number; message: string }> };

/** Opens a request for maintenance whose body the test writes; the length is a claim. */
function open(
  { token, prefix }: SignedIn,
  bytes: number,
  headers: Record<string, string> = {},
): Sending {
  const { port } = api.app.server.address() as AddressInfo;
  const call = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    agent: false,
    path: `/api${prefix}/maintenance-requests`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': bytes,
      ...headers,
    },
  });
  // A refused client may still be writing.
  call.on('error', () => {});
  const answer = once(call, 'response').then(async ([response]) => {
    const { statusCode = 0 } = response as IncomingMessage;
    const { message } = JSON.parse(await text(response as IncomingMessage)) as { message: string };
    return { status: statusCode, message };
  });
  return { call, answer };
}

async function send(who: SignedIn, imageData?: string) {
  const body = await bodyOf(who, imageData);
  const { call, answer } = open(who, body.length);
  call.end(body);
  return answer;
}

// asvs 2.4.1
test('two slow uploads of a tenant that claim the whole room: one is refused at once, and every other request is answered', async () => {
  const slow = [open(dana, IMAGE_BODY_BYTES), open(dana, IMAGE_BODY_BYTES)];
  for (const { call } of slow) call.write(`{"imageData":"data:image/png;base64,${A_PART}`);
  const refused = await Promise.race(slow.map(({ answer }) => answer));
  expect(refused).toEqual({
    status: 429,
    message: 'Another photo of yours is still arriving. Please try again.',
  });
  expect((await send(lee, photo)).status).toBe(200);
  expect((await send(dana)).status).toBe(200);
  expect((await send(dana, photo)).status).toBe(429);
  for (const { call, answer } of slow) {
    answer.catch(() => {});
    call.destroy();
  }
  await vi.waitFor(async () => expect((await send(dana, photo)).status).toBe(200), patience);
});

test('an upload from a Spanish page is refused in Spanish, while it arrives and after', async () => {
  const spanish = { 'gatehouse-language': 'es' };
  const slow = [open(lee, IMAGE_BODY_BYTES, spanish), open(lee, IMAGE_BODY_BYTES, spanish)];
  for (const { call } of slow) call.write(`{"imageData":"data:image/png;base64,${A_PART}`);
  const refused = await Promise.race(slow.map(({ answer }) => answer));
  expect(refused).toEqual({
    status: 429,
    message: 'Otra foto suya aún se está enviando. Inténtelo de nuevo.',
  });
  for (const { call, answer } of slow) {
    answer.catch(() => {});
    call.destroy();
  }
  const body = JSON.stringify({ issueType: 'gate' });
  const { call, answer } = open(dana, body.length, spanish);
  call.end(body);
  expect(await answer).toEqual({ status: 422, message: 'El campo Unidad es obligatorio.' });
});

test('an upload holds its place to its answer, whatever the answer is', async () => {
  const damaged = `data:image/png;base64,${A_PART}`;
  for (let nth = 0; nth < 3; nth += 1) expect((await send(lee, damaged)).status).toBe(415);
  const large = `data:image/png;base64,${'A'.repeat(IMAGE_BODY_BYTES)}`;
  expect((await send(lee, large)).status).toBe(413);
  expect((await send(lee, photo)).status).toBe(200);
});

test('a photo just above the size of other bodies is whole, though its end comes with its last bytes', async () => {
  for (const side of [130, 140, 150, 160]) {
    const small = `data:image/png;base64,${(await noisePng(side)).toString('base64')}`;
    expect(small.length).toBeGreaterThan(BODY_BYTES);
    expect((await send(lee, small)).status).toBe(200);
  }
});
