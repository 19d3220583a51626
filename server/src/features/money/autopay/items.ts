import { RETRY_DAYS } from '@gatehouse/contract/autopay';
import { addDays } from '@gatehouse/contract/dates';
import { sql, type Selectable, type Updateable } from 'kysely';
import type { ClosedPayment, Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import { notEnforcedOf } from '#features/base/ledgers/owed-since.ts';

/** Why an item was skipped or failed, as the tenant reads it. */
export const itemNotes = {
  nothingOwed: 'Nothing was owed on the due date.',
  paidMeanwhile: 'It was paid before autopay charged it.',
  booksFault: 'Autopay waits until your facility has checked this unit’s account.',
  tooLittle: 'What was owed is less than can be charged at once; the next charge takes it.',
  superseded: 'It is part of a later charge.',
  refused: 'The bank refused this card or account for good.',
  declined: `It was declined ${RETRY_DAYS.length + 1} times.`,
  returned: 'The bank returned the payment.',
  paidInPart:
    'The bank returned the payment, and it was paid in part since; the next charge takes the rest.',
};

/**
 * SQL, of an item `i`: what is still owed of the charges that there were at its first attempt, less
 * what is not enforced yet on the facility's `today`.
 */
const owedOfItem = (today: string) => sql`(
  SELECT coalesce(sum(c.owed_cents - ${notEnforcedOf(today)}), 0)::bigint FROM open_charges c
  WHERE c.ledger_id = i.ledger_id AND (i.through_position IS NULL OR c.position <= i.through_position))`;

/** SQL, of an item `i`: what its next attempt takes, in cents. */
export const nextCents = (today: string) =>
  sql<number>`least(i.amount_cents, ${owedOfItem(today)})`;

/** SQL, of an item `i`: whether its debit came back and may not be presented in its own amount. */
export const isPaidInPart = (today: string) => sql<boolean>`(
  i.re_presentments > 0 AND ${owedOfItem(today)} BETWEEN 1 AND i.amount_cents - 1)`;

/**
 * What the outcome of an attempt makes of its item, and of the card or account: money that moved,
 * or was taken in, pays the item. A soft decline is tried again on the stated days; a hard one
 * never, with this method. An attempt that was never sent counts for nothing.
 */
export async function onPaymentClosed(
  { clock }: Context,
  trx: DatabaseTransaction,
  closed: ClosedPayment,
): Promise<void> {
  const now = clock.now();
  if (closed.isHard) await refuseMethod(trx, now, closed);
  if (closed.autopayItemId === null) return;
  const item = await trx
    .selectFrom('autopay_items')
    .selectAll()
    .where('id', '=', closed.autopayItemId)
    .where('state', '=', 'trying')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (item === undefined) return;
  await trx
    .updateTable('autopay_items')
    .set({ ...afterAttempt(item, closed), updated_at: now })
    .where('id', '=', item.id)
    .execute();
}

type Item = Pick<
  Selectable<Tables['autopay_items']>,
  'try_on' | 'first_try_on' | 'declines' | 're_presentments'
>;

function afterAttempt(item: Item, closed: ClosedPayment): Updateable<Tables['autopay_items']> {
  if (closed.state === 'succeeded' || closed.state === 'pending')
    return { state: 'paid', try_on: null, note: null };
  if (closed.state === 'never_sent') {
    const isFirst = item.declines + item.re_presentments === 0;
    return {
      state: 'waiting',
      note: null,
      // Nothing was tried yet, so that the next attempt is the first.
      ...(isFirst && { amount_cents: null, first_try_on: null, through_position: null }),
    };
  }
  const declines = item.declines + 1;
  const days = RETRY_DAYS[item.declines];
  if (closed.isHard || days === undefined)
    return {
      state: 'failed',
      try_on: null,
      note: closed.isHard ? itemNotes.refused : itemNotes.declined,
      declines,
    };
  const [nextDay, stated] = [addDays(item.try_on!, 1), addDays(item.first_try_on!, days)];
  return { state: 'waiting', try_on: stated > nextDay ? stated : nextDay, note: null, declines };
}

/** The same card entered twice is one; with another expiry it is a renewed one, which may work. */
async function refuseMethod(
  trx: DatabaseTransaction,
  now: Date,
  { tenantId, methodId, fingerprint, expiresOn }: ClosedPayment,
): Promise<void> {
  await sql`
      UPDATE payment_methods SET refused_at = ${now}
      WHERE tenant_id = ${tenantId} AND refused_at IS NULL AND (id = ${methodId}::uuid
        OR (fingerprint = ${fingerprint}::text AND expires_on IS NOT DISTINCT FROM ${expiresOn}::text))`.execute(
    trx,
  );
}
