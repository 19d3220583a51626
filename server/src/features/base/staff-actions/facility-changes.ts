import type { AuditAction } from '@gatehouse/contract/office/audit-actions';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { scrub } from '#telemetry/scrub.ts';

/**
 * Locks a facility against other changes of its settings and texts, and against postings at its
 * counter, until the transaction ends.
 */
export async function lockFacility(trx: DatabaseTransaction, facilityId: string): Promise<void> {
  await trx
    .selectFrom('facilities')
    .select('id')
    .where('id', '=', facilityId)
    .forNoKeyUpdate()
    .execute();
}

/** `details` are what the audit trail shows besides the verb, the person and the reason. */
type FacilityChange = {
  verb: AuditAction;
  facilityId: string;
  why?: string;
  details: Record<string, string>;
};

/** Writes a change of a facility by staff to the audit trail, in the transaction of the change. */
export async function auditFacilityChange(
  work: Context,
  trx: DatabaseTransaction,
  staff: StaffMember,
  origin: AuditedRequest,
  { verb, facilityId, why = '', details }: FacilityChange,
): Promise<void> {
  const all = { verb, by: staff.name, why: scrub(why), ...details };
  await audit(work, trx, origin, [{ kind: 'staff_action', facilityId, details: all }]);
}
