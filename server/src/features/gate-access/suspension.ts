import { addDays, daysBetween } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Context } from '#context.ts';
import { owedSince } from '#features/ledgers/owed-since.ts';

/** What decides whether a rental's gate is suspended; sums in cents. */
export type GateDebt = {
  balanceCents: number;
  /** The day since when something is owed (`owedSince` of the ledgers); null where the facility gives no days after it. */
  owedSince: string | null;
  isOverlocked: boolean;
  graceDays: number;
  leastCents: number;
};

/**
 * Whether the gate is suspended and the code withheld on the facility's `today`: locked by hand, or owing as much and for as
 * long as the facility says; anything owed by default (spec section 4). As is_gate_suspended of the database.
 */
export function isSuspended(debt: GateDebt, today: string): boolean {
  const { balanceCents, owedSince, isOverlocked, graceDays, leastCents } = debt;
  if (isOverlocked) return true;
  if (balanceCents < leastCents) return false;
  return graceDays === 0 || owedSince === null || daysBetween(owedSince, today) >= graceDays;
}

/** The last day before the gate is suspended for what is owed now; null where it is suspended, or will not be for that. */
export function payBy(debt: GateDebt, today: string): string | null {
  const { balanceCents, owedSince, graceDays, leastCents } = debt;
  if (isSuspended(debt, today) || balanceCents < leastCents || owedSince === null) return null;
  return addDays(owedSince, graceDays - 1);
}

/**
 * The facility's setting, or the gateway's least charge where that is more: no unit is locked out for
 * a sum that cannot be paid.
 */
const leastCents = ({ gateway }: Pick<Context, 'gateway'>) =>
  sql`greatest(f.gate_least_cents, ${gateway.leastChargeCents}::bigint)`;

/** Of the ledger `l` at the facility `f`; the open charges are read only where the facility gives days. */
const ledgerOwedSince = sql`CASE WHEN f.gate_grace_days > 0 AND l.balance_cents >= f.gate_least_cents
  THEN (SELECT min(${owedSince}) FROM open_charges c JOIN entries e ON e.id = c.entry_id WHERE c.ledger_id = l.id) END`;

/** What a statement reads of `l` and `f` for a `GateDebt`. */
export const gateDebtColumns = (ctx: Pick<Context, 'gateway'>) => sql`l.balance_cents AS "balanceCents",
  ${ledgerOwedSince} AS "owedSince", l.overlocked_at IS NOT NULL AS "isOverlocked", f.gate_grace_days AS "graceDays",
  ${leastCents(ctx)} AS "leastCents"`;

/** `isSuspended` of `l` and `f` in a query. */
export const isSuspendedOn = (ctx: Pick<Context, 'gateway'>, today: string) =>
  sql<boolean>`is_gate_suspended(l.balance_cents, ${ledgerOwedSince}, l.overlocked_at, f.gate_grace_days, ${leastCents(ctx)},
    ${today}::date)`;
