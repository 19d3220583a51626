import { createHash } from 'node:crypto';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import type { NewCharge } from '#features/base/ledgers/books.ts';
import { feeOf } from './fee.ts';

/**
 * What of a payment was moved to another ledger as a credit and has not been charged again since,
 * in cents.
 */
export type MovedCredit = {
  reversalId: string;
  entryId: string;
  intentId: string;
  ledgerId: string;
  unitName: string;
  facilityId: string;
  cents: number;
  /** Where it went, as the ledger says. */
  description: string;
};

/** What was moved away of payments, by their entries, whose ledgers are locked. */
export async function findMovedCredits(
  trx: DatabaseTransaction,
  entryIds: string[],
): Promise<MovedCredit[]> {
  const { rows } = await sql<MovedCredit>`
    SELECT rev.entry_id AS "reversalId", p.entry_id AS "entryId", p.intent_id AS "intentId", p.ledger_id AS "ledgerId",
      u.name AS "unitName", u.facility_id AS "facilityId", e.amount_cents AS cents, rev.description
    FROM reversals rev
    JOIN entries e ON e.id = rev.entry_id
    JOIN payments p ON p.entry_id = rev.payment_entry_id
    JOIN ledgers l ON l.id = p.ledger_id
    JOIN units u ON u.id = l.unit_id
    WHERE rev.reason = 'moved' AND p.entry_id = ANY(${entryIds}::uuid[])
    ORDER BY e.position`.execute(trx);
  const { rows: charged } = await sql<{ id: string }>`
    SELECT id FROM entries WHERE id = ANY(${rows.map(({ reversalId }) => chargeIdOf(reversalId))}::uuid[])`.execute(
    trx,
  );
  const known = new Set(charged.map(({ id }) => id));
  return rows.filter(({ reversalId }) => !known.has(chargeIdOf(reversalId)));
}

/**
 * The charge by which the ledger that a payment was posted to owes what was moved away of it: the
 * payment was taken back, and a reversal takes back no more than is left of it.
 */
export function owedAgain(
  { reversalId, cents, description }: MovedCredit,
  dueOn: string,
): NewCharge {
  return {
    ...feeOf(cents, dueOn, `${description} before it was taken back`),
    id: chargeIdOf(reversalId),
  };
}

/**
 * Raises an alarm for each credit that was moved away of a payment which is taken back: where it
 * went, and who owes it.
 */
export async function raiseMovedCredits(
  ctx: Context,
  trx: DatabaseTransaction,
  moved: MovedCredit[],
  { isCharged }: { isCharged: boolean },
): Promise<void> {
  for (const {
    reversalId,
    intentId,
    ledgerId,
    unitName,
    facilityId,
    cents,
    description,
  } of moved) {
    const sum = formatMoney(toDollars(cents));
    const then = isCharged
      ? `Unit ${unitName} owes it again.`
      : 'It is not charged, since a dispute may be won.';
    await raiseAlarm(ctx, trx, {
      kind: 'moved_credit_returned',
      key: `moved_credit_returned:${reversalId}`,
      facilityId,
      sentence: `${sum} of a payment of unit ${unitName} had left it before the payment was taken back (${description}). ${then}`,
      facts: { intent: intentId, ledgerId, reversal: reversalId, cents },
    });
  }
}

/**
 * Follows from the id of the reversal that moved the credit, so that no credit is charged twice.
 */
function chargeIdOf(reversalId: string): string {
  const hex = createHash('sha256').update(`owed again ${reversalId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
