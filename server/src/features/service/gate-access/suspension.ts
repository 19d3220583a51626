import { addDays, daysBetween } from '@gatehouse/contract/dates';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import {
  enforcedLater,
  notEnforcedCents,
  type NotEnforced,
} from '#features/base/ledgers/owed-since.ts';
import { gateOwedSince, waitingCents, waitingSince } from './waiting-payments.ts';

/** What decides whether a rental's gate is suspended; sums in cents. */
export type GateDebt = {
  balanceCents: number;
  /** What of the balance is not enforced yet: an act of the operator opened it again. */
  notEnforcedCents: number;
  /** The later days on which more of it is enforced, the first first. */
  enforcedLater: NotEnforced[];
  /**
   * The day since when something is owed (`owedSince` of the ledgers); null where the facility
   * gives no days after it.
   */
  owedSince: string | null;
  /**
   * What of the balance was paid by bank payments that the gate does not count before they have
   * settled, and since when that was owed; null where there are none.
   */
  waitingCents: number | null;
  waitingSince: string | null;
  isOverlocked: boolean;
  /** No debt suspends the gate before this day; null for none. */
  lateFrom: string | null;
  graceDays: number;
  leastCents: number;
};

/**
 * Whether the gate is suspended and the code withheld on the facility's `today`: locked by hand, or
 * owing as much and for as long as the facility says; anything owed by default. What waits for
 * settlement is owed as if it had not been paid. As `isSuspendedOn` in the database.
 */
export function isSuspended(debt: GateDebt, today: string): boolean {
  const { balanceCents, isOverlocked, graceDays, leastCents } = debt;
  if (isOverlocked) return true;
  if (debt.lateFrom !== null && today < debt.lateFrom) return false;
  const enforcedCents = balanceCents - debt.notEnforcedCents;
  if (enforcedCents + (debt.waitingCents ?? 0) < leastCents) return false;
  const [since] = [debt.owedSince, debt.waitingSince].filter((day) => day !== null).toSorted();
  return graceDays === 0 || since === undefined || daysBetween(since, today) >= graceDays;
}

/** Whether bank payments that have not settled are all that suspends the gate. */
export function isWaiting(debt: GateDebt, today: string): boolean {
  const settled = { ...debt, waitingCents: null, waitingSince: null };
  return isSuspended(debt, today) && !isSuspended(settled, today);
}

/**
 * The last day before the gate is suspended for what is owed now, and what of that is enforced on
 * the day after; null where it is suspended, or will not be for that, or waits for a bank payment,
 * after which paying the rest is not all.
 */
export function payBy(debt: GateDebt, today: string): { date: string; cents: number } | null {
  const { balanceCents, owedSince, lateFrom, waitingCents: waiting, graceDays, leastCents } = debt;
  if (isSuspended(debt, today) || waiting !== null) return null;
  const steps = [{ from: today, cents: debt.notEnforcedCents }, ...debt.enforcedLater].map(
    ({ from, cents }) => ({ from, cents: balanceCents - cents }),
  );
  const first = steps.find(({ cents }) => cents >= leastCents);
  if (first === undefined) return null;
  const days = [first.from, owedSince && addDays(owedSince, graceDays), lateFrom];
  const from = days
    .filter((day) => day !== null)
    .toSorted()
    .at(-1)!;
  const { cents } = steps.findLast((step) => step.from <= from)!;
  return { date: addDays(from, -1), cents };
}

/**
 * The first day from `from` on on which what is owed now suspends the gate; null where it will not,
 * or waits for a bank payment.
 */
export function suspendsOn(debt: GateDebt, from: string): string | null {
  if (isSuspended(debt, from)) return from;
  const by = payBy(debt, from);
  return by && addDays(by.date, 1);
}

/** The gateway, as far as it decides about gates. */
export type LeastCharge = { gateway: Pick<Context['gateway'], 'leastChargeCents'> };

/**
 * The facility's setting, or the gateway's least charge where that is more: no unit is locked out
 * for a sum that cannot be paid.
 */
const leastCents = ({ gateway }: LeastCharge) =>
  sql`greatest(f.gate_least_cents, ${gateway.leastChargeCents}::bigint)`;

/**
 * Of the ledger `l` at the facility `f`; the open charges are read only where the facility gives
 * days.
 */
const ledgerOwedSince = sql`CASE WHEN f.gate_grace_days > 0 AND l.balance_cents > 0
  THEN (SELECT min(${gateOwedSince}) FROM open_charges c JOIN entries e ON e.id = c.entry_id WHERE c.ledger_id = l.id) END`;

/** What a statement reads of `l` and `f` for a `GateDebt` on the facility's `today`. */
export const gateDebtColumns = (
  ctx: LeastCharge,
  today: string | RawBuilder<unknown>,
) => sql`l.balance_cents AS "balanceCents", ${notEnforcedCents(today)} AS "notEnforcedCents",
  ${enforcedLater(today)} AS "enforcedLater",
  ${ledgerOwedSince} AS "owedSince", ${waitingCents} AS "waitingCents", ${waitingSince} AS "waitingSince",
  l.overlocked_at IS NOT NULL AS "isOverlocked", l.late_from AS "lateFrom", f.gate_grace_days AS "graceDays", ${leastCents(ctx)} AS "leastCents"`;

/** `isSuspended` of `l` and `f` in a query, on the facility's `today` or on a day in SQL. */
export const isSuspendedOn = (
  ctx: LeastCharge,
  today: string | RawBuilder<unknown>,
) => sql<boolean>`((l.overlocked_at IS NOT NULL OR l.late_from IS NULL OR l.late_from <= ${today}::date)
  AND is_gate_suspended(l.balance_cents - ${notEnforcedCents(today)} + coalesce(${waitingCents}, 0),
    least(${ledgerOwedSince}, ${waitingSince}), l.overlocked_at, f.gate_grace_days, ${leastCents(ctx)}, ${today}::date))`;
