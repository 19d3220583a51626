import { addBusinessDays, calendarDateIn } from '@gatehouse/contract/dates';
import { settlementAdvice } from '@gatehouse/contract/gate-access';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { GateWaitsFor } from '#db/tables.ts';
import { todayAt } from '#db/today.ts';
import { gateDebtColumns, isSuspendedOn, isWaiting, type GateDebt } from './suspension.ts';
import { gateOwedSince, newestWaiting } from './waiting-payments.ts';

/** A ledger of a bank payment that its gate does not count before it has settled, and why. */
export type UncountedPart = { ledgerId: string; reason: GateWaitsFor };

/**
 * Those parts of a bank payment, where the facility waits. Read with the ledgers locked and before
 * the payment is posted. A bill that autopay pays on the day on which it is owed is no lock-out,
 * though the gate may be suspended for it since the morning: else a tenant who pays by bank could
 * not come in for some days of each month.
 */
export async function findUncountedParts(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
): Promise<UncountedPart[]> {
  const now = ctx.clock.now();
  const today = todayAt(now);
  const { rows } = await sql<{ ledgerId: string; isLockedOut: boolean; hasReturn: boolean }>`
    SELECT l.id AS "ledgerId",
      ${isSuspendedOn(ctx, today)} AND (i.initiator = 'tenant' OR l.overlocked_at IS NOT NULL OR EXISTS (
        SELECT FROM open_charges c JOIN entries e ON e.id = c.entry_id
        WHERE c.ledger_id = l.id AND ${gateOwedSince} < ${today})) AS "isLockedOut",
      EXISTS (
        SELECT FROM payment_intents earlier
        WHERE earlier.tenant_id = i.tenant_id AND earlier.type = 'ach' AND earlier.return_code IS NOT NULL
          AND earlier.updated_at > ${now}::timestamptz - interval '1 year') AS "hasReturn"
    FROM payment_intents i JOIN payment_intent_ledgers part ON part.intent_id = i.id
    JOIN ledgers l ON l.id = part.ledger_id JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE i.id = ${intentId} AND i.type = 'ach' AND f.gate_waits_for_settlement`.execute(trx);
  return rows.flatMap(({ ledgerId, isLockedOut, hasReturn }): UncountedPart[] => {
    if (isLockedOut) return [{ ledgerId, reason: 'lockout' }];
    return hasReturn ? [{ ledgerId, reason: 'return' }] : [];
  });
}

/** Notes them, in the transaction that posts the payment. */
export async function noteUncountedParts(
  trx: DatabaseTransaction,
  intentId: string,
  parts: UncountedPart[],
): Promise<void> {
  if (parts.length === 0) return;
  await sql`
      UPDATE payment_intent_ledgers part SET gate_waits_for = uncounted.reason
      FROM unnest(${parts.map(({ ledgerId }) => ledgerId)}::uuid[], ${parts.map(({ reason }) => reason)}::text[])
        AS uncounted (ledger_id, reason)
      WHERE part.intent_id = ${intentId} AND part.ledger_id = uncounted.ledger_id`.execute(trx);
}

/** A gate that waits for a bank payment: about until when, in a sentence too, and why. */
export type GateWait = { date: string; sentence: string; reason: GateWaitsFor };

/** What `waitOf` reads of a rental besides its `GateDebt`. */
export type WaitingGate = GateDebt & {
  newestWaiting: { paidOn: string; reason: GateWaitsFor } | null;
};

/** The columns of a `WaitingGate`, of `l` and `f`. */
export const waitingGateColumns = (ctx: Pick<Context, 'gateway'>) =>
  sql`${gateDebtColumns(ctx)}, ${newestWaiting} AS "newestWaiting"`;

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
    SELECT l.id AS "ledgerId", f.time_zone AS "timeZone", ${waitingGateColumns(ctx)}
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.id = ANY(${ledgerIds}::uuid[]) AND f.gate_waits_for_settlement`.execute(db);
  const waits = rows.map(({ ledgerId, timeZone, ...gate }) => {
    const today = calendarDateIn(timeZone, ctx.clock.now());
    return [ledgerId, waitOf(ctx, gate, today)] as const;
  });
  return new Map(waits.flatMap(([ledgerId, wait]) => (wait === null ? [] : [[ledgerId, wait]])));
}
