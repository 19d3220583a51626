import { randomUUID } from 'node:crypto';
import type { PaymentReceipt } from '@gatehouse/contract/payments';
import { postPastPayments } from '@gatehouse/server/src/seeds/builders.ts';
import type { Tables } from '@gatehouse/server/src/db/tables.ts';
import { fromNow, testClock } from '@gatehouse/server/test/test-day.ts';
import { sql, type ControlledTransaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { holds } from './proof.ts';
import type { JournalLine } from './simulator/journal.ts';
import { checkInvariants, checkPayments, type Evidence } from './checker.ts';
import { startCluster, type Cluster, type NewDatabase } from './cluster.ts';
import { checkStaffActions } from './staff-checker.ts';
import { makeWorld, type Payer } from './world.ts';
import { changeRows, getRow } from '@gatehouse/server/test/rows.ts';

const OWED = 20_000;

/**
 * A checker that has never found anything proves nothing: each fault is planted and must be seen,
 * and no other.
 */
describe('the checker', () => {
  let cluster: Cluster;
  let db: NewDatabase;
  let payer: Payer;
  let planted: ControlledTransaction<Tables>;
  let evidence: Evidence;

  beforeAll(async () => {
    cluster = await startCluster();
    db = await cluster.newDatabase();
    [payer] = (await makeWorld(db.owner, { payers: 1, rentals: 1, owedCents: () => OWED })) as [
      Payer,
    ];
    const charge = await getRow(db.owner, 'open_charges', ['entry_id', 'owed_cents']);
    const charges = [{ id: charge.entry_id, cents: charge.owed_cents }];
    const past = {
      tenantId: payer.tenantId,
      ledgerId: payer.rentals[0]!.ledgerId,
      paidOn: '2026-10-02',
      charges,
    };
    await db.owner.transaction().execute((trx) => postPastPayments(trx, [past]));
    await changeRows(db.owner, 'payment_intents', { idempotency_key: 'key' });
  });
  afterAll(async () => {
    await db.close();
    await cluster.stop();
  });

  /** One payment that all three witnesses know; what a test plants is gone after it. */
  beforeEach(async () => {
    planted = await db.owner.startTransaction().execute();
    const intent = await planted
      .selectFrom('payment_intents')
      .selectAll()
      .executeTakeFirstOrThrow();
    const receipt = receiptOf(
      intent.receipt_number!,
      payer.rentals[0]!.ledgerId,
      intent.amount_cents / 100,
    );
    evidence = {
      owner: planted,
      journal: [captured(intent.id, intent.amount_cents)],
      lines: [{ kind: 'answered', order: 'payment', status: 200, receipt, message: '', at: '' }],
    };
    return () => planted.rollback().execute();
  });

  function receiptOf(receiptNumber: string, ledgerId: string, amount: number): PaymentReceipt {
    return { status: 'succeeded', receiptNumber, payments: [{ ledgerId, amount, receiptNumber }] };
  }

  function captured(reference: string, amountCents: number): JournalLine {
    const rest = {
      initiator: 'tenant',
      lastFour: '4242',
      fault: null,
      at: '',
    };
    return { kind: 'charge', reference, amountCents, outcome: 'captured', ...rest };
  }

  async function faults(): Promise<string[]> {
    return (await checkPayments(evidence))
      .filter((figure) => !holds(figure))
      .map(({ what }) => what);
  }

  test('finds nothing where the three witnesses agree', async () => {
    expect(await faults()).toEqual([]);
  });

  test('finds a payment that the gateway never captured', async () => {
    evidence.journal = [];
    expect(await faults()).toEqual(['credited without a capture of as much']);
  });

  test('finds a payment of which less was captured', async () => {
    evidence.journal = [captured((evidence.journal[0] as { reference: string }).reference, 1)];
    expect(await faults()).toEqual([
      'captured and not posted (lost)',
      'credited without a capture of as much',
    ]);
  });

  test('finds a capture that the books do not know', async () => {
    evidence.journal.push(captured(randomUUID(), 100));
    expect(await faults()).toEqual(['captured and not posted (lost)']);
  });

  test('finds a rental that owes since another day than is stored', async () => {
    await sql`UPDATE ledgers SET owed_since = '2026-10-01'`.execute(planted);
    const wrong = (await checkInvariants(planted)).filter((figure) => !holds(figure));
    expect(wrong.map(({ what }) => what)).toEqual([
      'I1 rentals that owe since another day than is stored',
    ]);
  });

  test('finds a receipt that is not in the books', async () => {
    const receipt = receiptOf('nobody', payer.rentals[0]!.ledgerId, 1);
    evidence.lines.push({
      kind: 'answered',
      order: 'other',
      status: 200,
      receipt,
      message: '',
      at: '',
    });
    expect(await faults()).toEqual(['acknowledged and not in the books (lost)']);
  });

  test('finds a receipt over another amount', async () => {
    const [line] = evidence.lines;
    if (line?.kind === 'answered') line.receipt!.payments[0]!.amount += 0.01;
    expect(await faults()).toEqual(['acknowledged and not in the books (lost)']);
  });

  test('finds a second capture under one key', async () => {
    const { rows } = await sql<{ id: string }>`
      INSERT INTO payment_intents (tenant_id, type, method_description, amount_cents, state, idempotency_key, debt_key,
        attempt, created_at, updated_at)
      SELECT tenant_id, type, method_description, amount_cents, 'never_sent', idempotency_key, debt_key, 2, ${testClock.now()}, ${testClock.now()}
      FROM payment_intents RETURNING id`.execute(planted);
    evidence.journal.push(captured(rows[0]!.id, 15_000));
    expect(await faults()).toContain('captured twice under one key (doubled)');
  });

  test('finds a second capture of one reference', async () => {
    evidence.journal.push(evidence.journal[0]!);
    expect(await faults()).toContain('captured twice under one reference (doubled)');
  });

  test('finds a payment that stays open', async () => {
    await sql`
      INSERT INTO payment_intents (tenant_id, type, method_description, amount_cents, state, debt_key, attempt, created_at,
        updated_at)
      SELECT tenant_id, type, method_description, amount_cents, 'unknown', debt_key, 2, ${testClock.now()}, ${fromNow(-3_600_000)}
      FROM payment_intents`.execute(planted);
    expect(await faults()).toEqual([
      'payments still open at the end',
      'I7 payments unknown for more than 15 minutes',
    ]);
  });

  test('finds a balance that is not the sum of its entries', async () => {
    await sql`UPDATE ledgers SET balance_cents = balance_cents - 1`.execute(planted);
    expect(await faults()).toEqual([
      'I1 balances that are not the sum of their entries',
      'I1 balances that are not open charges less open credits',
    ]);
  });

  test('finds an entry that was changed', async () => {
    await sql`UPDATE entries SET posted_on = posted_on - 1 WHERE kind = 'payment'`.execute(planted);
    expect(await faults()).toEqual(['I3 entries that were changed after they were written']);
  });

  describe('of what staff did', () => {
    const LOST = 'staff actions acknowledged and not kept (lost)';
    const UNLIKE =
      'ledgers whose balance is not each payment and each staff action once (lost or doubled)';

    /**
     * What does not hold where a clerk was answered a dollar in cash: whether it was kept, what the
     * ledger owed more before, and how far the answered balance is from the ledger's.
     */
    async function faultsOfCash({ isKept = true, moreCents = 100, offDollars = 0 } = {}) {
      const { ledgerId } = payer.rentals[0]!;
      const { balance_cents: cents } = await getRow(planted, 'ledgers', 'balance_cents', {
        id: ledgerId,
      });
      const key = randomUUID();
      const reply = {
        payments: [{ ledgerId, amount: 1 }],
        ledgers: [{ ledgerId, balance: cents / 100 + offDollars }],
      };
      if (isKept)
        await sql`
          INSERT INTO staff_actions (key, verb, request_hash, by_name, why, at, answer)
          VALUES (${key}, 'payments.record', '', 'Ana', '', ${testClock.now()}, ${JSON.stringify(reply)})`.execute(
          planted,
        );
      const answers = [{ name: 'payments.record', key, status: 200, reply } as const];
      const owed = new Map([[ledgerId, cents + moreCents]]);
      const figures = await checkStaffActions(planted, answers, owed, []);
      return figures.filter((figure) => !holds(figure)).map(({ what }) => what);
    }

    test('finds nothing where it was kept and posted once', async () => {
      expect(await faultsOfCash()).toEqual([]);
    });

    test('finds a staff action that was lost', async () => {
      expect(await faultsOfCash({ isKept: false, moreCents: 0 })).toEqual([LOST, UNLIKE]);
    });

    test('finds a staff action that was posted twice', async () => {
      expect(await faultsOfCash({ moreCents: 200 })).toEqual([UNLIKE]);
    });

    test('finds an answer with a balance that the ledger never had', async () => {
      expect(await faultsOfCash({ offDollars: 0.01 })).toEqual([
        'answers to staff with a balance that the ledger never had',
      ]);
    });
  });

  test('finds a right to change entries', async () => {
    await sql`GRANT UPDATE ON entries TO gatehouse_app`.execute(planted);
    expect(await faults()).toEqual(['I3 rights of the serving role to change or delete an entry']);
  });
});
