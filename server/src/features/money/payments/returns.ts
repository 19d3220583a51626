import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { IntentState } from '#db/tables.ts';
import { paymentReturnedEmail } from '#emails/payment-returned.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { post, type Change, type NewReversal } from '#features/base/ledgers/books.ts';
import {
  postLocked,
  readBooksWithPayments,
  lockLedgers,
  type BooksWithPayments,
} from '#features/base/ledgers/postings.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { feeOf, RETURNED_PAYMENT_FEE } from './fee.ts';
import {
  findMovedCredits,
  owedAgain,
  raiseMovedCredits,
  type MovedCredit,
} from './moved-credits.ts';
import { returnDescription, returnReason } from './return-codes.ts';
import { ledgersOf, stateOfParts } from './settle.ts';

/**
 * Takes a bank payment back that its bank returned, exactly once: a reversal of what is left of
 * each unit's part, the facility's fee once for the whole debit, a charge of what was moved away of
 * a part, what the listeners make of it, and a mail to the tenant, in one transaction. `code` as
 * the banks have it, such as R01. A return of a payment that we do not have, or that was no pending
 * or settled bank debit, is parked with an alarm; the same return again does nothing.
 */
export async function settleReturn(ctx: Context, intentId: string, code: string): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    await lockLedgers(trx, ledgersOf(intentId));
    const intent = await findReturned(trx, intentId);
    if (intent?.state === 'returned') return;
    if (intent?.state !== 'pending' && intent?.state !== 'settled')
      return park(ctx, trx, intentId, code, intent);
    const ledgers = await readBooksWithPayments(trx, intent.entryIds);
    const moved = await findMovedCredits(trx, intent.entryIds);
    await takeBack(ctx, trx, intent, ledgers, moved, code);
    await notifyTenant(ctx, trx, intent, ledgers, code);
    for (const listener of ctx.paymentListeners) await listener.returned(ctx, trx, intentId, code);
    await watchRefunded(ctx, trx, intent, ledgers, moved, code);
    await raiseMovedCredits(ctx, trx, moved, { isCharged: true });
  });
}

type ReturnedIntent = {
  id: string;
  state: IntentState;
  cents: number;
  method: string;
  createdAt: Date;
  entryIds: string[];
  facilityId: string;
  facilityName: string;
  facilityPhone: string | null;
  timeZone: string;
  feeCents: number;
  tenantId: string;
  firstName: string;
  email: string;
};

async function findReturned(
  trx: DatabaseTransaction,
  intentId: string,
): Promise<ReturnedIntent | undefined> {
  const { rows } = await sql<ReturnedIntent>`
    SELECT i.id, i.state, i.amount_cents AS cents, i.method_description AS method, i.created_at AS "createdAt",
      ARRAY(SELECT entry_id FROM payments p WHERE p.intent_id = i.id)::text[] AS "entryIds", f.id AS "facilityId",
      f.name AS "facilityName", f.phone AS "facilityPhone", f.time_zone AS "timeZone", f.return_fee_cents AS "feeCents",
      t.id AS "tenantId", t.first_name AS "firstName", t.email
    FROM payment_intents i
    JOIN tenants t ON t.id = i.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    WHERE i.id = ${intentId}`.execute(trx);
  return rows[0];
}

async function takeBack(
  ctx: Context,
  trx: DatabaseTransaction,
  intent: ReturnedIntent,
  ledgers: BooksWithPayments[],
  moved: MovedCredit[],
  code: string,
): Promise<void> {
  const now = ctx.clock.now();
  const today = calendarDateIn(intent.timeZone, now);
  const postings = ledgers.map((books, index) => {
    const changes: Change[] = reversalsOf(books, code);
    for (const one of moved)
      if (one.ledgerId === books.ledgerId) changes.push(owedAgain(one, today));
    if (index === 0 && intent.feeCents > 0)
      changes.push(feeOf(intent.feeCents, today, RETURNED_PAYMENT_FEE));
    return post(books, changes).posting;
  });
  await postLocked(trx, { instant: now, dayOf: () => today }, postings);
  await sql`
      WITH intent AS (
        UPDATE payment_intents SET state = 'returned', return_code = ${code}, updated_at = ${now} WHERE id = ${intent.id}
      ) ${stateOfParts(intent.id, 'returned')}`.execute(trx);
}

/** What was refunded before is not taken back again. */
function reversalsOf({ payments }: BooksWithPayments, code: string): NewReversal[] {
  return payments
    .filter(({ leftCents }) => leftCents > 0)
    .map((payment) => ({
      kind: 'reversal',
      id: randomUUID(),
      payment,
      cents: payment.leftCents,
      reason: 'return',
      description: returnDescription(code),
    }));
}

async function notifyTenant(
  ctx: Context,
  trx: DatabaseTransaction,
  intent: ReturnedIntent,
  ledgers: BooksWithPayments[],
  code: string,
): Promise<void> {
  const { email: to, tenantId } = intent;
  await queueMail(ctx, trx, {
    to,
    kind: 'payment_changed',
    tenantId,
    email: () =>
      paymentReturnedEmail({
        ...intent,
        unitNames: ledgers.map(({ unitName }) => unitName),
        paidOn: calendarDateIn(intent.timeZone, intent.createdAt),
        feeName: RETURNED_PAYMENT_FEE,
        reason: returnReason(code),
      }),
  });
}

/** A part was refunded before: a person has to look. */
async function watchRefunded(
  ctx: Context,
  trx: DatabaseTransaction,
  intent: ReturnedIntent,
  ledgers: BooksWithPayments[],
  moved: MovedCredit[],
  code: string,
): Promise<void> {
  const left = ledgers
    .flatMap(({ payments }) => payments)
    .reduce((sum, { leftCents }) => sum + leftCents, 0);
  const refundedCents = intent.cents - left - moved.reduce((sum, { cents }) => sum + cents, 0);
  if (refundedCents === 0) return;
  await raiseAlarm(ctx, trx, {
    kind: 'returned_after_refund',
    key: `returned_after_refund:${intent.id}`,
    facilityId: intent.facilityId,
    sentence: 'A bank payment was returned of which a part had been refunded before.',
    facts: { intent: intent.id, code, cents: intent.cents, refundedCents },
  });
}

async function park(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
  code: string,
  intent: ReturnedIntent | undefined,
): Promise<void> {
  await raiseAlarm(ctx, trx, {
    kind: 'unknown_return',
    key: `unknown_return:${intentId}`,
    facilityId: intent?.facilityId ?? null,
    sentence: 'A bank returned a payment that we do not have as a bank payment.',
    facts: { intent: intentId, code, state: intent?.state ?? null },
  });
}
