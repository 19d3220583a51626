import { acceptTenant, refuseTenant } from '@gatehouse/contract/tenant-marks';
import { type StaffWork, workOf } from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { lockStaffRecord } from './staff-records.ts';

/**
 * `tenants.refuse`: keeps why nothing more is rented to the tenant. Refuses with 404 a record that
 * is not there, and with 422 one that is marked already.
 */
export const refuseTenantOf = workOf(refuseTenant, (on, { tenantId }) =>
  mark(on, tenantId, on.call.why, 'Nothing is rented to this tenant already.'),
);

/** `tenants.accept`: takes the mark off. Refuses likewise. */
export const acceptTenantOf = workOf(acceptTenant, (on, { tenantId }) =>
  mark(on, tenantId, null, 'This tenant may rent already.'),
);

/** `already` refuses what is so already. */
async function mark(on: StaffWork, tenantId: string, why: string | null, already: string) {
  const { id, facilityId } = await lockStaffRecord(on, tenantId);
  const marked = await on.trx
    .updateTable('tenants')
    .set({ do_not_rent: why })
    .where('id', '=', id)
    .where('do_not_rent', why === null ? 'is not' : 'is', null)
    .returning('name')
    .executeTakeFirst();
  if (marked === undefined) throw new Refusal(422, already);
  return { reply: { tenantId: id, name: marked.name }, about: { facilityId, tenantId: id } };
}
