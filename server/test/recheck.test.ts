import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { AbortedTransactionError, sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PaymentGateway } from '#adapters/payments/gateway.ts';
import { reaching, unchecked, type Database } from '#db/database.ts';
import { lockStaff } from '#features/people/staff/names.ts';
import { recheckOf, type Caller } from '#http/guard.ts';
import { hashToken } from '#http/token.ts';
import { useTestApp, signIn, type SignedIn } from './app.ts';
import { expectSoundBooks } from './books.ts';
import { card } from './card.ts';
import { untilLockWait } from './lock-wait.ts';
import { callOffice, signInStaff } from './office.ts';
import { patience } from './patience.ts';
import { changeRows, getRow } from './rows.ts';
import { sumOfTables } from './sum-of-tables.ts';
import { tripsOf } from './round-trips.ts';

const api = useTestApp('demo_template');
let dana: SignedIn;
beforeEach(async () => {
  dana = await signIn(api, 'dana@example.com');
});

const deadlocks = async () =>
  (
    await api.sql<{ deadlocks: number }>`
    SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`
  )[0]!.deadlocks;
const sessionOf = ({ token }: SignedIn) => hashToken(token);
const endSession = (of: SignedIn, db: Database = api.owner) =>
  db.deleteFrom('sessions').where('token_hash', '=', sessionOf(of)).execute();
const choose = (language: string, { token }: SignedIn = dana) =>
  api.call('POST', '/users/language', { token, body: { language } });
const languageOf = async () =>
  (await getRow(api.owner, 'users', 'language', { email: 'dana@example.com' })).language;

/** The database as a handler of Dana's gets it. */
async function ownDatabase(): Promise<Database> {
  const { user_id: userId } = await getRow(api.owner, 'sessions', 'user_id', {
    token_hash: sessionOf(dana),
  });
  const reach = { userId, tenantIds: dana.tenantIds, ledgerIds: [] };
  // The recheck asks for the session only.
  return reaching(api.ctx.db, reach, recheckOf({ tokenHash: sessionOf(dana) } as Caller));
}

describe('what the guard found', () => {
  test('is locked until the commit: a write that waits for a logout is refused', async () => {
    await api.sql`UPDATE users SET language = 'en' WHERE email = 'dana@example.com'`;
    const { owner } = api;
    let answer: ReturnType<typeof choose> | undefined;
    await owner.transaction().execute(async (trx) => {
      await endSession(dana, trx);
      answer = choose('es');
      await untilLockWait(trx);
    });
    const { status, body } = await answer!;
    expect([status, body.message]).toEqual([401, 'Your session has ended. Please sign in again.']);
    expect(await languageOf()).toBe('en');
  });

  test('is checked with the commit, which takes no round trip of its own', async () => {
    const own = await ownDatabase();
    const write = (db: Database) => changeRows(db, 'users', { language: 'en' });
    await write(own);
    const alone = await tripsOf(() => write(own));
    const together = await tripsOf(() => own.transaction().execute((trx) => write(trx)));
    expect([alone, together]).toEqual([1, 2]);
  });

  test('is not asked by what only reads, which the database then enforces', async () => {
    const own = await ownDatabase();
    await endSession(dana);
    const read = sql<{ mode: string }>`SELECT current_setting('transaction_read_only') AS mode`;
    expect((await read.execute(own)).rows).toEqual([{ mode: 'on' }]);
    await own.transaction().execute((trx) => read.execute(trx));
    await expect(sql`SELECT nextval('receipt_numbers')`.execute(own)).rejects.toMatchObject({
      code: '25006',
    });
  });

  test('does not hide that a statement of the transaction has failed', async () => {
    const own = await ownDatabase();
    const failing = own.transaction().execute(async (trx) => {
      await changeRows(trx, 'users', { language: 'es' });
      await sql`SELECT 1 / ${0}::int`.execute(trx).catch(() => {});
    });
    await expect(failing).rejects.toBeInstanceOf(AbortedTransactionError);
    await endSession(dana);
    await expect(changeRows(own, 'users', { language: 'es' })).rejects.toMatchObject({
      status: 401,
    });
    expect(await languageOf()).not.toBe('es');
    // The connection is as good as before.
    await unchecked(own).updateTable('users').set({ language: 'en' }).execute();
  });

  test('of a sign-out is the session itself: of two at once one is too late, and neither waits for a deadlock', async () => {
    const before = await deadlocks();
    const logouts = await Promise.all(
      [1, 2].map(() => api.call('POST', '/users/logout', { token: dana.token, body: {} })),
    );
    expect(logouts.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const as = await signInStaff(api, 'clerk');
    const signOuts = await Promise.all(
      [1, 2].map(() => callOffice(api, 'POST', '/office/sign-out', { as })),
    );
    expect(signOuts.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(await deadlocks()).toBe(before);
  });
});

describe('a charge that was sent', () => {
  /** Ends all sessions while the gateway works. */
  function revokeAt(name: 'charge' | 'refund'): void {
    const { gateway } = api.ctx;
    const ending = Object.create(gateway) as PaymentGateway;
    Object.assign(ending, {
      [name]: async (...given: unknown[]) => {
        const answer: unknown = await Reflect.apply(gateway[name], gateway, given);
        await api.sql`DELETE FROM sessions`;
        await api.sql`DELETE FROM staff_sessions`;
        return answer;
      },
    });
    api.ctx.gateway = ending;
    onTestFinished(() => {
      api.ctx.gateway = gateway;
    });
  }

  /** Dana pays by card what a rental owes. */
  async function payOwed() {
    const tenantId = dana.tenantIds[0]!;
    const [owing] = await api.sql<{ ledgerId: string; unitId: string; cents: number }>`
      SELECT id AS "ledgerId", unit_id AS "unitId", balance_cents AS cents FROM ledgers
      WHERE tenant_id = ${tenantId} AND balance_cents > 0 AND moved_out_on IS NULL`;
    const { cents, ...line } = owing!;
    const payment = { payments: [{ ...line, amount: cents / 100 }], creditCard: card };
    const paid = await api.call('POST', `${dana.prefix}/tenants/${tenantId}/payments`, {
      token: dana.token,
      body: payment,
    });
    return { paid, cents, line };
  }

  test('is posted and answered, and a refund as well, also where the session ends meanwhile', async () => {
    revokeAt('charge');
    const { paid, cents, line } = await payOwed();
    expect([paid.status, paid.body.message]).toEqual([200, undefined]);
    expect(await api.sql`SELECT token_hash FROM sessions`).toEqual([]);
    const balance = () => getRow(api.owner, 'ledgers', 'balance_cents', { id: line.ledgerId });
    expect((await balance()).balance_cents).toBe(0);

    revokeAt('refund');
    const as = await signInStaff(api, 'manager');
    const { receiptNumber } = paid.body.payments?.[0] ?? paid.body;
    const refunded = await callOffice(api, 'POST', officeVerbs['payments.refund'].path, {
      as,
      body: { receiptNumber, key: randomUUID(), why: 'asked', isPreview: false },
    });
    expect([refunded.status, refunded.body.status]).toEqual([200, 'refunded']);
    expect((await balance()).balance_cents).toBe(cents);
    await expectSoundBooks(api.owner);
  });

  test('back by a move-out is posted and answered in the same way', async () => {
    const { line } = await payOwed();
    revokeAt('refund');
    const as = await signInStaff(api, 'manager');
    const on = addDays(calendarDateIn('America/Chicago', api.ctx.clock.now()), -30);
    const { status, body } = await callOffice(api, 'POST', officeVerbs['rentals.moveOut'].path, {
      as,
      body: { ledgerId: line.ledgerId, on, key: randomUUID(), why: 'asked', isPreview: false },
    });
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body.refunds).toEqual([expect.objectContaining({ status: 'refunded' })]);
    await expectSoundBooks(api.owner);
  });
});

describe('members of staff', () => {
  /** A further owner, in a session. */
  async function makeOwner(name: string): Promise<{ id: string; as: string }> {
    const email = `${name}@anchor-axle.example`;
    const [row] = await api.sql<{ id: string }>`
      INSERT INTO staff_members (corporation_id, email, name, role, is_for_all, password_hash, created_at)
      SELECT corporation_id, ${email}, ${name}, 'owner', true, 'none', created_at
      FROM staff_members WHERE email = 'owner@anchor-axle.example' RETURNING id`;
    return { id: row!.id, as: await signInStaff(api, { email }) };
  }
  const change = (staffId: string, role: string, as: string) =>
    callOffice(api, 'PATCH', `/office/staff/${staffId}`, {
      as,
      body: { role, isForAllFacilities: true, locationCodes: [], why: 'test', isPreview: false },
    });

  test('whose role is lowered while they write are refused, and may lower their own', async () => {
    const [ana, ben] = [await makeOwner('Ana'), await makeOwner('Ben')];
    const before = await sumOfTables(api.owner);
    let answer: ReturnType<typeof change> | undefined;
    await api.ctx.db.transaction().execute(async (trx) => {
      await sql`UPDATE staff_members SET role = 'manager' WHERE id = ${ana.id}`.execute(trx);
      answer = change(ben.id, 'manager', ana.as);
      await untilLockWait(trx);
    });
    const { status, body } = await answer!;
    expect([status, body.message]).toEqual([
      403,
      'Your role has changed. Please load the page again.',
    ]);
    await api.sql`UPDATE staff_members SET role = 'owner' WHERE id = ${ana.id}`;
    expect(await sumOfTables(api.owner)).toEqual(before);
    expect((await change(ana.id, 'manager', ana.as)).status).toBe(200);
  });

  test('whose role another owner lowers while they change their own are refused, and no deadlock decides it', async () => {
    const eve = await makeOwner('Eve');
    let answer: ReturnType<typeof change> | undefined;
    await api.ctx.db.transaction().execute(async (trx) => {
      await lockStaff(trx);
      answer = change(eve.id, 'manager', eve.as);
      await untilLockWait(trx);
      await sql`UPDATE staff_members SET role = 'clerk' WHERE id = ${eve.id}`.execute(trx);
    });
    expect((await answer!).status).toBe(403);
  });

  test('of two owners who disable each other at once one is disabled, and no deadlock decides it', async () => {
    const [one, other] = [await makeOwner('Cal'), await makeOwner('Dee')];
    const disable = (staffId: string, as: string) =>
      callOffice(api, 'POST', `/office/staff/${staffId}`, {
        as,
        body: { action: 'disable', why: 'test', isPreview: false },
      });
    const before = await deadlocks();
    const answers = await Promise.all([disable(one.id, other.as), disable(other.id, one.as)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(await deadlocks()).toBe(before);
  });
});

describe('a shared connection', () => {
  test('never runs a statement with the reach of another, however the statements before it ended', async () => {
    const tenants = await api.sql<{ id: string; ledgerIds: string[] }>`
      SELECT t.id, array_agg(l.id) AS "ledgerIds" FROM tenants t JOIN ledgers l ON l.tenant_id = t.id
      GROUP BY t.id ORDER BY t.id`;
    expect(tenants.length).toBeGreaterThan(5);
    const seen = async (db: Database) =>
      (await sql<{ id: string }>`SELECT id FROM tenants`.execute(db)).rows.map(({ id }) => id);
    const divide = (db: Database) => sql`SELECT 1 / ${0}::int`.execute(db);
    /** Ways in which statements end; each answers what it saw last. */
    const ways: ((db: Database) => Promise<string[]>)[] = [
      seen,
      (db) => db.transaction().execute(seen),
      (db) =>
        divide(db).then(
          () => [],
          () => seen(db),
        ),
      // The first statement of a transaction fails.
      (db) =>
        db
          .transaction()
          .execute(divide)
          .then(
            () => [],
            () => seen(db),
          ),
      // A later one does, and others are sent behind it.
      (db) =>
        db
          .transaction()
          .execute((trx) => Promise.all([seen(trx), divide(trx), seen(trx)]))
          .then(
            () => [],
            () => seen(db),
          ),
      // One is cancelled while it runs.
      (db) =>
        sql`SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(60)`.execute(db).then(
          () => [],
          () => seen(db),
        ),
    ];
    const seenBy = await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const { id, ledgerIds } = tenants[index % tenants.length]!;
        const reach = { userId: randomUUID(), tenantIds: [id], ledgerIds };
        return [id, ...(await ways[index % ways.length]!(reaching(api.ctx.db, reach)))];
      }),
    );
    expect(seenBy).toEqual(seenBy.map(([id]) => [id, id]));
    const { rows } = await sql<{ role: string }>`SELECT current_user AS role`.execute(api.ctx.db);
    expect(rows).toEqual([{ role: 'gatehouse_work' }]);
    await vi.waitFor(async () => {
      const open = await api.sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
      expect(open).toEqual([]);
    }, patience);
  });
});
