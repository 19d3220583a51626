import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { RE_PRESENTMENT_DAYS, RE_PRESENTMENTS } from '@gatehouse/contract/mandate';
import { sql } from 'kysely';
import type { Context } from '#context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { autopayOffEmail } from '#emails/autopay-off.ts';
import { queueMail } from '#features/mail/mail.ts';
import { isStopping, mayBePresentedAgain, returnReason } from '#features/payments/return-codes.ts';
import { itemNotes } from './items.ts';
import { endMandates, hasLiveMandate } from './mandates.ts';

/**
 * What autopay makes of a bank payment that came back, in the transaction that takes it back (D15). A return for want of
 * funds is presented again, twice at most; every return that stops the mandate ends it on all rentals that the account pays,
 * the account is not charged again, and the tenant is told.
 */
export async function onPaymentReturned(
  ctx: Context,
  trx: DatabaseTransaction,
  { intentId, code }: { intentId: string; code: string },
): Promise<void> {
  const at = ctx.clock.now();
  const intent = await findIntent(trx, intentId);
  if (intent.itemId !== null) await reopenItem(ctx, trx, { ...intent, itemId: intent.itemId }, code);
  if (!isStopping(code) || intent.methodId === null) return;
  const { methodId } = intent;
  const ledgers = await turnOff(trx, methodId, at);
  await trx.updateTable('payment_methods').set({ refused_at: at }).where('id', '=', methodId).execute();
  if (ledgers.length === 0) return;
  await endMandates(
    trx,
    ledgers.map(({ id }) => id),
    { reason: 'returned', at },
  );
  await queueMail(ctx, trx, {
    to: intent.email,
    email: autopayOffEmail({
      ...intent,
      unitNames: ledgers.map(({ unitName }) => unitName),
      reason: 'returned',
      because: returnReason(code),
    }),
  });
}

type ReturnedIntent = {
  itemId: string | null;
  methodId: string | null;
  timeZone: string;
  firstName: string;
  email: string;
  facilityName: string;
  facilityPhone: string | null;
};

async function findIntent(trx: DatabaseTransaction, intentId: string): Promise<ReturnedIntent> {
  return trx
    .selectFrom('payment_intents as i')
    .innerJoin('tenants as t', 't.id', 'i.tenant_id')
    .innerJoin('facilities as f', 'f.id', 't.facility_id')
    .select(['i.autopay_item_id as itemId', 'i.payment_method_id as methodId', 'f.time_zone as timeZone'])
    .select(['t.first_name as firstName', 't.email', 'f.name as facilityName', 'f.phone as facilityPhone'])
    .where('i.id', '=', intentId)
    .executeTakeFirstOrThrow();
}

/** Presented again some days later, for no more than it was, while there is still a consent; otherwise failed. */
async function reopenItem(
  ctx: Context,
  trx: DatabaseTransaction,
  { itemId, timeZone }: ReturnedIntent & { itemId: string },
  code: string,
): Promise<void> {
  const at = ctx.clock.now();
  const tryOn = addDays(calendarDateIn(timeZone, at), RE_PRESENTMENT_DAYS);
  const again = sql`(${mayBePresentedAgain(code)} AND i.re_presentments < ${RE_PRESENTMENTS}
    AND EXISTS (SELECT FROM autopays a WHERE a.ledger_id = i.ledger_id AND ${hasLiveMandate}))`;
  await sql`
    UPDATE autopay_items i SET state = CASE WHEN ${again} THEN 'waiting' ELSE 'failed' END,
      try_on = CASE WHEN ${again} THEN ${tryOn}::date END,
      note = CASE WHEN ${again} THEN NULL ELSE ${itemNotes.returned} END,
      re_presentments = i.re_presentments + CASE WHEN ${again} THEN 1 ELSE 0 END, updated_at = ${at}::timestamptz
    WHERE i.id = ${itemId} AND i.state = 'paid'`.execute(trx);
}

/** Turns autopay off wherever the method is charged. */
async function turnOff(
  trx: DatabaseTransaction,
  methodId: string,
  at: Date,
): Promise<{ id: string; unitName: string }[]> {
  const { rows } = await sql<{ id: string; unitName: string }>`
    WITH off AS (
      UPDATE autopays SET active = false, updated_at = ${at}::timestamptz
      WHERE payment_method_id = ${methodId} AND active RETURNING ledger_id
    )
    SELECT l.id, u.name AS "unitName" FROM off JOIN ledgers l ON l.id = off.ledger_id JOIN units u ON u.id = l.unit_id
    ORDER BY u.name`.execute(trx);
  return rows;
}
