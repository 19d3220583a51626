import { sql } from 'kysely';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { reaching } from '#db/database.ts';
import { readOverview, type Overview } from '#features/desk/overview/overview.ts';
import { noteShown } from '#features/base/staff-actions/staff-actions.ts';
import type { StaffMember } from '#http/staff-guard.ts';

/**
 * What the tenant of a record sees on My Units, read with that tenant's reach. That it was shown,
 * and each gate code in it, is in the audit trail before it is answered.
 */
export async function readAsTenant(
  work: Context,
  staff: StaffMember,
  { tenantId, facilityId, timeZone }: { tenantId: string; facilityId: string; timeZone: string },
  request: AuditedRequest,
): Promise<Overview> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ledgers WHERE tenant_id = ${tenantId} ORDER BY id`.execute(work.db);
  const reach = {
    userId: staff.staffId,
    tenantIds: [tenantId],
    ledgerIds: rows.map(({ id }) => id),
  };
  const noted = { by: staff.name, why: '', origin: request };
  await noteShown(work, 'tenants.asTenant', noted, { facilityId, tenantId });
  const caller = { ...reach, facilityId, timeZone, tokenHash: staff.tokenHash, kept: null };
  return readOverview({ ...work, db: reaching(work.db, reach) }, caller, tenantId, request);
}
