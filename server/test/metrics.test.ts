import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import type { Context } from '#context/context.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { testClock } from '#test/test-day.ts';
import { useTestApp, openTestApp } from './app.ts';
import { addRows } from './rows.ts';

const api = useTestApp('demo_template');

test('the metrics count alarms, open payments by age, payments, differences and waiting jobs of all processes', async () => {
  const { db } = api.ctx;
  const alarm = {
    kind: 'unknown_zone' as const,
    facilityId: null,
    sentence: 'No zone.',
    facts: {},
  };
  for (const key of ['a', 'b']) await raiseAlarm(api.ctx, db, { ...alarm, key });
  const longAgo = new Date(api.ctx.clock.now().getTime() - 20 * 60_000);
  await api.sql`INSERT INTO payment_intents (tenant_id, type, method_description, amount_cents, state, debt_key, attempt,
      created_at, updated_at)
    SELECT id, 'creditCard', 'Visa', 100, 'unknown', 'x', 1, ${longAgo}, ${longAgo}
    FROM tenants LIMIT 1`;
  const run = {
    kind: 'daily' as const,
    from_at: testClock.now(),
    to_at: testClock.now(),
    started_at: testClock.now(),
  };
  const { id } = await db
    .insertInto('reconciliations')
    .values({ ...run, finished_at: new Date('2026-11-14T00:00:00Z') })
    .returning('id')
    .executeTakeFirstOrThrow();
  const difference = {
    reconciliation_id: id,
    reference: 'ch_1',
    ours: null,
    theirs: null,
    found_at: testClock.now(),
  };
  await addRows(db, 'differences', { ...difference, class: 'gateway_only' });
  await db
    .transaction()
    .execute((trx) =>
      api.ctx.enqueue(trx, { name: 'deliver-mail', data: { mailId: randomUUID() } }),
    );
  const { body } = await api.operatorApp.inject('/metrics');
  for (const line of [
    'gatehouse_database_up 1',
    'gatehouse_alarms{kind="unknown_zone"} 2',
    'gatehouse_open_payments{age="over 15 min"} 1',
    'gatehouse_open_payments{age="under 15 min"} 0',
    'gatehouse_payments{type="creditCard",state="unknown"} 1',
    'gatehouse_differences{class="gateway_only"} 1',
    'gatehouse_reconciled_timestamp_seconds{kind="daily"} 1794614400',
    'gatehouse_jobs_waiting{name="deliver-mail"} 1',
  ])
    expect(body).toContain(line);
});

test('the metrics that alerts watch follow mails, jobs, a gate and a database that wait or are away (R30)', async () => {
  const gate = {} as NonNullable<Context['gate']>; // only whether there is one is asked
  const other = await openTestApp('demo_template', { gate });
  const now = other.ctx.clock.now();
  await sql`
    INSERT INTO pgboss.job (name, priority, created_on, start_after)
    SELECT 'deliver-mail', priority, now() - age, now() - age
    FROM (VALUES (1, interval '2 minutes'), (0, interval '1 hour')) mails (priority, age)`.execute(
    other.owner,
  );
  await sql`
    INSERT INTO gate_controllers (facility_id, next_at, synced_at)
    SELECT id, ${now}, ${new Date(now.getTime() - 600_000)} FROM facilities WHERE location_code = 'TXDFW03'`.execute(
    other.owner,
  );
  const { body } = await other.operatorApp.inject('/metrics');
  const valueOf = (series: string, text = body) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  expect(valueOf('gatehouse_mail_lag_seconds{kind="code"}')).toBeGreaterThanOrEqual(120);
  expect(valueOf('gatehouse_mail_lag_seconds{kind="code"}')).toBeLessThan(3600);
  expect(valueOf('gatehouse_mail_lag_seconds{kind="other"}')).toBeGreaterThanOrEqual(3600);
  expect(valueOf('gatehouse_job_lag_seconds{name="deliver-mail"}')).toBeGreaterThanOrEqual(3600);
  expect(valueOf('gatehouse_gate_lag_seconds{facility="TXDFW03"}')).toBeGreaterThanOrEqual(600);

  const away = await openTestApp('demo_template');
  await away.ctx.db.destroy();
  const path = '/corporations/ANCHOR/locations';
  const { status } = await away.call('GET', path);
  expect(status).toBeGreaterThanOrEqual(500);
  const scraped = await away.operatorApp.inject('/metrics');
  expect(valueOf('gatehouse_database_up', scraped.body)).toBe(0);
  const failed = new RegExp(`^gatehouse_request_seconds_count\\{.*status="${status}".*\\} 1$`, 'm');
  expect(scraped.body).toMatch(failed);
  await away.close();
  await other.close();
});

test('concurrent scrapes get the same values', async () => {
  const other = await openTestApp('empty_template');
  try {
    const answers = await Promise.all([
      other.operatorApp.inject('/metrics'),
      other.operatorApp.inject('/metrics'),
    ]);
    for (const { body } of answers)
      expect(body).toContain('gatehouse_open_payments{age="over 15 min"} 0');
  } finally {
    await other.close();
  }
});

test('the payments of a month are counted again after fifty times as long as that took, all else after five seconds', async () => {
  const other = await openTestApp('empty_template');
  const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const asked = { counting: 0, all: 0 };
  let later = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const text = typeof given[0] === 'string' ? given[0] : (given[0] as { text: string }).text;
    if (text.includes('gate_controllers')) asked.all += 1;
    if (text.includes("interval '30 days'")) {
      asked.counting += 1;
      later += 2000;
    }
    return query.call(this, ...given);
  });
  try {
    const askAfter = async (ms: number) => {
      later += ms;
      await other.operatorApp.inject('/metrics');
      return { ...asked };
    };
    expect(await askAfter(0)).toEqual({ counting: 1, all: 1 });
    expect(await askAfter(1000)).toEqual({ counting: 1, all: 1 });
    expect(await askAfter(6000)).toEqual({ counting: 1, all: 2 });
    expect(await askAfter(80_000)).toEqual({ counting: 1, all: 3 });
    expect(await askAfter(30_000)).toEqual({ counting: 2, all: 4 });
  } finally {
    vi.restoreAllMocks();
    await other.close();
  }
});

test('the metrics port answers its own hosts only', async () => {
  const statusOf = async (host: string) =>
    (await api.operatorApp.inject({ url: '/metrics', headers: { host } })).statusCode;
  for (const host of ['127.0.0.1:9464', 'localhost:9464']) expect(await statusOf(host)).toBe(200);
  expect(await statusOf('rebind.evil.example:9464')).toBe(421);
});
