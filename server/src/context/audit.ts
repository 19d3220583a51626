import { isIP } from 'node:net';
import type { AuditKind } from '@gatehouse/contract/office/audit-actions';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';

/**
 * One event: who did what to whose record, in ids. `account` is a keyed digest of a name that was
 * typed.
 */
export type AuditEvent = {
  kind: AuditKind;
  userId?: string;
  tenantId?: string;
  facilityId?: string;
  ledgerId?: string;
  account?: Buffer;
  /**
   * Our own texts, such as a route's pattern, and no secrets; the only typed texts are the name and
   * the reason of a member of staff, and the address that one had mailed.
   */
  details?: Record<string, string>;
};

/**
 * The request of an event, with the id that its log lines have, what its browser says of itself,
 * and the account of the member of staff who acts.
 */
export type AuditedRequest = {
  ip: string;
  requestId: string;
  userAgent?: string | null;
  staffId?: string;
};

/** Notes events, in the transaction given or by a separate statement. */
export async function audit(
  { clock }: Pick<Context, 'clock'>,
  db: Database,
  request: AuditedRequest,
  events: AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const now = clock.now();
  const origin = originColumns(request);
  const rows = events.map((event) => auditRow(now, request, event));
  await sql`
    INSERT INTO audit_events (at, kind, user_id, tenant_id, facility_id, ledger_id, account, ip, device, staff_id, request_id, details)
    SELECT ${now}, kind, user_id, tenant_id, facility_id, ledger_id, account, ${origin.ip}::text, ${origin.device}::text,
      ${origin.staff_id}::uuid, ${request.requestId}::uuid, details FROM unnest(
      ${rows.map((row) => row.kind)}::text[], ${rows.map((row) => row.user_id)}::uuid[],
      ${rows.map((row) => row.tenant_id)}::uuid[], ${rows.map((row) => row.facility_id)}::uuid[],
      ${rows.map((row) => row.ledger_id)}::uuid[], ${rows.map((row) => row.account)}::bytea[],
      ${rows.map((row) => row.details)}::jsonb[]
    ) WITH ORDINALITY AS e (kind, user_id, tenant_id, facility_id, ledger_id, account, details, place)
    ORDER BY place`.execute(db);
}

/** An event as its row. */
export function auditRow(at: Date, request: AuditedRequest, event: AuditEvent) {
  const { kind, userId, tenantId, facilityId, ledgerId, account, details } = event;
  return {
    at,
    kind,
    user_id: userId ?? null,
    tenant_id: tenantId ?? null,
    facility_id: facilityId ?? null,
    ledger_id: ledgerId ?? null,
    account: account ?? null,
    ...originColumns(request),
    request_id: request.requestId,
    details: details === undefined ? null : JSON.stringify(details),
  };
}

/** The member of staff, the network address, and the device by its own name. */
export function originColumns({ ip, userAgent, staffId }: AuditedRequest) {
  const address = ip.replace(/%.*$/, '');
  return {
    // A proxy may send any text.
    ip: isIP(address) === 0 ? null : address,
    device: userAgent?.replace(/[^ -~]/g, '').slice(0, 300) || null,
    staff_id: staffId ?? null,
  };
}
