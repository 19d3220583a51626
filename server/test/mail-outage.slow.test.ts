import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { endServer, startServer } from './server-process.ts';
import { openSmtpSink } from './smtp.ts';
import { card } from './card.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { WIDE_LIMITS } from './wide-limits.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { patience } from './patience.ts';

const name = `outage_${randomUUID().replaceAll('-', '')}`;
let dataDir: string;
let owner: Database;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-outage-'));
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, name, 'demo_template');
  await maintenance.destroy();
  owner = openOwnerDatabase(databaseUrl(inject('clusterUrl'), name));
});
afterAll(async () => {
  await owner.destroy();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts a server, which ends with the test at the latest. */
async function start(smtpUrl: string) {
  const server = await startServer({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(inject('clusterUrl'), name),
    DATA_KEYS: TEST_DATA_KEYS,
    LIMITS: WIDE_LIMITS,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Anchor & Axle <no-reply@anchor-axle.example>',
  });
  onTestFinished(() => endServer(server, 'SIGKILL').then(() => {}));
  return server;
}

const states = async () => {
  const { rows } = await sql<{
    state: string;
  }>`SELECT state FROM pgboss.job WHERE name = 'deliver-mail'`.execute(owner);
  return rows.map(({ state }) => state);
};

// asvs 16.5.2
test('with the mail server down and the server killed no request fails, and every mail is sent once', async () => {
  const gone = await openSmtpSink();
  await gone.close();
  const server = await start(gone.url);
  const emails = ['newcomer@example.com', 'lee@example.com', 'nobody@example.com'];
  for (const email of emails) {
    const answer = await fetch(`${server.url}/api/users/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, locationCode: 'TXDFW03', corporationCode: 'ANCHOR' }),
    });
    expect(answer.status).toBe(200);
  }
  // Releases the jobs that the killed process still holds.
  const waiting = { ...patience, interval: 50 };
  await vi.waitFor(
    async () => expect(await states()).toEqual(['retry', 'retry', 'retry']),
    waiting,
  );
  await endServer(server, 'SIGKILL');

  const sink = await openSmtpSink(gone.port);
  await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(owner);
  await start(sink.url);
  await vi.waitFor(
    async () => expect(await states()).toEqual(['completed', 'completed', 'completed']),
    waiting,
  );
  expect(sink.received.flatMap(({ to }) => to).toSorted()).toEqual(emails.toSorted());
  expect(new Set(sink.received.map(({ from }) => from))).toEqual(
    new Set(['no-reply@anchor-axle.example']),
  );
  await sink.close();
});

test('with the server killed while mails go out every mail is sent, at most one of them twice (R22)', async () => {
  const gone = await openSmtpSink();
  await gone.close();
  const server = await start(gone.url);
  const post = async <T>(path: string, body: object, token?: string): Promise<T> => {
    const answer = await fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as T;
  };
  const where = { locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
  for (let nth = 0; nth < 20; nth += 1) {
    const domain = nth % 4 === 0 ? 'slow.example' : 'example.com';
    await post('/users/register', { email: `outage${nth}@${domain}`, ...where });
  }
  const login = { username: 'dana@example.com', password: DEMO_PASSWORD, ...where };
  const { token, tenants } = await post<{ token: string; tenants: [{ id: string }] }>(
    '/users/login',
    login,
  );
  const tenantId = tenants[0].id;
  const ledger = await owner
    .selectFrom('ledgers')
    .select(['id', 'unit_id'])
    .where('tenant_id', '=', tenantId)
    .where('balance_cents', '>', 0)
    .executeTakeFirstOrThrow();
  const payments = [{ ledgerId: ledger.id, unitId: ledger.unit_id, amount: 1 }];
  const path = `/corporations/ANCHOR/locations/TXDFW03/tenants/${tenantId}/payments`;
  await post(path, { payments, creditCard: card }, token);
  const mails = async () => {
    const { rows } = await sql<{ all: number; unsent: number; untold: number }>`
      SELECT count(*)::int AS all, count(*) FILTER (WHERE sent_at IS NULL)::int AS unsent,
        (SELECT count(*)::int FROM payment_intents WHERE told_at IS NULL) AS untold FROM mails`.execute(
      owner,
    );
    return rows[0]!;
  };
  const again = () =>
    sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'deliver-mail' AND state = 'retry'`.execute(
      owner,
    );
  const waiting = { ...patience, interval: 20 };
  await vi.waitFor(async () => expect((await mails()).untold).toBe(0), waiting);
  const first = await openSmtpSink(gone.port);
  // So that the kill comes before the last mail.
  first.hold('slow.example');
  await vi.waitFor(async () => {
    await again();
    expect(first.received.length).toBeGreaterThan(0);
  }, waiting);
  await endServer(server, 'SIGKILL');
  await first.close();
  expect((await mails()).unsent).toBeGreaterThan(0);

  // What the killed server had taken up, without waiting for its lease.
  await sql`UPDATE pgboss.job SET state = 'retry' WHERE name = 'deliver-mail' AND state = 'active'`.execute(
    owner,
  );
  const second = await openSmtpSink(gone.port);
  await start(second.url);
  await vi.waitFor(async () => {
    await again();
    expect((await mails()).unsent).toBe(0);
  }, waiting);
  const copies = new Map<string, number>();
  for (const { raw } of [...first.received, ...second.received]) {
    const id = /^Message-ID: <([^@]+)@/im.exec(raw)![1]!;
    copies.set(id, (copies.get(id) ?? 0) + 1);
  }
  const expected = await owner
    .selectFrom('mails')
    .select('id')
    .where('to_address', 'like', 'outage%')
    .execute();
  expect(expected).toHaveLength(20);
  for (const { id } of expected) expect(copies.get(id)).toBeGreaterThan(0);
  const twice = [...copies.values()].filter((count) => count > 1);
  expect(twice.length).toBeLessThanOrEqual(1);
  expect(Math.max(...copies.values())).toBeLessThanOrEqual(2);
  await second.close();
});
