import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '#telemetry/log.ts';
import { openTestApp, type TestApp } from '#test/app.ts';

let api: TestApp;
let now = new Date('2026-11-21T12:00:00Z');
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const log = openLog('warn', {
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  api = await openTestApp('empty_template', { log, clock: { now: () => now } });
});
afterAll(() => api.close());

const violation = {
  type: 'csp-violation',
  age: 1,
  url: 'http://localhost:3000/profile?secret=rvt_token',
  user_agent: 'canary',
  body: {
    effectiveDirective: 'script-src-elem',
    blockedURL: 'https://evil.example/x.js?card=4242424242424242',
    documentURL: 'http://localhost:3000/profile?secret=rvt_token',
    sourceFile: 'http://localhost:3000/assets/base-1.js',
    lineNumber: 7,
    sample: 'canary 4242424242424242',
    originalPolicy: "default-src 'none'",
    referrer: 'canary',
  },
};

function send(payload: unknown, type = 'application/reports+json') {
  lines.length = 0;
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return api.app.inject({
    method: 'POST',
    url: '/api/policy-reports',
    headers: { 'content-type': type },
    payload: text,
  });
}

// asvs 3.4.7, 16.3.3
test('a report of what the page policy refused is logged by its directive and origins, and nothing else of it', async () => {
  const answer = await send([violation]);
  expect([answer.statusCode, answer.body]).toEqual([204, '']);
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(lines).toEqual([
    {
      level: 40,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: expect.any(String),
      directive: 'script-src-elem',
      blocked: 'https://evil.example',
      source: 'self',
      line: 7,
      msg: 'the page policy refused',
    },
  ]);
});

test.each([
  ['inline', 'inline'],
  ['data:text/html,rvt_token', 'data'],
  ['a b', 'other'],
  [undefined, 'none'],
])('what was blocked at %s is logged as %s', async (blockedURL, logged) => {
  await send([{ ...violation, body: { ...violation.body, blockedURL } }]);
  expect(lines.map(({ blocked }) => blocked)).toEqual([logged]);
});

test('anything else is not logged: other kinds, other shapes, invalid JSON, another type, too large a body', async () => {
  expect(
    (await send([{ ...violation, type: 'deprecation' }, 1, null, { type: 'csp-violation' }]))
      .statusCode,
  ).toBe(204);
  expect((await send(violation)).statusCode).toBe(204);
  expect((await send('[{')).statusCode).toBe(422);
  expect((await send([violation], 'text/plain')).statusCode).toBe(415);
  expect((await send([violation, 'x'.repeat(17_000)])).statusCode).toBe(413);
  expect(lines).toEqual([]);
});

test('of a flood of reports only a few a minute are logged', async () => {
  now = new Date(now.getTime() + 60_000);
  await send(
    Array.from({ length: 200 }, () => ({
      type: 'csp-violation',
      body: { effectiveDirective: 'img-src' },
    })),
  );
  expect(lines).toHaveLength(30);
  await send([violation]);
  expect(lines).toHaveLength(0);
  now = new Date(now.getTime() + 60_000);
  await send([violation]);
  expect(lines).toHaveLength(1);
});
