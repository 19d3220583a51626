import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Refunded, Where } from '#adapters/payments/gateway.ts';
import type { Context } from '#context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { doEach } from '#each.ts';
import { raiseAlarm } from '#features/alarms/alarms.ts';
import { post, type NewReversal } from '#features/ledgers/books.ts';
import { readBooksWithPayments, untilWritten, writePostings, type Gate } from '#features/ledgers/postings.ts';
import { Refusal } from '#refusal.ts';
import { UNKNOWN_MINUTES } from './intent.ts';
import { resolveAfterSeconds } from './resolve-after.ts';

/** What of which payment goes back to the tenant, in cents, and why, in words for the ledger. */
export type RefundRequest = { paymentEntryId: string; cents: number; reason: string };

/** `submitted`: the gateway did not answer; the refund is asked for again until it does. */
export type RefundAnswer = { refundId: string } & (Refunded | { outcome: 'submitted' });

/**
 * Gives back a posted payment, wholly or in part: the refund's row first, then the gateway under the refund's own
 * reference, then the reversal that opens what it had settled. Refuses with 422 more than is left of the payment or one
 * that is not there to refund or was taken elsewhere before an import, with 409 while another refund of it is under way.
 */
export async function refundPayment(ctx: Context, request: RefundRequest): Promise<RefundAnswer> {
  const refundId = await ctx.db.transaction().execute((trx) => beginRefund(ctx, trx, request));
  return { refundId, ...(await resolveRefund(ctx, refundId)) };
}

/**
 * Asks for every refund again whose first answer was lost: the gateway gives back once for a reference. Throws in the end
 * when some could not be written.
 */
export async function resolveOpenRefunds(ctx: Context): Promise<void> {
  const open = await ctx.db
    .selectFrom('refunds')
    .select('id')
    .where('state', '=', 'submitted')
    .where('created_at', '<', new Date(ctx.clock.now().getTime() - resolveAfterSeconds(ctx) * 1000))
    .execute();
  await doEach(open, { atOnce: 1, what: 'refunds could not be written' }, ({ id }) => resolveRefund(ctx, id));
}

/**
 * Writes the row of a refund in the transaction given, for `resolveRefund` to ask the gateway once it has committed; the
 * sweep asks where nobody does. Refuses as `refundPayment` does.
 */
export async function beginRefund(
  ctx: Context,
  trx: DatabaseTransaction,
  { paymentEntryId, cents, reason }: RefundRequest,
): Promise<string> {
  const now = ctx.clock.now();
  // What is left is read after the lock: a reversal that is being posted is there by then.
  await sql`
    SELECT FROM ledgers WHERE id = (SELECT ledger_id FROM entries WHERE id = ${paymentEntryId})
    FOR NO KEY UPDATE`.execute(trx);
  try {
    const { rows } = await sql<{ id: string }>`
      INSERT INTO refunds (payment_entry_id, amount_cents, state, reason, created_at, updated_at)
      SELECT p.entry_id, ${cents}::bigint, 'submitted', ${reason}::text, ${now}::timestamptz, ${now}::timestamptz
      FROM payments p
      JOIN entries e ON e.id = p.entry_id
      JOIN payment_intents i ON i.id = p.intent_id
      WHERE p.entry_id = ${paymentEntryId} AND i.state IN ('succeeded', 'pending', 'settled') AND ${cents}::bigint > 0
        AND i.initiator IN ('tenant', 'autopay')
        AND ${cents}::bigint <= -e.amount_cents - (
          SELECT coalesce(sum(r.amount_cents), 0) FROM reversals rev JOIN entries r ON r.id = rev.entry_id
          WHERE rev.payment_entry_id = p.entry_id)
      RETURNING id`.execute(trx);
    if (rows[0] === undefined) throw new Refusal(422, 'A refund must be at most what is left of a posted payment.');
    return rows[0].id;
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'one_open_refund')
      throw new Refusal(409, 'Another refund of this payment is under way.');
    throw error;
  }
}

type OpenRefund = {
  entryId: string;
  cents: number;
  reason: string;
  askedAt: Date;
  intentId: string;
  facilityId: string;
  timeZone: string;
  where: Where;
};

/** Asks the gateway for an open refund and writes its answer. Nothing where the refund is not open any more. */
export async function resolveRefund(ctx: Context, refundId: string): Promise<Refunded | { outcome: 'submitted' }> {
  const refund = await getRefund(ctx, refundId);
  const { intentId, cents, where } = refund;
  let answer: Refunded;
  try {
    answer = await ctx.gateway.refund({ reference: refundId, chargeReference: intentId, amountCents: cents, where });
  } catch (error) {
    ctx.log.warn({ err: error, refundId }, 'the gateway did not answer a refund; it will be asked again');
    await tellOfUnknown(ctx, refundId, refund);
    return { outcome: 'submitted' };
  }
  if (answer.outcome === 'failed') await markFailed(ctx, refundId);
  else await postRefund(ctx, refundId, refund);
  return answer;
}

async function tellOfUnknown(ctx: Context, refundId: string, refund: OpenRefund): Promise<void> {
  const { askedAt, intentId, facilityId, cents } = refund;
  if (ctx.clock.now().getTime() - askedAt.getTime() < UNKNOWN_MINUTES * 60_000) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'refund_unknown',
    key: `refund_unknown:${refundId}`,
    facilityId,
    sentence: `What became of a refund is not known after ${UNKNOWN_MINUTES} minutes. Look it up at the gateway.`,
    facts: { refund: refundId, intent: intentId, cents },
  });
}

async function getRefund(ctx: Context, refundId: string): Promise<OpenRefund> {
  const row = await ctx.db
    .selectFrom('refunds as refund')
    .innerJoin('payments as payment', 'payment.entry_id', 'refund.payment_entry_id')
    .innerJoin('payment_intents as intent', 'intent.id', 'payment.intent_id')
    .innerJoin('tenants as tenant', 'tenant.id', 'intent.tenant_id')
    .innerJoin('facilities as facility', 'facility.id', 'tenant.facility_id')
    .leftJoin('gateway_customers as customer', 'customer.tenant_id', 'intent.tenant_id')
    .select(['payment.entry_id as entryId', 'refund.amount_cents as cents', 'refund.reason'])
    .select('refund.created_at as askedAt')
    .select(['intent.id as intentId', 'intent.created_at as since', 'customer.customer'])
    .select(['facility.id as facilityId', 'facility.time_zone as timeZone'])
    .where('refund.id', '=', refundId)
    .executeTakeFirstOrThrow();
  const { since, customer, ...refund } = row;
  return { ...refund, where: { customer, since } };
}

async function markFailed(ctx: Context, refundId: string): Promise<void> {
  await ctx.db
    .updateTable('refunds')
    .set({ state: 'failed', updated_at: ctx.clock.now() })
    .where('id', '=', refundId)
    .where('state', '=', 'submitted')
    .execute();
}

/** The reversal of a refund that the gateway has made, once; never more than is left, since a return may have come between. */
async function postRefund(ctx: Context, refundId: string, refund: OpenRefund): Promise<void> {
  const now = ctx.clock.now();
  const gate: Gate = (allHeld) => sql`
    UPDATE refunds SET state = 'succeeded', updated_at = ${now}
    WHERE id = ${refundId} AND state = 'submitted' AND ${allHeld} RETURNING id`;
  const dayOf = () => calendarDateIn(refund.timeZone, now);
  const ofEntry = sql`SELECT ledger_id FROM entries WHERE id = ${refund.entryId}`;
  await untilWritten(ctx.db, ofEntry, async (db) => {
    const [books] = await readBooksWithPayments(db, [refund.entryId]);
    const payment = books!.payments[0]!;
    const cents = Math.min(refund.cents, payment.leftCents);
    const reversal: NewReversal = {
      kind: 'reversal',
      id: randomUUID(),
      payment,
      cents,
      reason: 'refund',
      description: `Refunded: ${refund.reason}`,
    };
    const postings = cents === 0 ? [] : [post(books!, [reversal]).posting];
    const write = async (on: Database) => {
      if ((await writePostings(on, { instant: now, dayOf }, postings, gate)) === null) return false;
      if (cents < refund.cents) await tellOfReturned(ctx, on, refundId, refund, refund.cents - cents);
      return true;
    };
    // With its alarm, where it has one, or not at all.
    const isWritten = await (cents < refund.cents && !db.isTransaction ? db.transaction().execute(write) : write(db));
    // Closed by somebody else, or a ledger that moved on: only the latter is tried again.
    return isWritten || !(await isOpenRefund(ctx, refundId));
  });
}

async function tellOfReturned(
  ctx: Context,
  db: Database,
  refundId: string,
  { facilityId, intentId, cents }: OpenRefund,
  missingCents: number,
): Promise<void> {
  await raiseAlarm(ctx, db, {
    kind: 'refunded_after_return',
    key: `refunded_after_return:${refundId}`,
    facilityId,
    sentence: 'A payment was refunded that its bank returned at the same time.',
    facts: { refund: refundId, intent: intentId, cents, notTakenBackCents: missingCents },
  });
}

async function isOpenRefund(ctx: Context, refundId: string): Promise<boolean> {
  const { state } = await ctx.db
    .selectFrom('refunds')
    .select('state')
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
  return state === 'submitted';
}
