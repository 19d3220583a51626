import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { FinalSums } from '#db/tables.ts';
import { finalStatementEmail } from '#emails/final-statement.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { endMovedOut } from '#features/money/autopay/moved-out.ts';
import { renewSharedCodes } from '#features/service/gate-access/codes.ts';
import { post, type OpenCredit, waiverOf } from '#features/base/ledgers/books.ts';
import { lockBooks, postLocked, readChargesWhere } from '#features/base/ledgers/postings.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { beginRefund, isAtGateway } from '#features/money/payments/refunds.ts';
import { lockCapture, refundableOf } from '#features/money/payments/take-back.ts';
import { settle } from './settlement.ts';

/**
 * What a move-out came to, in cents; `refunds` are rows that the gateway is still to be asked for.
 */
export type Settlement = {
  lines: { description: string; cents: number }[];
  balanceCents: number;
  refunds: { refundId: string; receiptNumber: string; cents: number }[];
  byHandCents: number;
};

/**
 * What a move-out waits for: a `payment` or `refund` of the ledger that is being confirmed, the
 * `billing` of the days before it (a bill that came later would not be prorated), or a `bank debit`
 * of the ledger that is pending: its money is not there to refund.
 */
export type Waiting = 'payment' | 'refund' | 'billing' | 'bank debit';

type Rental = {
  ledgerId: string;
  movedOutOn: string;
  credit: 'refund' | 'keep';
  prorates: boolean;
  hasOpenPayment: boolean;
  hasOpenRefund: boolean;
  hasUnbilledDays: boolean;
  hasPendingDebit: boolean;
  facilityId: string;
  timeZone: string;
  facilityName: string;
  facilityPhone: string | null;
  unitName: string;
  tenantId: string;
  firstName: string;
  email: string;
};

/**
 * Settles a rental on its move-out day, in the transaction given: posts what `settle` gives back,
 * ends autopay, changes the gate code where another tenant has the same, mails the final statement
 * and writes the refunds' rows. Idempotent: returns null if there is nothing to settle, or what the
 * settlement waits for.
 */
export async function settleRental(
  ctx: Context,
  trx: DatabaseTransaction,
  ledgerId: string,
  { isPreview = false } = {},
): Promise<Settlement | Waiting | null> {
  const now = ctx.clock.now();
  // Locked before the move-out is read: of two at once the second finds it settled.
  await lockWithSiblings(trx, ledgerId);
  const [books] = await lockBooks(trx, [ledgerId]);
  const rental = await findRental(trx, ledgerId);
  if (books === undefined || rental === undefined) return null;
  if (rental.hasOpenPayment) return 'payment';
  if (rental.hasOpenRefund) return 'refund';
  if (rental.hasUnbilledDays) return 'billing';
  if (rental.hasPendingDebit) return 'bank debit';
  const settled = settle(
    await readChargesWhere(trx, ledgerId, sql<boolean>`true`),
    rental.movedOutOn,
    rental.prorates,
  );
  const waivers = settled.map(({ charge, cents, description }) =>
    waiverOf(charge, cents, description),
  );
  const { posting, after } = post(books, waivers);
  const at = { instant: now, dayOf: () => calendarDateIn(rental.timeZone, now) };
  if (waivers.length > 0) await postLocked(trx, at, [posting]);
  await endMovedOut(trx, now, sql<boolean>`l.id = ${ledgerId}`);
  await renewSharedCodes(ctx, trx, rental);
  const refunds =
    rental.credit === 'refund'
      ? await refundCredits(ctx, trx, rental, after.credits, isPreview)
      : [];
  const refundedCents = sumOf(refunds);
  const isRefunded = rental.credit === 'refund';
  const settlement = {
    lines: settled.map(({ description, cents }) => ({ description, cents: -cents })),
    balanceCents: posting.balanceCents,
    refunds,
    byHandCents: isRefunded ? Math.max(0, -posting.balanceCents) - refundedCents : 0,
  };
  const statement = {
    beforeCents: books.balanceCents,
    lines: settlement.lines,
    balanceCents: settlement.balanceCents,
    refundedCents,
    byHandCents: settlement.byHandCents,
  };
  await trx
    .updateTable('move_outs')
    .set({ settled_at: now, statement: JSON.stringify(statement) })
    .where('ledger_id', '=', ledgerId)
    .execute();
  await mailStatement(ctx, trx, rental, statement);
  return settlement;
}

/**
 * Locks a ledger with all that were ever paid together with it, which a refund locks too, in id
 * order.
 */
export async function lockWithSiblings(trx: DatabaseTransaction, ledgerId: string): Promise<void> {
  await sql`
    SELECT FROM ledgers WHERE id = ${ledgerId} OR id IN (
      SELECT part.ledger_id FROM payments own JOIN payments part ON part.intent_id = own.intent_id
      WHERE own.ledger_id = ${ledgerId})
    ORDER BY id FOR NO KEY UPDATE`.execute(trx);
}

/** Raises an alarm for staff of what of a credit no gateway can give back. */
export async function raiseByHand(
  ctx: Context,
  trx: DatabaseTransaction,
  ledgerId: string,
  cents: number,
) {
  if (cents === 0) return;
  const { facilityId, unitName, movedOutOn } = await getPlace(trx, ledgerId);
  const sum = formatMoney(toDollars(cents));
  await raiseAlarm(ctx, trx, {
    kind: 'move_out_credit',
    key: `move_out_credit:${ledgerId}`,
    facilityId,
    sentence: `Unit ${unitName} was moved out of on ${movedOutOn} with a credit of ${sum} that no gateway can give back: pay it out by check or cash (credits pay-out).`,
    facts: { ledgerId, cents },
  });
}

const waitingWords: Record<Waiting, string> = {
  payment: 'a payment that is being confirmed',
  refund: 'a refund that is being confirmed',
  billing: 'the bill of the days before',
  'bank debit': 'a bank debit that has not settled',
};

/** Raises an alarm for staff, once, of a move-out that waits for too long. */
export async function raiseWaiting(
  ctx: Context,
  trx: DatabaseTransaction,
  ledgerId: string,
  waitsFor: Waiting,
) {
  const { facilityId, facilityName, unitName, movedOutOn } = await getPlace(trx, ledgerId);
  const { rows: pending } = await sql<{ receipt: string }>`
    SELECT i.receipt_number AS receipt FROM payments p JOIN payment_intents i ON i.id = p.intent_id
    WHERE p.ledger_id = ${ledgerId} AND i.state = 'pending' ORDER BY i.receipt_number`.execute(trx);
  await raiseAlarm(ctx, trx, {
    kind: 'move_out_waiting',
    key: `move_out_waiting:${ledgerId}`,
    facilityId,
    sentence: `Unit ${unitName} of ${facilityName} was moved out of on ${movedOutOn} and is not settled: it waits for ${waitingWords[waitsFor]}.`,
    facts: { ledgerId, waitsFor, receipts: pending.map(({ receipt }) => receipt) },
  });
}

async function findRental(trx: DatabaseTransaction, ledgerId: string): Promise<Rental | undefined> {
  const { rows } = await sql<Rental>`
    SELECT l.id AS "ledgerId", l.moved_out_on AS "movedOutOn", m.credit, f.move_out_proration AS prorates,
      EXISTS (SELECT FROM payment_intent_ledgers p WHERE p.ledger_id = l.id AND p.state IN ('submitted', 'unknown'))
        AS "hasOpenPayment",
      EXISTS (SELECT FROM payments p JOIN refunds r ON r.intent_id = p.intent_id
        WHERE p.ledger_id = l.id AND r.state = 'submitted') AS "hasOpenRefund",
      l.billed_through < l.moved_out_on - 1 AS "hasUnbilledDays",
      EXISTS (SELECT FROM payments p JOIN payment_intents i ON i.id = p.intent_id
        WHERE p.ledger_id = l.id AND i.state = 'pending') AS "hasPendingDebit",
      f.id AS "facilityId", f.time_zone AS "timeZone", f.name AS "facilityName", f.phone AS "facilityPhone",
      u.name AS "unitName", t.id AS "tenantId", t.first_name AS "firstName", t.email
    FROM move_outs m
    JOIN ledgers l ON l.id = m.ledger_id AND l.moved_out_on IS NOT NULL
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    JOIN tenants t ON t.id = l.tenant_id
    WHERE m.ledger_id = ${ledgerId} AND m.settled_at IS NULL`.execute(trx);
  return rows[0];
}

/** The refunds' rows of the credits that are left of payments which the gateway took. */
async function refundCredits(
  ctx: Context,
  trx: DatabaseTransaction,
  { unitName, movedOutOn }: Rental,
  credits: OpenCredit[],
  isPreview: boolean,
): Promise<Settlement['refunds']> {
  if (credits.length === 0) return [];
  const { rows: payments } = await sql<{ id: string; intentId: string; receiptNumber: string }>`
    SELECT p.entry_id AS id, p.intent_id AS "intentId", p.receipt_number AS "receiptNumber" FROM payments p
    WHERE p.entry_id = ANY(${credits.map(({ id }) => id)}::uuid[])
    ORDER BY p.receipt_number`.execute(trx);
  const refunds: Settlement['refunds'] = [];
  for (const { id, intentId, receiptNumber } of payments) {
    const capture = await lockCapture(trx, intentId);
    if (capture === undefined || !isAtGateway(capture)) continue;
    const { leftCents } = credits.find((credit) => credit.id === id)!;
    const cents = Math.min(leftCents, refundableOf(capture, id));
    if (cents === 0) continue;
    const reason = `move-out of unit ${unitName} on ${formatDate(movedOutOn)}`;
    const refund = await beginRefund(ctx, trx, capture, {
      paymentEntryId: id,
      cents,
      reason,
      isPreview,
    });
    refunds.push({ refundId: refund.id, receiptNumber, cents });
  }
  return refunds;
}

async function mailStatement(
  ctx: Context,
  trx: DatabaseTransaction,
  { email: to, tenantId, facilityName: name, facilityPhone: phone, ...facts }: Rental,
  statement: FinalSums,
): Promise<void> {
  await queueMail(ctx, trx, {
    to,
    kind: 'legal',
    tenantId,
    email: () => finalStatementEmail({ ...facts, name, phone, ...statement }),
  });
}

async function getPlace(db: Database, ledgerId: string) {
  return db
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .innerJoin('facilities', 'facilities.id', 'units.facility_id')
    .select([
      'units.facility_id as facilityId',
      'facilities.name as facilityName',
      'units.name as unitName',
    ])
    .select('ledgers.moved_out_on as movedOutOn')
    .where('ledgers.id', '=', ledgerId)
    .executeTakeFirstOrThrow();
}

function sumOf(refunds: Settlement['refunds']): number {
  return refunds.reduce((sum, { cents }) => sum + cents, 0);
}
