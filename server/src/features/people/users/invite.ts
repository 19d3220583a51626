import { inviteTenants } from '@gatehouse/contract/tenant-records';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { blockText } from '#emails/render.ts';
import {
  getOneFacility,
  runStaffVerb,
  type StaffCall,
} from '#features/base/staff-actions/staff-actions.ts';
import { invitationEmail } from './emails.ts';
import { inviteTenant } from './users.ts';

/**
 * `tenants.invite`: in the order of their names, once each, except addresses that end with
 * .invalid. Refuses with 422 a caller who works for several facilities and names none.
 */
export function inviteTenantsOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof inviteTenants>> {
  return runStaffVerb(ctx, inviteTenants, call, body, async (on, { most }) => {
    const facilityId = getOneFacility(call, 'Name the facility whose tenants are invited.');
    const { name, phone, street1, city } = await on.trx
      .selectFrom('facilities')
      .select(['name', 'phone', 'street1', 'city'])
      .where('id', '=', facilityId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const { rows } = await sql<{ id: string; name: string }>`
      SELECT t.id, t.name AS name FROM tenants t JOIN facilities f ON f.id = t.facility_id
      WHERE f.id = ${facilityId} AND t.email NOT ILIKE '%.invalid' AND is_reached_by_address(t.id)
        AND EXISTS (SELECT FROM ledgers l WHERE l.tenant_id = t.id AND l.moved_out_on IS NULL)
        AND NOT EXISTS (SELECT FROM user_tenants ut WHERE ut.tenant_id = t.id)
        AND NOT EXISTS (
          SELECT FROM users u WHERE u.corporation_id = f.corporation_id AND lower(u.email) = lower(t.email)
            AND u.disabled_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM audit_events e WHERE e.tenant_id = t.id AND e.kind = 'user_invited')
      ORDER BY t.last_key, t.first_key, t.id`.execute(on.trx);
    const invited = rows.slice(0, most);
    const by = { by: call.by, ...(call.origin && { origin: call.origin }) };
    for (const { id } of invited) await inviteTenant(on.ctx, on.trx, id, by);
    const mail = invitationEmail({ name, phone, address: `${street1}, ${city}` });
    const reply = {
      invited: invited.length,
      left: rows.length - invited.length,
      names: invited.map((one) => one.name),
      subject: mail.subject,
      text: mail.blocks.map(blockText).join(' '),
    };
    return { reply, about: { facilityId, details: { invited: String(invited.length) } } };
  });
}
