import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { addTenant, changeTenantEmail } from '@gatehouse/contract/tenant-records';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { countStaffMail } from '#features/base/limits/staff-mails.ts';
import { queueMail, type MailContext } from '#features/base/mail/mail.ts';
import { lockRegistrations } from '#features/people/registration/registration.ts';
import { foldEmail } from '#features/people/session/account.ts';
import { lockUser } from '#features/people/session/session.ts';
import {
  runStaffVerb,
  type StaffCall,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { newAddressEmail, oldAddressEmail } from './emails.ts';

/**
 * `tenants.add`: makes a record at the caller's facility. Refuses with 422 a caller who works for
 * several.
 */
export function addTenantRecord(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof addTenant>> {
  return runStaffVerb(
    ctx,
    addTenant,
    call,
    body,
    async ({ trx }, { firstName, lastName, postalCode, ...rest }) => {
      const [facilityId, ...others] = call.facilityIds ?? [];
      if (facilityId === undefined || others.length > 0)
        throw new Refusal(422, 'Name the facility of the new tenant record.');
      const names = { first_name: firstName, last_name: lastName };
      const { id } = await trx
        .insertInto('tenants')
        .values({ facility_id: facilityId, ...names, postal_code: postalCode, ...rest })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { reply: { tenantId: id }, about: { facilityId, tenantId: id } };
    },
  );
}

/**
 * `tenants.email`. Refuses with 404 a record that is not there, with 422 the address that it has
 * already, and with 429 too many mails to strangers.
 */
export function changeEmailOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof changeTenantEmail>> {
  return runStaffVerb(ctx, changeTenantEmail, call, body, async (on, { tenantId, email }) => {
    const record = await lockStaffRecord(on, tenantId);
    if (foldEmail(record.email) === foldEmail(email))
      throw new Refusal(422, 'The tenant record has this email address already.');
    await countStaffMail(on.ctx, on.trx, { to: email, staffId: call.staff?.id });
    const sessionsEnded = await moveToEmail(on.ctx, on.trx, record, email);
    return {
      reply: { tenantId, email, sessionsEnded },
      about: {
        facilityId: record.facilityId,
        tenantId,
        details: { from: record.email, mailedTo: email, sessionsEnded: String(sessionsEnded) },
      },
    };
  });
}

/**
 * Changes the address of a record. The users of the old address lose the record and their sessions,
 * open registrations of the old address end, and both addresses are notified. Returns how many
 * sessions ended. `record` is as `lockRecord` read it.
 */
export async function moveToEmail(
  ctx: MailContext,
  trx: DatabaseTransaction,
  record: LockedRecord,
  email: string,
): Promise<number> {
  const sessionsEnded = await endAccess(trx, record);
  await trx.updateTable('tenants').set({ email }).where('id', '=', record.id).execute();
  const facility = {
    name: record.name,
    phone: record.phone,
    address: `${record.street1}, ${record.city}`,
  };
  await queueMail(ctx, trx, {
    to: record.email,
    kind: 'security',
    tenantId: record.id,
    email: () => oldAddressEmail(facility),
  });
  await queueMail(ctx, trx, {
    to: email,
    kind: 'security',
    tenantId: record.id,
    email: () => newAddressEmail(facility),
  });
  return sessionsEnded;
}

/** A tenant record and its facility, as they are until the transaction ends. */
export type LockedRecord = {
  id: string;
  email: string;
  facilityId: string;
  name: string;
  phone: string | null;
  street1: string;
  city: string;
};

/**
 * The record that a verb is about. Refuses with 404 one that is not there or belongs to another
 * facility than the caller's.
 */
async function lockStaffRecord({ trx, call }: StaffWork, tenantId: string): Promise<LockedRecord> {
  const record = await lockRecord(trx, tenantId);
  if (record === undefined || call.facilityIds?.includes(record.facilityId) === false)
    throw new Refusal(404, `There is no tenant record ${tenantId}.`);
  return record;
}

/** Undefined where there is no such record. */
export async function lockRecord(
  trx: DatabaseTransaction,
  tenantId: string,
): Promise<LockedRecord | undefined> {
  const { rows } = await sql<LockedRecord>`
    SELECT t.id, t.email, f.id AS "facilityId", f.name, f.phone, f.street1, f.city
    FROM tenants t JOIN facilities f ON f.id = t.facility_id WHERE t.id = ${tenantId}
    FOR NO KEY UPDATE OF t`.execute(trx);
  return rows[0];
}

/** Answers how many sessions ended. */
async function endAccess(
  trx: DatabaseTransaction,
  { id: tenantId, email, facilityId }: LockedRecord,
): Promise<number> {
  // A registration or sign-in of the old address that is under way is over before, or finds the new
  // one.
  await lockRegistrations(trx, foldEmail(email));
  await trx
    .deleteFrom('account_lookups')
    .where('facility_id', '=', facilityId)
    .where('email', '=', foldEmail(email))
    .execute();
  const links = await trx
    .selectFrom('user_tenants')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .orderBy('user_id')
    .execute();
  for (const { user_id } of links) await lockUser(trx, user_id);
  await trx.deleteFrom('user_tenants').where('tenant_id', '=', tenantId).execute();
  const userIds = links.map(({ user_id }) => user_id);
  if (userIds.length === 0) return 0;
  const ended = await trx
    .deleteFrom('sessions')
    .where('user_id', 'in', userIds)
    .returning('token_hash')
    .execute();
  return ended.length;
}
