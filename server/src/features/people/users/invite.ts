import { inviteTenants, MOST_INVITED } from '@gatehouse/contract/tenant-records';
import type { Reply } from '@gatehouse/contract/endpoint';
import type { listUndeliverable } from '@gatehouse/contract/office/imports';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { todayAt } from '#db/today.ts';
import { blockText } from '#emails/render.ts';
import { getOneFacility, workOf } from '#features/base/staff-actions/staff-actions.ts';
import { invitationEmail } from './emails.ts';
import { INVITATION, inviteTenant } from './users.ts';

/** Slow enough that no mail server takes 900 invitations for spam. */
const MAILS_A_SECOND = 4;

/**
 * `tenants.invite`: in the order of their names, each address once, except those that end with
 * .invalid; their mails are sent a few a second. Refuses with 422 a caller who works for several
 * facilities and names none.
 */
export const inviteTenantsOf = workOf(inviteTenants, async (on, { most = MOST_INVITED }) => {
  const facilityId = getOneFacility(on.call, 'Name the facility whose tenants are invited.');
  const { name, phone, street1, city } = await on.trx
    .selectFrom('facilities')
    .select(['name', 'phone', 'street1', 'city'])
    .where('id', '=', facilityId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ id: string; name: string }>`
      SELECT id, name FROM (
        SELECT DISTINCT ON (lower(t.email)) t.id, t.last_key, t.first_key, t.name
        FROM tenants t JOIN facilities f ON f.id = t.facility_id
        WHERE f.id = ${facilityId} AND t.email NOT ILIKE '%.invalid' AND is_reached_by_address(t.id)
          AND NOT is_closed_by_death(t.id)
          AND EXISTS (SELECT FROM ledgers l WHERE l.tenant_id = t.id AND is_current_on(l.moved_out_on, ${todayAt(on.now)}))
          AND NOT EXISTS (SELECT FROM user_tenants ut WHERE ut.tenant_id = t.id)
          AND NOT EXISTS (
            SELECT FROM users u WHERE u.corporation_id = f.corporation_id AND lower(u.email) = lower(t.email)
              AND u.disabled_at IS NOT NULL)
          AND NOT EXISTS (SELECT FROM tenants o JOIN audit_events e ON e.tenant_id = o.id AND e.kind = 'user_invited'
            WHERE lower(o.email) = lower(t.email))
        ORDER BY lower(t.email), t.last_key, t.first_key, t.id
      ) one ORDER BY last_key, first_key, id`.execute(on.trx);
  const invited = rows.slice(0, most);
  const by = { by: on.call.by, ...(on.call.origin && { origin: on.call.origin }) };
  // To write hundreds of mails takes seconds, and nothing that a preview says depends on it.
  for (const [place, { id }] of on.call.isPreview ? [] : invited.entries())
    await inviteTenant(on.ctx, on.trx, id, {
      ...by,
      afterSeconds: Math.floor(place / MAILS_A_SECOND),
    });
  const mail = invitationEmail({ name, phone, address: `${street1}, ${city}` });
  const reply = {
    invited: invited.length,
    left: rows.length - invited.length,
    names: invited.map((one) => one.name),
    subject: mail.subject,
    text: mail.blocks.map(blockText).join(' '),
  };
  return {
    reply,
    about: { facilityId, details: { invited: String(invited.length) } },
    told: {
      verb: 'records.show',
      about: {
        facilityId,
        details: { shows: 'tenants to invite', rows: String(invited.length) },
      },
    },
  };
});

const MOST_UNDELIVERABLE = 200;

/**
 * The invitations at the places that could not be delivered, unless the record has another address
 * now or a later one was sent. `work` reads every row.
 */
export async function findUndeliverable(
  { db }: Context,
  places: Places,
): Promise<Reply<typeof listUndeliverable>> {
  const { rows } = await sql<Reply<typeof listUndeliverable>['rows'][number]>`
    SELECT "tenantId", name, "locationCode", email, fault FROM (
      SELECT DISTINCT ON (t.id) t.id AS "tenantId", t.name, t.last_key, t.first_key,
        f.location_code AS "locationCode", t.email, m.fault
      FROM mails m JOIN tenants t ON t.id = m.tenant_id AND lower(t.email) = lower(m.to_address)
      JOIN facilities f ON f.id = t.facility_id
      WHERE m.kind = 'security' AND m.about = ${INVITATION} AND ${within(sql`f.id`, places)}
      ORDER BY t.id, m.position DESC
    ) last WHERE fault IS NOT NULL ORDER BY last_key, first_key, "tenantId" LIMIT ${MOST_UNDELIVERABLE}`.execute(
    db,
  );
  return { rows };
}
