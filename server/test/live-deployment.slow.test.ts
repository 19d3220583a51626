import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { endServer, refuseToStart, startServer, type ServerProcess } from './server-process.ts';
import {
  openStripeStub,
  STUB_PUBLISHABLE_KEY,
  STUB_SECRET_KEY,
  STUB_WEBHOOK_SECRET,
  type StripeStub,
} from './stripe/stub.ts';
import { createDatabase, databaseUrl, type Template } from './templates.ts';
import { patience } from './patience.ts';
import { findRows } from './rows.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-live-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function copyOf(template: Template | 'template0'): Promise<string> {
  const name = `live_${randomUUID().replaceAll('-', '')}`;
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, name, template);
  await maintenance.destroy();
  return databaseUrl(inject('clusterUrl'), name);
}

describe('a server in the live profile', () => {
  let server: ServerProcess;
  let owner: Database;
  let said = '';
  beforeAll(async () => {
    const url = await copyOf('template0');
    server = await startServer({
      DATA_DIR: dataDir,
      PROFILE: 'live',
      DATABASE_URL: url,
      DATA_KEYS: randomBytes(32).toString('hex'),
      SECRET_KEY: randomBytes(32).toString('hex'),
      TRUSTED_HOPS: '1',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Desk <desk@example.com>',
      PUBLIC_URL: 'https://portal.example.com',
      OPERATOR_EMAIL: 'owner@example.com',
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: 'sk_live_none',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_none',
      STRIPE_WEBHOOK_SECRET: 'whsec_none',
    });
    server.process.stdout?.on('data', (part: Buffer) => (said += part.toString()));
    owner = openOwnerDatabase(url);
  });
  afterAll(async () => {
    await endServer(server, 'SIGTERM');
    await owner.destroy();
  });

  // asvs 6.3.2, 13.2.3
  test('has no demo world, and no key of its own making', async () => {
    expect(await findRows(owner, 'corporations', 'id')).toEqual([]);
    expect(await findRows(owner, 'users', 'id')).toEqual([]);
    expect(await readdir(dataDir)).not.toContain('secret.key');
    expect(said).not.toContain(DEMO_PASSWORD);
  });

  // asvs 13.4.2, 15.2.3
  test('has no mailbox', async () => {
    expect((await fetch(`${server.url}/api/dev/mailbox`)).status).toBe(404);
    expect(await (await fetch(`${server.url}/mailbox`)).text()).not.toMatch(/<h1>Mailbox/i);
  });

  test('accepts Stripe’s events, and none that is not signed', async () => {
    const unsigned = await fetch(`${server.url}/api/webhooks/stripe`, {
      method: 'POST',
      body: '{}',
    });
    expect(unsigned.status).toBe(400);
  });
});

test('a server with an incomplete live profile does not start, and lists all that is missing', async () => {
  const { code, said } = await refuseToStart({
    DATA_DIR: dataDir,
    PROFILE: 'live',
    FAILPOINT: 'after-tx1',
  });
  expect(code).toBe(1);
  expect(said).toMatch(/^Gatehouse cannot start: The environment cannot be used\. [^\n]*\n$/);
  for (const name of ['DATABASE_URL', 'SMTP_URL', 'OPERATOR_EMAIL', 'PAYMENTS=stripe', 'FAILPOINT'])
    expect(said).toContain(name);
});

test('it lists the faults of the database and the data folder as well', async () => {
  const { code, said } = await refuseToStart({
    DATA_DIR: '/dev/null/data',
    PROFILE: 'live',
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
  });
  expect(code).toBe(1);
  expect(said).toContain('The live profile needs SMTP_URL.');
  expect(said).toContain(
    'The database that DATABASE_URL names cannot be used: connect ECONNREFUSED 127.0.0.1:9.',
  );
  expect(said).toContain('Photos cannot be stored in /dev/null/data/files (ENOTDIR)');
});

describe('a server with Stripe in its test mode', () => {
  let stub: StripeStub;
  let server: ServerProcess;
  let owner: Database;
  beforeAll(async () => {
    stub = await openStripeStub();
    const url = await copyOf('demo_template');
    owner = openOwnerDatabase(url);
    server = await startServer({
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      DATA_KEYS: TEST_DATA_KEYS,
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: STUB_SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: STUB_PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: STUB_WEBHOOK_SECRET,
      STRIPE_API_URL: stub.url,
    });
    stub.sendEventsTo(`${server.url}/api/webhooks/stripe`);
  });
  afterAll(async () => {
    await endServer(server, 'SIGTERM');
    await owner.destroy();
    await stub.close();
  });

  test('accepts a bank debit, and learns from Stripe’s event that the bank has paid', async () => {
    const call = async (method: string, path: string, body?: object, token = '') => {
      const answer = await fetch(`${server.url}/api${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(token !== '' && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      expect(answer.status).toBe(200);
      return answer.json();
    };
    const prefix = '/corporations/ANCHOR/locations/TXDFW03';
    const { token, tenants } = (await call('POST', '/users/login', {
      username: 'dana@example.com',
      password: DEMO_PASSWORD,
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
    })) as { token: string; tenants: { id: string }[] };
    const base = `${prefix}/tenants/${tenants[0]!.id}`;
    const ledgers = (await call('GET', `${base}/ledgers`, undefined, token)) as {
      id: string;
      unitId: string;
      balance: number;
    }[];
    const { id, unitId, balance } = ledgers.find((ledger) => ledger.balance > 0)!;
    const payments = [{ ledgerId: id, unitId, amount: balance }];
    const paymentToken = stub.confirmationToken('pm_usBankAccount_success');
    const receipt = await call(
      'POST',
      `${base}/payments`,
      { payments, ach: { paymentToken } },
      token,
    );
    expect(receipt).toMatchObject({ status: 'pending' });
    await stub.settle();
    await stub.delivered();
    await vi.waitFor(
      async () => {
        const intent = await owner
          .selectFrom('payment_intents')
          .select('state')
          .orderBy('created_at', 'desc')
          .executeTakeFirstOrThrow();
        expect(intent.state).toBe('settled');
        const events = await findRows(owner, 'gateway_events', ['type', 'state']);
        expect(events).toContainEqual({ type: 'payment_intent.succeeded', state: 'done' });
      },
      { ...patience, interval: 200 },
    );
  });
});
