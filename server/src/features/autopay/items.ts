import { RETRY_DAYS } from '@gatehouse/contract/autopay';
import { sql } from 'kysely';
import type { Effects } from '#features/ledgers/postings.ts';

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
};

/**
 * What an outcome makes of the item of the autopay run that the intent is an attempt of, and of the card or account: to be written
 * with the intent's own state, with its id and state in reach as `gate`. Money that moved, or was taken in, pays the item.
 * A soft decline is tried again on the stated days; a hard one never, with this method (D15). An attempt that was never
 * sent counts for nothing. `isHard` of a decline, null of all else.
 */
export function itemEffects(now: Date, isHard: boolean | null): Effects {
  const hard = isHard ?? false;
  const ofIntent = sql`FROM gate JOIN payment_intents intent ON intent.id = gate.id`;
  const isMoney = sql`gate.state IN ('succeeded', 'pending')`;
  const isNeverSent = sql`gate.state = 'never_sent'`;
  // The days until the next try; null after the last.
  const retry = sql`(${RETRY_DAYS}::integer[])[item.declines + 1]`;
  // Nothing was tried yet, so that the next attempt is the first.
  const isFirst = sql`(${isNeverSent} AND item.declines + item.re_presentments = 0)`;
  const item = sql`
    UPDATE autopay_items item SET updated_at = ${now}::timestamptz,
      state = CASE WHEN ${isMoney} THEN 'paid' WHEN ${isNeverSent} THEN 'waiting'
        WHEN ${hard} OR ${retry} IS NULL THEN 'failed' ELSE 'waiting' END,
      try_on = CASE WHEN ${isMoney} THEN NULL WHEN ${isNeverSent} THEN item.try_on
        WHEN ${hard} OR ${retry} IS NULL THEN NULL
        ELSE greatest(item.try_on + 1, item.first_try_on + ${retry}) END,
      note = CASE WHEN gate.state <> 'declined' THEN NULL WHEN ${hard} THEN ${itemNotes.refused}
        WHEN ${retry} IS NULL THEN ${itemNotes.declined} END,
      declines = item.declines + CASE gate.state WHEN 'declined' THEN 1 ELSE 0 END,
      amount_cents = CASE WHEN NOT ${isFirst} THEN item.amount_cents END,
      first_try_on = CASE WHEN NOT ${isFirst} THEN item.first_try_on END
    ${ofIntent}
    WHERE item.id = intent.autopay_item_id AND item.state = 'trying'
      AND gate.state IN ('succeeded', 'pending', 'declined', 'never_sent')`;
  if (!hard) return [item];
  // The same card entered twice is one; with another expiry it is a renewed one, which may work.
  const method = sql`
    UPDATE payment_methods method SET refused_at = ${now}::timestamptz
    ${ofIntent} WHERE method.tenant_id = intent.tenant_id AND method.refused_at IS NULL
      AND (method.id = intent.payment_method_id OR (method.fingerprint = intent.fingerprint
        AND method.expires_on IS NOT DISTINCT FROM intent.method_expires_on))`;
  return [item, method];
}
