import { createHash, createHmac } from 'node:crypto';
import type { IntentState } from '#db/tables.ts';

/**
 * Open: the gateway may have captured, and the same ledgers may not be charged until that is known.
 */
export const openStates = ['submitted', 'unknown'] as const satisfies IntentState[];

/**
 * What became of a payment or refund may be unknown for so long before the operator hears of it
 * (I7).
 */
export const UNKNOWN_MINUTES = 15;

/**
 * How long after its start an open intent or refund is looked up: a little after the gateway's time
 * is over.
 */
export function resolveAfterSeconds({ gatewayTimeoutMs }: { gatewayTimeoutMs: number }): number {
  return Math.ceil(gatewayTimeoutMs / 1000) + 3;
}

export function isOpen(state: IntentState): boolean {
  return openStates.some((open) => open === state);
}

/**
 * Equal part-payments of one debt count as the same payment for this long when no key distinguishes
 * them apart.
 */
const SAME_PART_PAYMENT_MINUTES = 10;

/** An earlier intent for the same key, or for the same debt. */
export type EarlierIntent = { state: IntentState; createdAt: Date };

/** What a request means in the light of the intent that came before it. */
export type Meaning =
  | 'new attempt'
  | 'replay'
  | 'declined again'
  | 'being confirmed'
  | 'other body';

/**
 * A request with an Idempotency-Key: the first answer again, whatever happened since; a key under
 * another body is refused. `earlier` is the key's live intent; an intent that was never sent frees
 * its key.
 */
export function meaningWithKey(earlier: EarlierIntent | undefined, isSameBody: boolean): Meaning {
  if (earlier === undefined) return 'new attempt';
  if (!isSameBody) return 'other body';
  if (isOpen(earlier.state)) return 'being confirmed';
  return earlier.state === 'declined' ? 'declined again' : 'replay';
}

/**
 * A request without a key: the same amounts on the same debt are one payment, for as long as the
 * debt stays unchanged when it was paid in full, for ten minutes when a part was. `isPaid`: the
 * amounts are more than what is left.
 */
export function meaningWithoutKey(
  earlier: EarlierIntent | undefined,
  isPaid: boolean,
  now: Date,
): Meaning {
  if (earlier === undefined) return 'new attempt';
  if (isOpen(earlier.state)) return 'being confirmed';
  if (
    earlier.state === 'declined' ||
    earlier.state === 'never_sent' ||
    earlier.state === 'returned'
  )
    return 'new attempt';
  const minutes = (now.getTime() - earlier.createdAt.getTime()) / 60_000;
  return isPaid || minutes < SAME_PART_PAYMENT_MINUTES ? 'replay' : 'new attempt';
}

/** One unit's part of a payment, with the newest entry that made it owe (its epoch). */
export type DebtLine = { ledgerId: string; cents: number; epoch: string };

/**
 * The same debt gives the same key; the card is no part of it, for another card must not pay the
 * same debt twice. `readDebt` has the database compute the same.
 */
export function debtKey(tenantId: string, lines: DebtLine[]): Buffer {
  const debt = lines.map(({ ledgerId, cents, epoch }) => `${ledgerId}:${cents}:${epoch}`).sort();
  return createHash('sha256')
    .update([tenantId, ...debt].join('|'))
    .digest();
}

/**
 * Equal for two requests under one Idempotency-Key that ask the same, also as many bills ahead;
 * holds the method's words, never its number.
 */
export function requestHash(
  secret: Buffer,
  tenantId: string,
  lines: { ledgerId: string; cents: number }[],
  method: { description: string; savedId: string | null },
  prepayMonths?: number,
): Buffer {
  const parts = lines.map(({ ledgerId, cents }) => `${ledgerId}:${cents}`).sort();
  const ahead = prepayMonths === undefined ? [] : [`ahead ${prepayMonths}`];
  return createHmac('sha256', secret)
    .update([tenantId, ...parts, method.savedId ?? method.description, ...ahead].join('|'))
    .digest();
}
