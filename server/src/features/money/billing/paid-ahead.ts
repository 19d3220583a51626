import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { sql, type RawBuilder } from 'kysely';
import { anyOf } from '#db/any-of.ts';
import type { Database } from '#db/database.ts';
import { readBillableWhere, type BillableLedger } from './billable.ts';
import { totalCents } from './bill.ts';
import { billLedger, lastCovered } from './ledger-bill.ts';

/** A rental with what is to its credit for bills to come, payments that are being confirmed too. */
export type Prepaid = { ledger: BillableLedger; creditCents: number };

/** The rentals `l` that are `which` and have something to their credit. */
export async function findPrepaid(db: Database, which: RawBuilder<boolean>): Promise<Prepaid[]> {
  const isOpen = sql`p.ledger_id = l.id AND p.state IN ('submitted', 'unknown')`;
  const ledgers = await readBillableWhere(
    db,
    sql`${which} AND (l.balance_cents < 0 OR EXISTS (SELECT FROM payment_intent_ledgers p WHERE ${isOpen}))`,
  );
  if (ledgers.length === 0) return [];
  const { rows } = await sql<{ id: string; cents: number }>`
    SELECT l.id, coalesce(sum(p.amount_cents), 0)::bigint AS cents
    FROM ledgers l LEFT JOIN payment_intent_ledgers p ON ${isOpen}
    WHERE l.id = ${anyOf(ledgers.map(({ ledgerId }) => ledgerId))} GROUP BY 1`.execute(db);
  const open = new Map(rows.map(({ id, cents }) => [id, cents]));
  return ledgers.map((ledger) => ({
    ledger,
    creditCents: (open.get(ledger.ledgerId) ?? 0) - ledger.balanceCents,
  }));
}

/** By how much the bills rise that a rental has paid ahead, through the last day of them. */
export type PrepaidRise = { unitName: string; through: string; cents: number };

/**
 * What other terms, from a day on, do to the bills that are paid ahead at the terms as they are;
 * null where they do not rise.
 */
export function prepaidRise(
  { ledger, creditCents }: Prepaid,
  after: BillableLedger,
  from = '',
): PrepaidRise | null {
  const last = lastCovered(ledger, creditCents);
  if (last === null) return null;
  const { dueOn, periodEnd: through } = last;
  const cents = billed(after, from, dueOn) - billed(ledger, from, dueOn);
  return cents > 0 ? { unitName: ledger.unitName, through, cents } : null;
}

/** What the bills that are due from one day to another come to, at the rent as it is. */
function billed(ledger: BillableLedger, from: string, until: string): number {
  const { periods } = billLedger({ ...ledger, scheduled: null }, until);
  return periods
    .filter(({ dueOn }) => dueOn >= from)
    .reduce((sum, { charges }) => sum + totalCents(charges), 0);
}

/** A rise of what is paid ahead, in a sentence for staff. */
export function prepaidRiseSentence({ unitName, through, cents }: PrepaidRise): string {
  return `Unit ${unitName} is paid ahead through ${formatDate(through)}: ${formatMoney(toDollars(cents))} more will be owed for that.`;
}
