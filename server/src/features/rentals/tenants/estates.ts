import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { recordDeath, revokeDeath } from '@gatehouse/contract/tenant-marks';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { todayAt } from '#db/today.ts';
import { within } from '#db/within.ts';
import { countStaffMail, takeStaffMail } from '#features/base/limits/staff-mails.ts';
import { kindsToStaff } from '#features/base/mail/kinds.ts';
import { stopAllAutopay } from '#features/money/autopay/switch.ts';
import { foldEmail } from '#features/people/session/account.ts';
import { inviteTenant } from '#features/people/users/users.ts';
import {
  runStaffVerb,
  type StaffCall,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { endAccess, lockStaffRecord, type LockedRecord } from './staff-records.ts';

/**
 * `tenants.recordDeath`: from the commit on nothing is charged by autopay, signed in to or sent to
 * the address. Done again it names another executor. Refuses with 404 a record that is not there,
 * with 422 an executor at the address that is closed, with 409 one at another address than the
 * record has by then, and with 429 too many strangers who are named.
 */
export function recordDeathOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof recordDeath>> {
  return runStaffVerb(ctx, recordDeath, call, body, async (on, { tenantId, ...given }) => {
    const record = await lockStaffRecord(on, tenantId);
    const executor = {
      name: given.name,
      relation: given.relation || null,
      phone: given.phone ?? null,
      email: given.email ?? null,
      note: given.note || null,
    };
    const kept = { ...executor, by_name: on.call.by, created_at: on.now };
    const before = await on.trx
      .selectFrom('estates')
      .select('email')
      .where('tenant_id', '=', record.id)
      .executeTakeFirst();
    if (executor.email !== null && executor.email !== before?.email)
      await countStaffMail(on.ctx, on.trx, { to: executor.email, staffId: call.staff?.id });
    // First, so that the next steps do not mail the tenant.
    const { closed_email: closedEmail } = await on.trx
      .insertInto('estates')
      .values({
        tenant_id: record.id,
        facility_id: record.facilityId,
        closed_email: record.email,
        ...kept,
      })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(kept))
      .returning('closed_email')
      .executeTakeFirstOrThrow();
    if (executor.email !== null && foldEmail(executor.email) === foldEmail(closedEmail))
      throw new Refusal(
        422,
        'This is the address that is closed with the record: give another one for the executor, or none.',
      );
    const isClosed = foldEmail(closedEmail) === foldEmail(record.email);
    if (!isClosed && foldEmail(executor.email ?? '') !== foldEmail(record.email))
      throw new Refusal(
        409,
        `Mails go to ${record.email}, which is the record’s email by now and signs in: change that first.`,
      );
    const sessionsEnded = isClosed ? await endAccess(on.trx, record, on.now) : 0;
    // After the tenant's own calls, of which one may turn it on.
    const autopayOf = await stopAllAutopay(on.ctx, on.trx, record.id);
    const reply = {
      tenantId: record.id,
      executor,
      closedEmail,
      autopayOf,
      sessionsEnded,
      dropped: await dropMessages(on, record.id, closedEmail),
      ...(await readRest(on, record)),
    };
    const details = {
      executor: executor.name,
      ...(executor.email !== null && { mailedTo: executor.email }),
      ...(executor.phone !== null && { phone: executor.phone }),
      ...{ closedEmail, autopayOf: autopayOf.join(', ') },
    };
    const about = { facilityId: record.facilityId, tenantId: record.id };
    return { reply, about: { ...about, details }, told: { verb: 'tenants.show', about } };
  });
}

/** Drops what waits to be sent to the tenant. Answers how many mails and texts. */
async function dropMessages(
  { trx, now }: StaffWork,
  tenantId: string,
  closedEmail: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH mails AS (
      UPDATE mails SET is_dropped = true, decided_at = ${now}
      WHERE tenant_id = ${tenantId} AND sent_at IS NULL AND NOT is_dropped AND kind <> ALL(${kindsToStaff}::text[])
        AND lower(to_address) = lower(${closedEmail})
      RETURNING 1
    ), texts AS (
      UPDATE texts SET state = 'dropped' WHERE tenant_id = ${tenantId} AND state = 'waiting' RETURNING 1
    )
    SELECT ((SELECT count(*) FROM mails) + (SELECT count(*) FROM texts))::int AS count`.execute(
    trx,
  );
  return rows[0]!.count;
}

async function readRest({ trx, call, now }: StaffWork, { id }: LockedRecord) {
  const { rows } = await sql<{ tenantName: string; units: string[]; alsoAt: string[] }>`
    SELECT t.name AS "tenantName",
      ARRAY(SELECT u.name FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
        WHERE l.tenant_id = t.id AND is_current_on(l.moved_out_on, ${todayAt(now)}) AND l.overlocked_at IS NULL
        ORDER BY u.name) AS units,
      ARRAY(SELECT DISTINCT f.location_code FROM facilities place JOIN facilities f ON f.corporation_id = place.corporation_id
        JOIN tenants other ON other.facility_id = f.id
        WHERE place.id = t.facility_id AND other.id <> t.id AND lower(other.email) = lower(t.email)
          AND other.first_key = t.first_key AND other.last_key = t.last_key AND ${within(sql`f.id`, call.facilityIds)}
          AND NOT EXISTS (SELECT FROM estates e WHERE e.tenant_id = other.id)
        ORDER BY 1) AS "alsoAt"
    FROM tenants t WHERE t.id = ${id}`.execute(trx);
  return rows[0]!;
}

/**
 * `tenants.revokeDeath`. Refuses with 404 a record that is not there, and with 422 one of which no
 * death is recorded.
 */
export function revokeDeathOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof revokeDeath>> {
  return runStaffVerb(ctx, revokeDeath, call, body, async (on, { tenantId }) => {
    const { id, email, facilityId } = await lockStaffRecord(on, tenantId);
    const { numDeletedRows } = await on.trx
      .deleteFrom('estates')
      .where('tenant_id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Refusal(422, 'No death of this tenant is recorded.');
    const { name } = await on.trx
      .selectFrom('tenants')
      .select('name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const usedUp = await takeStaffMail(on.ctx, on.trx, { to: email, staffId: call.staff?.id });
    const isInvited = usedUp === null && (await inviteTenant(on.ctx, on.trx, id, on.call));
    return {
      reply: { tenantId: id, name, email, isInvited },
      about: { facilityId, tenantId: id },
    };
  });
}
