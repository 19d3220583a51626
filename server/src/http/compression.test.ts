import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify, type InjectOptions } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { compressReads } from './compression.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index, description: 'Rent for November' }));

const app = fastify();
compressReads(app);
app.get<{ Querystring: { count: number } }>('/rows', ({ query }) => rows(query.count));
app.get('/file', (_request, reply) =>
  reply.type('application/pdf').send(Buffer.from('%PDF '.repeat(1000))),
);
app.post('/rows', () => rows(100));
afterAll(() => app.close());

const codingOf = async (given: InjectOptions) => {
  const { statusCode, headers } = await app.inject(given);
  expect(statusCode).toBe(200);
  return headers['content-encoding'];
};

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
])('a long answer to a client that accepts %s is sent as %s', async (accepted, coding, open) => {
  const { headers, rawPayload } = await app.inject({
    url: '/rows?count=100',
    headers: { 'accept-encoding': accepted },
  });
  expect(headers['content-encoding']).toBe(coding);
  expect(headers['content-length']).toBe(String(rawPayload.length));
  expect(rawPayload.length).toBeLessThan(700);
  expect(JSON.parse(open(rawPayload).toString())).toEqual(rows(100));
});

test('an answer is sent as it is to a client that accepts no coding of ours, and a short one to all', async () => {
  expect(await codingOf({ url: '/rows?count=100' })).toBeUndefined();
  for (const accepted of ['identity', 'zstd', 'br;q=0, gzip;q=0.0', 'x-br'])
    expect(
      await codingOf({ url: '/rows?count=100', headers: { 'accept-encoding': accepted } }),
    ).toBeUndefined();
  const accepting = { 'accept-encoding': 'br, gzip' };
  expect(await codingOf({ url: '/rows?count=10', headers: accepting })).toBeUndefined();
});

test('no file, nothing as long as a photo, and nothing that is no GET is compressed', async () => {
  const headers = { 'accept-encoding': 'br, gzip' };
  expect(await codingOf({ url: '/file', headers })).toBeUndefined();
  expect(await codingOf({ url: '/rows?count=10000', headers })).toBeUndefined();
  expect(await codingOf({ method: 'POST', url: '/rows', headers })).toBeUndefined();
  const head = await app.inject({ method: 'HEAD', url: '/rows?count=100', headers });
  expect([head.statusCode, head.headers['content-encoding']]).toEqual([200, undefined]);
});
