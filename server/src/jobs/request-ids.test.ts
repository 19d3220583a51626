import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openLog } from '#telemetry/log.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { patience } from '#test/patience.ts';
import { changeRows, getRow } from '#test/rows.ts';

type Line = { msg: string; route?: string; job?: string; reqId?: string; reqIds?: string[] };

let api: TestApp;
let dana: SignedIn;
let lines: Line[];
beforeAll(async () => {
  const stream = new PassThrough();
  lines = [];
  stream.on('data', (part: Buffer) => {
    for (const line of part.toString().trimEnd().split('\n')) lines.push(JSON.parse(line) as Line);
  });
  api = await openTestApp('demo_template', { log: openLog('info', stream) });
  dana = await signIn(api, 'dana@example.com');
});
afterAll(() => api.close());

/** Looks an account up, which queues a mail; returns the request's id from its log line. */
async function lookUp(email: string): Promise<string> {
  const before = lines.length;
  const lookup = { email, locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
  expect((await api.call('POST', '/users/register', { body: lookup })).status).toBe(200);
  return lines.slice(before).find(({ route }) => route === '/api/users/register')!.reqId!;
}

test('the log lines of a job carry the id of the request that caused it', async () => {
  const { mail } = api.ctx;
  api.ctx.mail = { send: () => Promise.reject(new Error('the mail server is away')) };
  const ids = [await lookUp('dana@example.com'), await lookUp('lee@example.com')];
  expect(new Set(ids).size).toBe(2);
  await api.queue.work(api.ctx);
  const idsIn = (msg: string) =>
    lines
      .filter((line) => line.job === 'deliver-mail' && line.msg === msg)
      .flatMap(({ reqId, reqIds = [] }) => reqId ?? reqIds);
  await vi.waitFor(
    () => expect(idsIn('a job failed').toSorted()).toEqual(ids.toSorted()),
    patience,
  );
  api.ctx.mail = mail;
  const another = await lookUp('pat@example.com');
  await vi.waitFor(() => expect(idsIn('job')).toContain(another), patience);
});

test('the log lines of a request carry its id too', async () => {
  await changeRows(api.owner, 'facilities', { email: null });
  const { id } = await getRow(api.owner, 'ledgers', 'id', { tenant_id: dana.tenantIds[0]! });
  const before = lines.length;
  await api.call('POST', `${dana.prefix}/ledgers/${id}/move-out`, { token: dana.token, body: {} });
  const [warning, request] = lines.slice(before);
  expect(warning).toMatchObject({
    msg: 'a message to staff was not mailed: no address is set',
    reqId: request!.reqId,
  });
  expect(request?.route).toMatch(/move-out$/);
});
