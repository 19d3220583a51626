import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { fromNow } from '#test/test-day.ts';
import { expectSoundBooks } from './books.ts';
import { card } from './card.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { endServer, startServer, type ServerProcess } from './server-process.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { patience } from './patience.ts';

const name = `restart_${randomUUID().replaceAll('-', '')}`;
let dataDir: string;
let owner: Database;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-restart-'));
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, name, 'demo_template');
  await maintenance.destroy();
  owner = openOwnerDatabase(databaseUrl(inject('clusterUrl'), name));
  server = await start();
});
afterAll(async () => {
  await endServer(server, 'SIGTERM');
  await owner.destroy();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): Promise<ServerProcess> {
  return startServer({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(inject('clusterUrl'), name),
    DATA_KEYS: TEST_DATA_KEYS,
  });
}

test('a payment whose look-up was in progress in the killed process is settled too', async () => {
  const tenant = await owner
    .selectFrom('tenants')
    .select('id')
    .where('email', '=', 'maria@example.com')
    .executeTakeFirstOrThrow();
  const ledger = await owner
    .selectFrom('ledgers')
    .selectAll()
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirstOrThrow();
  await endServer(server, 'SIGKILL');
  const id = randomUUID();
  const minuteAgo = fromNow(-60_000);
  // As the killed process leaves it: captured, not posted, and its job assigned to the dead
  // process.
  await sql`
    INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt, created_at)
    VALUES (${id}, ${tenant.id}, 'creditCard', 'Visa ending in 4242', ${ledger.balance_cents}, 'submitted', ${Buffer.from(id)}, 1, ${minuteAgo})`.execute(
    owner,
  );
  await sql`
    INSERT INTO payment_intent_ledgers VALUES (${id}, ${ledger.id}, ${ledger.balance_cents}, 'submitted')`.execute(
    owner,
  );
  await sql`
    INSERT INTO sandbox_gateway.charges VALUES (${id}, ${ledger.balance_cents}, 'creditCard', '4242', 'captured')`.execute(
    owner,
  );
  server = await start();
  const balance = () =>
    owner
      .selectFrom('ledgers')
      .select('balance_cents')
      .where('id', '=', ledger.id)
      .executeTakeFirstOrThrow();
  await vi.waitFor(async () => expect((await balance()).balance_cents).toBe(0), {
    ...patience,
    interval: 50,
  });
  await expectSoundBooks(owner);
});

test('a payment in progress when the server is killed is settled by the next start, once', async () => {
  const prefix = `${server.url}/api/corporations/ANCHOR/locations/TXDFW03`;
  const json = { 'content-type': 'application/json' };
  const login = {
    username: 'dana@example.com',
    password: DEMO_PASSWORD,
    locationCode: 'TXDFW03',
    corporationCode: 'ANCHOR',
  };
  const answer = await fetch(`${server.url}/api/users/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(login),
  });
  const { token, tenants } = (await answer.json()) as { token: string; tenants: { id: string }[] };
  const authorization = `Bearer ${token}`;
  const tenantId = tenants[0]!.id;
  const ledgers = await fetch(`${prefix}/tenants/${tenantId}/ledgers`, {
    headers: { authorization },
  });
  const [ledger] = (await ledgers.json()) as { id: string; unitId: string; balance: number }[];

  const payment = fetch(`${prefix}/tenants/${tenantId}/payments`, {
    method: 'POST',
    headers: { ...json, authorization },
    body: JSON.stringify({
      payments: [{ ledgerId: ledger!.id, unitId: ledger!.unitId, amount: ledger!.balance }],
      creditCard: { ...card, cardNumber: sandboxNumbers.noAnswer },
    }),
  });
  const lost = expect(payment).rejects.toThrow();
  const isCaptured = () =>
    sql<{ captured: boolean }>`
      SELECT EXISTS (SELECT FROM sandbox_gateway.charges g JOIN payment_intents i ON i.id = g.reference
        WHERE i.user_id IS NOT NULL AND g.outcome = 'captured') AS captured`
      .execute(owner)
      .then(({ rows }) => rows[0]!.captured);
  await vi.waitFor(async () => expect(await isCaptured()).toBe(true), {
    ...patience,
    interval: 20,
  });
  await endServer(server, 'SIGKILL');
  await lost;

  server = await start();
  const balance = () =>
    owner
      .selectFrom('ledgers')
      .select('balance_cents')
      .where('id', '=', ledger!.id)
      .executeTakeFirstOrThrow();
  await vi.waitFor(async () => expect((await balance()).balance_cents).toBe(0), {
    ...patience,
    interval: 100,
  });
  await expectSoundBooks(owner);
});
