import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useTestApp } from './app.ts';

const stopping = new AbortController();
const api = useTestApp('empty_template', { stopping: stopping.signal });

/** The answers for the public and for the operator. */
async function readiness() {
  const [world, operator] = await Promise.all([
    api.app.inject('/readyz'),
    api.operatorApp.inject('/readyz'),
  ]);
  return {
    status: world.statusCode,
    body: world.json<unknown>(),
    operator: operator.json<unknown>(),
  };
}

// asvs 3.5.4, 13.4.5
test('faults are listed on the operator’s port only, as the metrics are', async () => {
  expect(await readiness()).toEqual({
    status: 200,
    body: { status: 'ok' },
    operator: { status: 'ok', faults: [] },
  });
  await api.sql`UPDATE kysely_migration SET name = 'x' || name WHERE name LIKE '0003%'`;
  expect(await readiness()).toEqual({
    status: 503,
    body: { status: 'not ready' },
    operator: {
      status: 'not ready',
      faults: [expect.stringMatching(/^the migration 0003\S* has not run$/)],
    },
  });
  await api.sql`UPDATE kysely_migration SET name = substr(name, 2) WHERE name LIKE 'x%'`;
  expect((await api.app.inject('/metrics')).body).not.toContain('gatehouse_request_seconds');
});

test('a database that does not answer within a second is not ready, and the process is healthy all the same', async () => {
  await api.owner.transaction().execute(async (trx) => {
    await sql`LOCK TABLE kysely_migration`.execute(trx);
    // Concurrent probes share one query, so that they do not use the connections of payments.
    const probes = await Promise.all(Array.from({ length: 20 }, () => api.app.inject('/readyz')));
    expect(new Set(probes.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
    const waiting = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(trx);
    expect(waiting.rows).toHaveLength(1);
    expect((await api.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
  });
});

test('a stopping process is not ready at once, and closes the connections that it answers on', async () => {
  expect((await api.app.inject('/healthz')).headers.connection).not.toBe('close');
  stopping.abort();
  const { statusCode, headers } = await api.app.inject('/readyz');
  expect([statusCode, headers.connection]).toEqual([503, 'close']);
  const served = await api.call('GET', '/nothing/here');
  expect([served.status, served.headers.connection]).toEqual([404, 'close']);
});
