import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import type { PaymentGateway } from '#adapters/payments/gateway.ts';
import { moveOutOf } from '#features/rentals/rentals/move-out.ts';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  postCharges,
  postPastPayments,
} from '#seeds/builders.ts';
import { fromNow, testClock, testClockShift } from '#test/test-day.ts';
import { staffCall } from './staff-call.ts';
import { type TestApp, useTestApp } from './app.ts';
import { expectSoundBooks } from './books.ts';
import { childEnvironment } from './child-environment.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { untilLockWait } from './lock-wait.ts';
import { patience } from './patience.ts';
import { endServer, startServer } from './server-process.ts';
import { databaseUrl } from './templates.ts';
import { findRows, getRow } from './rows.ts';

const DAY_MS = 86_400_000;

let settings: Record<string, string>;
let rental: { facilityId: string; ledgerId: string; email: string; intentId: string };
const today = calendarDateIn('America/Chicago', testClock.now());

/**
 * The payment gateway for what is killed: the sandbox's in the process of the tests, by the
 * simulator's protocol.
 */
const gateway = createServer((request, response) => void answer(request, response));
type RefundRequest = Parameters<PaymentGateway['refund']>[0];
type Moment = 'asked' | 'refunded';
/** Comes in between at a moment of a refund; answers whether who asks for it was killed. */
let comeBetween: (moment: Moment) => Promise<boolean>;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/refunds') {
    response.end('[]');
    return;
  }
  const refund = (await json(request)) as Omit<RefundRequest, 'where'>;
  if (await comeBetween('asked')) return;
  const refunded = await api.ctx.gateway.refund({
    ...refund,
    where: { customer: null, since: testClock.now() },
  });
  if (await comeBetween('refunded')) return;
  response.end(JSON.stringify(refunded));
}

const api = useTestApp('empty_template');
beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const rows = await api.sql<{ name: string }>`SELECT current_database() AS name`;
  settings = {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'gatehouse-move-out-')),
    DATA_KEYS: TEST_DATA_KEYS,
    DATABASE_URL: databaseUrl(inject('clusterUrl'), rows[0]!.name),
    PAYMENTS: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
  };
});
afterAll(async () => {
  gateway.close();
  gateway.closeAllConnections();
  await rm(settings['DATA_DIR']!, { recursive: true, force: true });
});

/** A rental on autopay whose rent and deposit of $50 were paid by one card. */
beforeEach(async () => {
  comeBetween = () => Promise.resolve(false);
  const location_code = randomUUID().slice(0, 8);
  const facility_id = await makeFacility(api.owner, {
    location_code,
  });
  const email = `${location_code}@example.com`;
  const tenantId = await makeTenant(api.owner, { facility_id, email });
  const dueOn = addDays(today, -6);
  const terms = { tenant_id: tenantId, unit: { facility_id }, moved_in_on: dueOn };
  const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, terms);
  const [rent, deposit] = await postCharges(api.owner, ledgerId, [
    {
      category: 'rent',
      description: 'Rent',
      dueOn,
      periodEnd: addDays(dueOn, 29),
      priceCents: 20_000,
    },
    { category: 'deposit', description: 'Deposit', dueOn, priceCents: 5000 },
  ]);
  const charges = [
    { id: rent!, cents: 20_000 },
    { id: deposit!, cents: 5000 },
  ];
  await postPastPayments(api.owner, [{ tenantId, ledgerId, paidOn: dueOn, charges }]);
  await makeAutopay(
    api.owner,
    ledgerId,
    await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: tenantId }),
    api.ctx.clock.now(),
  );
  const { intent_id: intentId } = await getRow(api.owner, 'payments', 'intent_id', {
    ledger_id: ledgerId,
  });
  rental = { facilityId: facility_id, ledgerId, email, intentId };
});

const run = (file: string, ...args: string[]) =>
  spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    env: { ...childEnvironment, ...settings, CLOCK_SHIFT_MS: String(testClockShift()) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
const gone = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? child.exitCode;
};
const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await gone(child);
};
const lock = (trx: TestApp['owner'], table: 'ledgers' | 'autopays', column: 'id' | 'ledger_id') =>
  sql`SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${rental.ledgerId} FOR UPDATE`.execute(
    trx,
  );

/** Each starts the process and kills it at its moment. */
const moments: Record<string, (start: () => ChildProcess) => Promise<ChildProcess>> = {
  'while it is settled': (start) =>
    api.owner.transaction().execute(async (trx) => {
      // Autopay ends after the deposit was given back and before the statement is queued.
      await lock(trx, 'autopays', 'ledger_id');
      const child = start();
      await untilLockWait(api.ctx.db);
      await kill(child);
      return child;
    }),
  'before the gateway has refunded': (start) => killAt('asked', start),
  'before the gateway has answered': (start) => killAt('refunded', start),
  async 'before the refund is posted'(start) {
    const child = start();
    const { promise: killing, resolve } = Promise.withResolvers<unknown>();
    comeBetween = async (moment) => {
      if (moment === 'asked') return false;
      const { promise: isLocked, resolve: locked } = Promise.withResolvers<boolean>();
      resolve(
        api.owner.transaction().execute(async (trx) => {
          await lock(trx, 'ledgers', 'id');
          locked(true);
          await untilLockWait(api.ctx.db);
          await kill(child);
        }),
      );
      await isLocked;
      return false;
    };
    await gone(child);
    await killing;
    return child;
  },
};

async function killAt(moment: Moment, start: () => ChildProcess): Promise<ChildProcess> {
  const child = start();
  comeBetween = async (now) => {
    if (now === moment) await kill(child);
    return now === moment;
  };
  await gone(child);
  return child;
}

/**
 * What became of the move-out: a refund at the gateway and here, the deposit given back, one
 * statement, no debt.
 */
async function expectSettledOnce(): Promise<void> {
  const { ledgerId, email, intentId } = rental;
  const rows = await api.sql`
    SELECT (SELECT json_agg(amount_cents) FROM sandbox_gateway.refunds
        WHERE charge_reference = ${intentId}) AS "atGateway",
      (SELECT json_agg(json_build_object('state', state, 'cents', posted_cents)) FROM refunds
        WHERE intent_id = ${intentId}) AS refunds,
      (SELECT array_agg(kind ORDER BY position) FROM entries WHERE ledger_id = l.id) AS entries,
      (SELECT count(*)::int FROM mails WHERE to_address = ${email} AND subject LIKE 'Final statement%') AS statements,
      (SELECT active FROM autopays WHERE ledger_id = l.id) AS "isOnAutopay", l.balance_cents AS "balanceCents"
    FROM ledgers l WHERE l.id = ${ledgerId}`;
  expect(rows).toEqual([
    {
      atGateway: [5000],
      refunds: [{ state: 'succeeded', cents: 5000 }],
      entries: ['charge', 'charge', 'payment', 'credit', 'reversal'],
      statements: 1,
      isOnAutopay: false,
      balanceCents: 0,
    },
  ]);
  await expectSoundBooks(api.owner);
}

test.each(Object.entries(moments))(
  'a move-out by staff that is killed %s is settled once by the same command under its key',
  async (_, killedAt) => {
    const key = randomUUID();
    const command = [
      'rentals',
      'move-out',
      '--ledger',
      rental.ledgerId,
      '--on',
      today,
      '--key',
      key,
    ];
    const start = () => run('../src/operator/cli/main.ts', ...command);
    expect((await killedAt(start)).signalCode).toBe('SIGKILL');
    comeBetween = () => Promise.resolve(false);
    expect(await gone(start())).toBe(0);
    await expectSettledOnce();
  },
);

test.each(Object.entries(moments))(
  'a move-out on its day that is killed %s is settled once by the next run and the server',
  async (_, killedAt) => {
    const yesterday = { now: () => fromNow(-DAY_MS) };
    const call = staffCall();
    await moveOutOf({ ...api.ctx, clock: yesterday }, call, {
      ledgerId: rental.ledgerId,
      on: today,
    });
    const start = () => run('facility-day-process.ts', rental.facilityId, today);
    expect((await killedAt(start)).signalCode).toBe('SIGKILL');
    comeBetween = () => Promise.resolve(false);
    expect(await gone(start())).toBe(0);
    // As long ago as a refund whose answer was lost is asked for again.
    await api.sql`UPDATE refunds SET created_at = created_at - interval '1 minute' WHERE intent_id = ${rental.intentId}`;
    const server = await startServer(settings);
    const open = () => findRows(api.owner, 'refunds', 'id', { state: 'submitted' });
    await vi.waitFor(async () => expect(await open()).toEqual([]), patience);
    await endServer(server, 'SIGTERM');
    await expectSettledOnce();
  },
);
