import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { RE_PRESENTMENT_DAYS, RE_PRESENTMENTS } from '@gatehouse/contract/mandate';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { autopayOffEmail } from '#emails/autopay-off.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import {
  isStopping,
  mayBePresentedAgain,
  returnReason,
} from '#features/money/payments/return-codes.ts';
import { lockAccount } from './accounts.ts';
import { itemNotes } from './items.ts';
import { endMandates, hasLiveMandate } from '#features/money/mandates/mandates.ts';

/**
 * What autopay makes of a bank payment that came back, in the transaction that takes it back. A
 * return for want of funds is presented again, twice at most; every return that stops the mandate
 * ends it on all rentals that the account pays, also where autopay was set up with it in another
 * entry or record, the account is not charged again, and each tenant whose autopay ends is sent a
 * mail.
 */
export async function onPaymentReturned(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
  code: string,
): Promise<void> {
  const intent = await findIntent(trx, intentId);
  if (intent.itemId !== null)
    await reopenItem(ctx, trx, { ...intent, itemId: intent.itemId }, code);
  if (isStopping(code)) await stopAccount(ctx, trx, intent, code);
}

/**
 * A saved method, or the account itself under the gateway's fingerprint, or both; null for what is
 * not known.
 */
type StoppedAccount = { methodId: string | null; fingerprint: string | null };

/**
 * Refuses an account for autopay after a return with `code`, in every saved entry of it; turns
 * autopay off and ends the consent wherever it is charged, and mails each tenant whose autopay
 * ends. What is off already stays as it is.
 */
export async function stopAccount(
  ctx: Context,
  trx: DatabaseTransaction,
  account: StoppedAccount,
  code: string,
): Promise<void> {
  const at = ctx.clock.now();
  await refuseAccount(trx, account, code, at);
  const ledgers = await turnOff(trx, account, at);
  await endMandates(
    trx,
    ledgers.map(({ id }) => id),
    { reason: 'returned', at },
  );
  for (const [tenantId, [first, ...more]] of Map.groupBy(ledgers, ({ tenantId }) => tenantId))
    await queueMail(ctx, trx, {
      to: first!.email,
      kind: 'autopay',
      tenantId,
      email: () =>
        autopayOffEmail({
          ...first!,
          unitNames: [first!, ...more].map(({ unitName }) => unitName),
          reason: 'returned',
          because: returnReason(code),
        }),
    });
}

type ReturnedIntent = StoppedAccount & { itemId: string | null; timeZone: string };

async function findIntent(trx: DatabaseTransaction, intentId: string): Promise<ReturnedIntent> {
  return trx
    .selectFrom('payment_intents as i')
    .innerJoin('tenants as t', 't.id', 'i.tenant_id')
    .innerJoin('facilities as f', 'f.id', 't.facility_id')
    .select([
      'i.autopay_item_id as itemId',
      'i.payment_method_id as methodId',
      'i.fingerprint',
      'f.time_zone as timeZone',
    ])
    .where('i.id', '=', intentId)
    .executeTakeFirstOrThrow();
}

/**
 * Presented again some days later, for no more than it was, while there is still a consent;
 * otherwise failed.
 */
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

/**
 * Marks every saved method of the account as refused, no matter who entered it and however often,
 * and the account as stopped.
 */
async function refuseAccount(
  trx: DatabaseTransaction,
  { methodId, fingerprint }: StoppedAccount,
  code: string,
  at: Date,
): Promise<void> {
  if (fingerprint !== null) {
    await lockAccount(trx, fingerprint);
    await trx
      .insertInto('stopped_accounts')
      .values({ fingerprint, return_code: code, stopped_at: at })
      .onConflict((conflict) => conflict.column('fingerprint').doNothing())
      .execute();
  }
  await sql`
    UPDATE payment_methods SET refused_at = ${at} WHERE id IN (
      SELECT id FROM payment_methods WHERE id = ${methodId}::uuid OR fingerprint = ${fingerprint}::text
      ORDER BY id FOR NO KEY UPDATE)`.execute(trx);
}

type StoppedLedger = {
  id: string;
  tenantId: string;
  unitName: string;
  firstName: string;
  email: string;
  facilityName: string;
  facilityPhone: string | null;
};

/** Turns autopay off wherever the account is charged, by its method or by the consent to it. */
async function turnOff(
  trx: DatabaseTransaction,
  { methodId, fingerprint }: StoppedAccount,
  at: Date,
): Promise<StoppedLedger[]> {
  const { rows } = await sql<StoppedLedger>`
    WITH charged AS (
      SELECT a.ledger_id FROM autopays a
      WHERE a.active AND (a.payment_method_id IN (
          SELECT id FROM payment_methods WHERE id = ${methodId}::uuid OR fingerprint = ${fingerprint}::text)
        OR a.mandate_id IN (SELECT id FROM mandates WHERE fingerprint = ${fingerprint}::text))
      ORDER BY a.ledger_id FOR NO KEY UPDATE
    ), off AS (
      UPDATE autopays SET active = false, updated_at = ${at}::timestamptz
      WHERE ledger_id IN (SELECT ledger_id FROM charged) RETURNING ledger_id
    )
    SELECT l.id, l.tenant_id AS "tenantId", u.name AS "unitName", t.first_name AS "firstName", t.email,
      f.name AS "facilityName", f.phone AS "facilityPhone"
    FROM off
    JOIN ledgers l ON l.id = off.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN tenants t ON t.id = l.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    ORDER BY u.name`.execute(trx);
  return rows;
}
