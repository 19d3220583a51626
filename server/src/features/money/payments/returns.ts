import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { paymentReturnedEmail } from '#emails/payment-returned.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { lockLedgers, postLocked } from '#features/base/ledgers/postings.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { RETURNED_PAYMENT_FEE } from './fee.ts';
import { returnDescription, returnReason } from './return-codes.ts';
import { ledgersOf, stateOfParts } from './settle.ts';
import {
  alarmOfOwedAgain,
  findOwedBy,
  lockCapture,
  takeBack,
  wholeOf,
  type Capture,
} from './take-back.ts';

/**
 * Takes a bank payment back that its bank returned, whole and exactly once: what was refunded of it
 * or moved away is owed again as well, with the facility's fee once for the whole debit. With what
 * the listeners make of it and a mail to the tenant, in one transaction. `code` as the banks have
 * it, such as R01. A return of a payment that we do not have, or that was no pending or settled
 * bank debit, is parked with an alarm; the same return again does nothing.
 */
export async function settleReturn(ctx: Context, intentId: string, code: string): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    await lockLedgers(trx, ledgersOf(intentId));
    const capture = await lockCapture(trx, intentId);
    if (capture?.state === 'returned') return;
    if (capture?.state !== 'pending' && capture?.state !== 'settled')
      return park(ctx, trx, intentId, code, capture);
    const now = ctx.clock.now();
    const on = calendarDateIn(capture.timeZone, now);
    const taken = takeBack(capture, null, wholeOf(capture, null), {
      reason: 'return',
      description: returnDescription(code),
      on,
      fee: { cents: capture.returnFeeCents, description: RETURNED_PAYMENT_FEE },
    });
    const postings = taken.ledgers.map(({ posting }) => posting);
    await postLocked(trx, { instant: now, dayOf: () => on }, postings);
    await sql`
      WITH intent AS (
        UPDATE payment_intents SET state = 'returned', return_code = ${code}, updated_at = ${now} WHERE id = ${intentId}
      ) ${stateOfParts(intentId, 'returned')}`.execute(trx);
    await mailReturned(ctx, trx, capture, {
      cents: taken.takenCents,
      feeName: RETURNED_PAYMENT_FEE,
      reason: returnReason(code),
    });
    for (const listener of ctx.paymentListeners) await listener.returned(ctx, trx, intentId, code);
    await alarmOfOwedAgain(ctx, trx, capture, taken, intentId);
  });
}

/** Mails the tenant that a bank did not honour a payment. */
export async function mailReturned(
  ctx: Context,
  trx: DatabaseTransaction,
  capture: Capture,
  returned: { cents: number; feeName: string; reason: string },
): Promise<void> {
  const { email: to, tenantId, timeZone, createdAt } = capture;
  const owed = await findOwedBy(ctx, trx, capture);
  await queueMail(ctx, trx, {
    to,
    kind: 'payment_changed',
    tenantId,
    email: () =>
      paymentReturnedEmail({
        ...capture,
        ...returned,
        unitNames: capture.ledgers.map(({ unitName }) => unitName),
        feeCents: capture.returnFeeCents,
        paidOn: calendarDateIn(timeZone, createdAt),
        owed,
      }),
  });
}

async function park(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
  code: string,
  capture: Capture | undefined,
): Promise<void> {
  await raiseAlarm(ctx, trx, {
    kind: 'unknown_return',
    key: `unknown_return:${intentId}`,
    facilityId: capture?.facilityId ?? null,
    sentence: 'A bank returned a payment that we do not have as a bank payment.',
    facts: { intent: intentId, code, state: capture?.state ?? null },
  });
}
