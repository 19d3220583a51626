import { isIP } from 'node:net';
import type { Context } from '#context.ts';
import type { Database } from '#db/database.ts';

/**
 * What the audit trail holds (D28). Consents to autopay, payments with their methods and messages to staff have rows of
 * their own that are never changed, and are not repeated here (docs/retention.md).
 */
export type AuditKind =
  | 'signed_in'
  | 'sign_in_failed'
  | 'signed_out'
  | 'session_replaced'
  | 'registered'
  | 'password_set'
  | 'gate_code_shown'
  | 'license_added'
  | 'phone_added'
  | 'alternate_contact_set'
  | 'contact_update_requested'
  | 'move_out_requested'
  | 'request_replied'
  | 'request_status_changed'
  | 'user_invited'
  | 'user_disabled'
  | 'user_enabled'
  | 'user_unlocked'
  | 'access_refused'
  | 'token_misplaced'
  | 'secrets_exported'
  | 'payment_refunded'
  | 'refund_refused'
  | 'payment_disputed'
  | 'dispute_won'
  | 'dispute_lost'
  | 'staff_action';

/** One event: who did what to whose record, in ids. `account` is a keyed digest of a name that was typed. */
export type AuditEvent = {
  kind: AuditKind;
  userId?: string;
  tenantId?: string;
  facilityId?: string;
  ledgerId?: string;
  account?: Buffer;
  /** Words of ours, such as a route's pattern, and no secret; of what somebody typed only who a member of staff is and why. */
  details?: Record<string, string>;
};

/** The request that an event came with, under the id that its line in the log has. */
export type AuditedRequest = { ip: string; requestId: string };

/** Notes events, in the transaction given or by one statement of its own. */
export async function audit(
  { clock }: Pick<Context, 'clock'>,
  db: Database,
  request: AuditedRequest,
  events: AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await db
    .insertInto('audit_events')
    .values(events.map((event) => auditRow(clock.now(), request, event)))
    .execute();
}

/** An event as its row. */
export function auditRow(at: Date, { ip, requestId }: AuditedRequest, event: AuditEvent) {
  const { kind, userId, tenantId, facilityId, ledgerId, account, details } = event;
  return {
    at,
    kind,
    user_id: userId ?? null,
    tenant_id: tenantId ?? null,
    facility_id: facilityId ?? null,
    ledger_id: ledgerId ?? null,
    account: account ?? null,
    // A proxy's word may be anything.
    ip: isIP(ip.replace(/%.*$/, '')) === 0 ? null : ip.replace(/%.*$/, ''),
    request_id: requestId,
    details: details === undefined ? null : JSON.stringify(details),
  };
}
