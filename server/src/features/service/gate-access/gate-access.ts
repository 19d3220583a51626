import { calendarDateIn } from '@gatehouse/contract/dates';
import type { GateAccess } from '@gatehouse/contract/gate-access';
import { hoursFrom, scheduleName } from '@gatehouse/contract/gate-hours';
import { toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { anyOf } from '#db/any-of.ts';
import type { Caller } from '#http/guard.ts';
import { withholdChanged } from './shown-codes.ts';
import { waitingGateColumns, waitOf, type WaitingGate } from './settlement.ts';
import { isSuspended, payBy } from './suspension.ts';

type GateRow = WaitingGate & {
  ledger_id: string;
  unit_id: string;
  schedule_name: string;
  gate_hours: string;
  gate_holidays: string;
  access_code: string | null;
  is_begun: boolean;
};

/**
 * The gate access of the units that the caller's records rent now, by unit name; with `unitId` of
 * that one only. A code is opened only for a unit that is not locked out and whose rental has
 * begun, and is absent otherwise. In a kept session one that changed waits for a passkey. Each that
 * is shown is in the audit trail before it is answered.
 */
export async function showGateAccess(
  ctx: Context,
  caller: Caller,
  request: AuditedRequest,
  unitId: string | null = null,
): Promise<GateAccess[]> {
  const { userId, facilityId, tenantIds, timeZone } = caller;
  const today = calendarDateIn(timeZone, ctx.clock.now());
  const isAsked = unitId === null ? sql`true` : sql`l.unit_id = ${unitId}`;
  const { rows } = await sql<GateRow>`
    SELECT l.id AS ledger_id, l.unit_id, s.name AS schedule_name, f.gate_hours, f.gate_holidays, c.access_code,
      l.moved_in_on <= ${today}::date AS is_begun, ${waitingGateColumns(ctx, today)}
    FROM ledgers l
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    JOIN gate_schedules s ON s.id = l.gate_schedule_id
    LEFT JOIN gate_codes c ON c.ledger_id = l.id
    WHERE l.tenant_id = ${anyOf(tenantIds)} AND is_current_on(l.moved_out_on, ${today}::date) AND ${isAsked}
    ORDER BY u.name`.execute(ctx.db);
  const codes = rows
    .filter((row) => isShown(row, today))
    .map(({ ledger_id, access_code }) => ({
      ledgerId: ledger_id,
      code: ctx.vault.open('gateCode', ledger_id, access_code),
    }));
  const withheld = await withholdChanged(ctx, caller, codes);
  const shown = codes.filter(({ ledgerId }) => !withheld.has(ledgerId));
  await audit(
    ctx,
    ctx.db,
    request,
    shown.map(({ ledgerId }) => ({ kind: 'gate_code_shown', userId, facilityId, ledgerId })),
  );
  const codeOf = new Map(shown.map(({ ledgerId, code }) => [ledgerId, code]));
  return rows.map((row) => ({
    unitId: row.unit_id,
    timeZone: scheduleName(row.schedule_name, hoursFrom(row.gate_hours, row.gate_holidays, today)),
    ...(codeOf.has(row.ledger_id) && { accessCode: codeOf.get(row.ledger_id) }),
    ...(withheld.has(row.ledger_id) && { needsConfirm: true as const }),
    ...(row.isOverlocked && { isOverlocked: true }),
    ...payByOf(row, today),
    ...(row.notEnforcedCents > 0 && isSuspended(row, today) && { opensFor: enforcedOf(row) }),
    ...waitsOf(ctx, row, today),
  }));
}

/** A rental that begins later has no code yet. */
function isShown(row: GateRow, today: string): row is GateRow & { access_code: string } {
  return row.access_code !== null && row.is_begun && !isSuspended(row, today);
}

function waitsOf(
  ctx: Context,
  row: GateRow,
  today: string,
): Pick<GateAccess, 'waitsForSettlement'> {
  const wait = waitOf(ctx, row, today);
  return wait === null ? {} : { waitsForSettlement: { date: wait.date, sentence: wait.sentence } };
}

function payByOf(row: GateRow, today: string): Pick<GateAccess, 'payBy'> {
  const by = payBy(row, today);
  return by === null ? {} : { payBy: { amount: toDollars(by.cents), date: by.date } };
}

function enforcedOf({ balanceCents, notEnforcedCents }: GateRow): number {
  return toDollars(balanceCents - notEnforcedCents);
}
