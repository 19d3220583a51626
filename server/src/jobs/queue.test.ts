import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { queueMail } from '#features/base/mail/mail.ts';
import { openLog } from '#telemetry/log.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { patience } from '#test/patience.ts';

let api: TestApp;
const lines: string[] = [];
beforeAll(async () => {
  const refused = Object.assign(new Error('a row is refused'), {
    code: '23514',
    detail: 'Failing row contains (secret)',
  });
  api = await openTestApp('empty_template', {
    mail: { send: () => Promise.reject(refused) },
    log: openLog('error', { write: (line) => lines.push(line) }),
  });
});
afterAll(() => api.close());

test('a job that fails is logged with its causes and counted, and its error is stored without database rows', async () => {
  const email = { subject: 'Hello', blocks: [] };
  await api.ctx.db.transaction().execute((trx) =>
    queueMail(api.ctx, trx, {
      to: 'dana@example.com',
      kind: 'legal',
      tenantId: null,
      email: () => email,
    }),
  );
  await api.queue.work(api.ctx);
  const output = async () => {
    const { rows } = await sql<{ output: unknown }>`
      SELECT output FROM pgboss.job WHERE name = 'deliver-mail' AND state = 'retry'`.execute(
      api.owner,
    );
    return rows[0]?.output;
  };
  const said = {
    message: '1 mails could not be sent',
    errors: [{ code: '23514', message: 'a row is refused' }],
  };
  await vi.waitFor(async () => expect(await output()).toMatchObject(said), patience);
  expect(JSON.parse(lines[0]!)).toMatchObject({ work: 'deliver-mail', err: said });
  expect(JSON.stringify([await output(), lines])).not.toContain('secret');
  const { values } = await api.ctx.metrics.failedJobs.get();
  expect(values).toMatchObject([{ labels: { name: 'deliver-mail' }, value: 1 }]);
});
