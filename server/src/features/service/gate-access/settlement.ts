import { addBusinessDays, calendarDateIn } from '@gatehouse/contract/dates';
import { settlementAdvice } from '@gatehouse/contract/gate-access';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { GateWaitsFor } from '#db/tables.ts';
import { todayAt } from '#db/today.ts';
import { gateDebtColumns, isSuspendedOn, isWaiting, type GateDebt } from './suspension.ts';
import { gateOwedSince, newestWaiting } from './waiting-payments.ts';

/**
 * Notes why gates will not count a bank payment before it has settled, where the facility waits,
 * and answers whether one will not. Called with the ledgers locked and before the payment is
 * posted. A bill that autopay pays on the day on which it is owed is no lock-out, though the gate
 * may be suspended for it since the morning: else a tenant who pays by bank could not come in for
 * some days of each month.
 */
export async function noteGateWaits(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
): Promise<boolean> {
  const now = ctx.clock.now();
  const today = todayAt(now);
  const { rows } = await sql`
    UPDATE payment_intent_ledgers part SET gate_waits_for = gate.reason
    FROM (
      SELECT l.id AS ledger_id, CASE
        WHEN ${isSuspendedOn(ctx, today)} AND (i.initiator = 'tenant' OR l.overlocked_at IS NOT NULL OR EXISTS (
          SELECT FROM open_charges c JOIN entries e ON e.id = c.entry_id
          WHERE c.ledger_id = l.id AND ${gateOwedSince} < ${today})) THEN 'lockout'
        WHEN EXISTS (
          SELECT FROM payment_intents earlier
          WHERE earlier.tenant_id = i.tenant_id AND earlier.type = 'ach' AND earlier.return_code IS NOT NULL
            AND earlier.updated_at > ${now}::timestamptz - interval '1 year') THEN 'return' END AS reason
      FROM payment_intents i JOIN payment_intent_ledgers own ON own.intent_id = i.id
      JOIN ledgers l ON l.id = own.ledger_id JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
      WHERE i.id = ${intentId} AND i.type = 'ach' AND f.gate_waits_for_settlement
    ) AS gate
    WHERE part.intent_id = ${intentId} AND part.ledger_id = gate.ledger_id AND gate.reason IS NOT NULL
    RETURNING part.ledger_id`.execute(trx);
  return rows.length > 0;
}

/** A gate that waits for a bank payment: about until when, in a sentence too, and why. */
export type GateWait = { date: string; sentence: string; reason: GateWaitsFor };

/** What `waitOf` reads of a rental besides its `GateDebt`. */
export type WaitingGate = GateDebt & {
  newestWaiting: { paidOn: string; reason: GateWaitsFor } | null;
};

/** The columns of a `WaitingGate`, of `l` and `f`. */
export const waitingGateColumns = (
  ctx: Pick<Context, 'gateway'>,
  today: string | RawBuilder<unknown>,
) => sql`${gateDebtColumns(ctx, today)}, ${newestWaiting} AS "newestWaiting"`;

/**
 * What a gate waits for on the facility's `today`; null where it is open, or where more suspends it
 * than a bank payment that has not settled. A payment that is late is said to settle on the next
 * business day.
 */
export function waitOf(
  { gateway }: Pick<Context, 'gateway'>,
  gate: WaitingGate,
  today: string,
): GateWait | null {
  const { newestWaiting: newest } = gate;
  if (newest === null || !isWaiting(gate, today)) return null;
  const expected = addBusinessDays(newest.paidOn, gateway.debitBusinessDays);
  const date = expected < today ? addBusinessDays(today, 1) : expected;
  return { date, sentence: settlementAdvice(date), reason: newest.reason };
}

/** `waitOf` of those of the ledgers whose gates wait. */
export async function findGateWaits(
  ctx: Context,
  db: Database,
  ledgerIds: string[],
): Promise<Map<string, GateWait>> {
  const { rows } = await sql<WaitingGate & { ledgerId: string; timeZone: string }>`
    SELECT l.id AS "ledgerId", f.time_zone AS "timeZone", ${waitingGateColumns(ctx, todayAt(ctx.clock.now()))}
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.id = ANY(${ledgerIds}::uuid[]) AND f.gate_waits_for_settlement`.execute(db);
  const waits = rows.map(({ ledgerId, timeZone, ...gate }) => {
    const today = calendarDateIn(timeZone, ctx.clock.now());
    return [ledgerId, waitOf(ctx, gate, today)] as const;
  });
  return new Map(waits.flatMap(([ledgerId, wait]) => (wait === null ? [] : [[ledgerId, wait]])));
}
