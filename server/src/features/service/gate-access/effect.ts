import { addDays, formatDate } from '@gatehouse/contract/dates';
import type { GateEffect } from '@gatehouse/contract/gate-effect';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { gateDebtColumns, isSuspended, payBy, type GateDebt } from './suspension.ts';

/**
 * What decides about the gate of a rental on the facility's `today`; null of one that has not begun
 * or has ended, whose code opens nothing.
 */
export async function findGateDebt(
  ctx: Pick<Context, 'gateway'>,
  db: Database,
  { ledgerId, today }: { ledgerId: string; today: string },
): Promise<GateDebt | null> {
  const { rows } = await sql<GateDebt>`
    SELECT ${gateDebtColumns(ctx, today)}
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.id = ${ledgerId} AND l.moved_in_on <= ${today}::date AND is_current_on(l.moved_out_on, ${today}::date)`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** What a posting does to the gate, from the debts before and after it; null where one is null. */
export function gateEffect(
  before: GateDebt | null,
  after: GateDebt | null,
  today: string,
): GateEffect | null {
  if (before === null || after === null) return null;
  if (isSuspended(after, today)) {
    const opens = `It opens again once ${whatOpens(after, today)}.`;
    return isSuspended(before, today)
      ? { effect: 'staysClosed', sentence: `The gate is closed already and stays closed. ${opens}` }
      : { effect: 'closes', sentence: `The gate closes at once. ${opens}` };
  }
  const by = payBy(after, today);
  if (by === null) return { effect: 'none', sentence: 'The gate stays open.' };
  return {
    effect: by.date === payBy(before, today)?.date ? 'none' : 'closesLater',
    sentence: `The gate stays open, and closes on ${formatDate(addDays(by.date, 1))} unless ${isPaid(after, by.cents)} before.`,
  };
}

/** Every part of the debt that closes the gate by itself has to go. */
function whatOpens(debt: GateDebt, today: string): string {
  const byDebt = { ...debt, isOverlocked: false };
  const bySettled = { ...byDebt, waitingCents: null, waitingSince: null };
  const conditions = [
    ...(isSuspended(bySettled, today)
      ? [isPaid(debt, debt.balanceCents - debt.notEnforcedCents)]
      : []),
    ...(isSuspended(byDebt, today) && debt.waitingCents !== null && debt.waitingCents > 0
      ? ['the bank payments that are pending have settled']
      : []),
    ...(debt.isOverlocked ? ['staff release the lock'] : []),
  ];
  return conditions.join(' and ');
}

function isPaid({ leastCents }: GateDebt, cents: number): string {
  return leastCents === 1
    ? `${formatMoney(toDollars(cents))} is paid`
    : `less than ${formatMoney(toDollars(leastCents))} is owed`;
}
