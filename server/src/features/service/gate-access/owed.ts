import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { todayAt } from '#db/today.ts';
import type { Owed } from '#emails/owed.ts';
import { gateDebtColumns, isSuspended, payBy, type GateDebt } from './suspension.ts';

type Row = GateDebt & Pick<Owed, 'ledgerId' | 'unitName'> & { timeZone: string; isBegun: boolean };

/**
 * The ledgers that owe something and can be paid in the portal, ordered by unit name. Rentals that
 * have ended cannot be paid there.
 */
export async function findOwed(
  ctx: Pick<Context, 'gateway' | 'clock'>,
  db: Database,
  ledgerIds: string[],
): Promise<Owed[]> {
  const now = ctx.clock.now();
  const today = todayAt(now);
  const { rows } = await sql<Row>`
    SELECT l.id AS "ledgerId", u.name AS "unitName", f.time_zone AS "timeZone",
      l.moved_in_on <= ${today} AS "isBegun", ${gateDebtColumns(ctx, today)}
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.id = ANY(${ledgerIds}::uuid[]) AND l.balance_cents > 0 AND is_current_on(l.moved_out_on, ${today})
    ORDER BY u.name, l.id`.execute(db);
  return rows.map((row) => ({
    ledgerId: row.ledgerId,
    unitName: row.unitName,
    cents: row.balanceCents,
    gate: row.isBegun ? gateOf(row, calendarDateIn(row.timeZone, now)) : null,
  }));
}

/** Null also if paying is not enough: an overlock, or a bank payment that has not settled. */
function gateOf(debt: GateDebt, today: string): Owed['gate'] {
  if (debt.isOverlocked || debt.waitingCents !== null) return null;
  if (isSuspended(debt, today))
    return { cents: debt.balanceCents - debt.notEnforcedCents, lastDay: null };
  const by = payBy(debt, today);
  return by && { cents: by.cents, lastDay: by.date };
}
