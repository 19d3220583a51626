import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { sql, type Selectable } from 'kysely';
import type { Refunded, Where } from '#adapters/payments/gateway.ts';
import { audit } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { unchecked, type DatabaseTransaction } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import { doEach } from '#context/each.ts';
import { refundedEmail } from '#emails/refunded.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { postLocked } from '#features/base/ledgers/postings.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { Refusal } from '#errors/refusal.ts';
import { resolveAfterSeconds, UNKNOWN_MINUTES } from './intent.ts';
import {
  alarmOfOwedAgain,
  findOwedBy,
  lockCapture,
  refundableOf,
  takeBack,
  type Capture,
  type Taken,
} from './take-back.ts';

/** Whether the gateway has the money of a capture: of a bank debit once it has settled. */
export function isAtGateway({ state, initiator }: Capture): boolean {
  return (
    (state === 'succeeded' || state === 'settled') &&
    (initiator === 'tenant' || initiator === 'autopay')
  );
}

/**
 * A refund to be: of a part of the capture or, with null, of all its parts; by the gateway, or by
 * hand.
 */
export type NewRefund = {
  paymentEntryId: string | null;
  cents: number;
  reason: string;
  by?: { way: 'cash' } | { way: 'check'; checkNumber: string };
  /** The row will be rolled back: it gets no number out of the sequence, which would not be. */
  isPreview?: boolean;
};

/**
 * Writes the row of a refund, open: `resolveRefund` asks the gateway for it once the transaction
 * has committed, and `postRefund` closes one that is given back by hand. Refuses with 422 more
 * than is left of it, with 409 while another refund of the capture is under way.
 */
export async function beginRefund(
  ctx: Context,
  trx: DatabaseTransaction,
  capture: Capture,
  { paymentEntryId, cents, reason, by, isPreview = false }: NewRefund,
): Promise<RefundRow> {
  const now = ctx.clock.now();
  if (cents <= 0 || cents > refundableOf(capture, paymentEntryId)) throw tooMuch();
  const row = await trx
    .insertInto('refunds')
    .values({
      intent_id: capture.id,
      payment_entry_id: paymentEntryId,
      amount_cents: cents,
      state: 'submitted',
      reason,
      way: by?.way ?? 'gateway',
      check_number: by?.way === 'check' ? by.checkNumber : null,
      ...(isPreview && { receipt_number: randomUUID() }),
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('intent_id').where('state', '=', sql.lit('submitted')).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new Refusal(409, 'Another refund of this payment is under way.');
  return row;
}

/**
 * Whether a refund is under way of a capture that one of the entries is a part of, payments or
 * credits of won disputes. It stays so until the transaction ends where that has locked the
 * entries' ledgers.
 */
export async function isUnderRefund(
  trx: DatabaseTransaction,
  entryIds: string[],
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM refunds r WHERE r.state = 'submitted' AND r.intent_id IN (
      SELECT intent_id FROM payments WHERE entry_id = ANY(${entryIds}::uuid[])
      UNION ALL
      SELECT d.intent_id FROM dispute_parts part JOIN disputes d ON d.id = part.dispute_id
      WHERE part.credit_entry_id = ANY(${entryIds}::uuid[]))`.execute(trx);
  return rows.length > 0;
}

function tooMuch(): Refusal {
  return new Refusal(422, 'A refund must be at most what is left of a posted payment.');
}

/**
 * Asks for every refund again whose first answer was lost: the gateway gives back once for a
 * reference. Throws in the end when some could not be written.
 */
export async function resolveOpenRefunds(ctx: Context): Promise<void> {
  const open = await ctx.db
    .selectFrom('refunds')
    .select('id')
    .where('state', '=', 'submitted')
    .where('created_at', '<', new Date(ctx.clock.now().getTime() - resolveAfterSeconds(ctx) * 1000))
    .execute();
  await doEach(open, { atOnce: 1, what: 'refunds could not be written' }, ({ id }) =>
    resolveRefund(ctx, id),
  );
}

/**
 * Asks the gateway for a refund that is open and writes its answer, also where the caller's session
 * ends meanwhile; one that is closed answers as it was closed.
 */
export async function resolveRefund(
  given: Context,
  refundId: string,
): Promise<Refunded | { outcome: 'submitted' }> {
  const ctx = { ...given, db: unchecked(given.db) };
  const refund = await getRefund(ctx, refundId);
  if (refund.state === 'succeeded') return { outcome: 'succeeded' };
  if (refund.state === 'failed') return { outcome: 'failed', message: refund.fault ?? '' };
  const { intentId, cents, where } = refund;
  let answer: Refunded;
  try {
    answer = await ctx.gateway.refund({
      reference: refundId,
      chargeReference: intentId,
      amountCents: cents,
      where,
    });
  } catch (error) {
    ctx.log.warn(
      { err: error, refundId },
      'the gateway did not answer a refund; it will be asked again',
    );
    await alarmOfUnknown(ctx, refundId, refund);
    return { outcome: 'submitted' };
  }
  if (answer.outcome === 'failed') await markRefundFailed(ctx, refundId, answer.message);
  else await closeRefund(ctx, refundId);
  return answer;
}

type OpenRefund = Awaited<ReturnType<typeof getRefund>>;

async function alarmOfUnknown(ctx: Context, refundId: string, refund: OpenRefund): Promise<void> {
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

async function getRefund(ctx: Context, refundId: string) {
  const row = await ctx.db
    .selectFrom('refunds as refund')
    .innerJoin('payment_intents as intent', 'intent.id', 'refund.intent_id')
    .innerJoin('tenants as tenant', 'tenant.id', 'intent.tenant_id')
    .leftJoin('gateway_customers as customer', 'customer.tenant_id', 'intent.tenant_id')
    .select([
      'refund.amount_cents as cents',
      'refund.state',
      'refund.fault',
      'refund.created_at as askedAt',
    ])
    .select(['intent.id as intentId', 'intent.created_at as since', 'customer.customer'])
    .select([
      'intent.receipt_number as receiptNumber',
      'tenant.id as tenantId',
      'tenant.facility_id as facilityId',
    ])
    .where('refund.id', '=', refundId)
    .executeTakeFirstOrThrow();
  const { since, customer, ...refund } = row;
  return { ...refund, where: { customer, since } satisfies Where };
}

/**
 * The gateway refused it: nothing goes back, and staff have an alarm. Does nothing for a refund
 * that is not open.
 */
export async function markRefundFailed(
  ctx: Context,
  refundId: string,
  fault: string,
): Promise<void> {
  const { facilityId, tenantId, receiptNumber, intentId, cents } = await getRefund(ctx, refundId);
  await ctx.db.transaction().execute(async (trx) => {
    const refund = await trx
      .updateTable('refunds')
      .set({ state: 'failed', fault, updated_at: ctx.clock.now() })
      .where('id', '=', refundId)
      .where('state', '=', 'submitted')
      .returning('way')
      .executeTakeFirst();
    if (refund === undefined) return;
    const sum = formatMoney(toDollars(cents));
    await raiseAlarm(ctx, trx, {
      kind: 'refund_refused',
      key: `refund_refused:${refundId}`,
      facilityId,
      sentence: `The gateway refused to refund ${sum} of receipt ${receiptNumber}: nothing went back.`,
      facts: { refund: refundId, intent: intentId, cents },
    });
    const details = { refund: refundId, way: refund.way, cents: String(cents) };
    await audit(ctx, trx, { ip: '', requestId: randomUUID() }, [
      { kind: 'refund_refused', tenantId, facilityId, details },
    ]);
  });
}

/** A refund that the books show as given back could not be paid out after all: says so to staff. */
export async function alarmOfUnpaid(
  ctx: Context,
  refundId: string,
  gatewayRefund: string,
): Promise<void> {
  const { facilityId, cents } = await getRefund(ctx, refundId);
  await raiseAlarm(ctx, ctx.db, {
    kind: 'refund_failed',
    key: `gateway-refund-failed ${refundId}`,
    facilityId,
    sentence: 'A refund could not be paid out after all; the books show it as given back.',
    facts: { refund: refundId, gatewayRefund, cents },
  });
}

/**
 * Posts a refund that the gateway has made, once, also where it was called failed before, and
 * where a return or a dispute has taken the payment back meanwhile.
 */
export async function closeRefund(ctx: Context, refundId: string): Promise<void> {
  const { intentId } = await getRefund(ctx, refundId);
  await ctx.db.transaction().execute(async (trx) => {
    const capture = (await lockCapture(trx, intentId))!;
    const refund = await trx
      .selectFrom('refunds')
      .selectAll()
      .where('id', '=', refundId)
      .executeTakeFirstOrThrow();
    if (refund.state === 'succeeded') return;
    const taken = takeBackFor(capture, refund, ctx.clock.now());
    await postRefund(ctx, trx, capture, refund, taken);
  });
}

export type RefundRow = Selectable<Tables['refunds']>;

/** What a refund takes back of its capture. */
export function takeBackFor(capture: Capture, refund: RefundRow, now: Date): Taken {
  const { payment_entry_id, amount_cents } = refund;
  const { description } = refundWords(refund, capture.method);
  const on = calendarDateIn(capture.timeZone, now);
  return takeBack(capture, payment_entry_id, amount_cents, { reason: 'refund', description, on });
}

/** How a refund is given back, for the ledger and, in its language, for the tenant's mail. */
export function refundWords(refund: RefundRow, method: string) {
  const { way, reason, check_number, ledger_id } = refund;
  const verb = ledger_id === null ? 'Refunded' : 'Paid out';
  switch (way) {
    case 'gateway':
    case 'dashboard':
      return {
        description: `Refunded: ${reason}`,
        way: () => t('to your {method}', { method: entryName(method) }),
      };
    case 'cash':
      return { description: `${verb} in cash`, way: () => t('in cash') };
    case 'check':
      return {
        description: `${verb} by check ${check_number}`,
        way: () => t('by check {number}', { number: check_number ?? '' }),
      };
  }
}

/**
 * Posts what a refund that is given back takes back, closes its row, mails the tenant and notes it
 * in the audit trail, in the transaction that has locked the capture.
 */
export async function postRefund(
  ctx: Context,
  trx: DatabaseTransaction,
  capture: Capture,
  refund: RefundRow,
  taken: Taken,
): Promise<void> {
  const now = ctx.clock.now();
  const { way } = refundWords(refund, capture.method);
  const today = calendarDateIn(capture.timeZone, now);
  await postLocked(
    trx,
    { instant: now, dayOf: () => today },
    taken.ledgers.map(({ posting }) => posting),
  );
  const entries = taken.ledgers.flatMap(({ posting }) => posting.changes);
  if (entries.length > 0)
    await trx
      .insertInto('refund_parts')
      .values(entries.map(({ id }) => ({ reversal_entry_id: id, refund_id: refund.id })))
      .execute();
  await trx
    .updateTable('refunds')
    .set({ state: 'succeeded', posted_cents: taken.takenCents, fault: null, updated_at: now })
    .where('id', '=', refund.id)
    .execute();
  const { email: to, tenantId, facilityId } = capture;
  const owed = await findOwedBy(ctx, trx, capture);
  await queueMail(ctx, trx, {
    to,
    kind: 'payment_changed',
    tenantId,
    email: () =>
      refundedEmail({
        ...capture,
        number: refund.receipt_number,
        of: {
          method: capture.method,
          paidOn: calendarDateIn(capture.timeZone, capture.createdAt),
        },
        cents: refund.amount_cents,
        way,
        units: taken.ledgers,
        owedOn: taken.owedOn,
        owed,
      }),
  });
  const details = { refund: refund.id, way: refund.way, cents: String(refund.amount_cents) };
  await audit(ctx, trx, { ip: '', requestId: randomUUID() }, [
    { kind: 'payment_refunded', tenantId, facilityId, details },
  ]);
  await alarmOfOwedAgain(ctx, trx, capture, taken, refund.id);
}
