import type { VerbBody, VerbReply } from '@gatehouse/contract/staff-verb';
import {
  addTenant,
  changeTenantEmail,
  changeTenantRecord,
  joinTenants,
  tagsOf,
} from '@gatehouse/contract/tenant-records';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#db/database.ts';
import { countStaffMail } from '#features/base/limits/staff-mails.ts';
import { queueMail, type MailContext } from '#features/base/mail/mail.ts';
import { lockRegistrations } from '#features/people/registration/registration.ts';
import { foldEmail } from '#features/people/session/account.ts';
import { lockUser } from '#features/people/session/session.ts';
import {
  getOneFacility,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { newAddressEmail, oldAddressEmail } from './emails.ts';
import { notifyOfChange } from './tenants.ts';
import {
  detailsOf,
  findStrangers,
  isReachedByAddress,
  joinAddress,
  joinIfSaid,
  sharersShown,
  withinReach,
} from './joined.ts';

/**
 * `tenants.add`: makes a record at the caller's facility. Refuses with 422 a caller who works for
 * several, and with 409 an address that others have, unless they are joined.
 */
export const addTenantRecord = workOf(
  addTenant,
  async (on, { company, firstName, lastName, postalCode, joined, ...rest }) => {
    const facilityId = getOneFacility(on.call, 'Name the facility of the new tenant record.');
    const names = { company: company || null, first_name: firstName, last_name: lastName };
    const { id } = await on.trx
      .insertInto('tenants')
      .values({ facility_id: facilityId, ...names, postal_code: postalCode, ...rest })
      .returning('id')
      .executeTakeFirstOrThrow();
    // A preview's record is not there afterwards.
    const here = { facilityId };
    const joinedWith = await joinIfSaid(on, id, joined, here);
    return {
      reply: { tenantId: id, joinedWith },
      about: { facilityId, tenantId: id, details: detailsOf(joinedWith) },
      told: sharersShown(here, joinedWith),
    };
  },
);

type Changed = VerbReply<typeof changeTenantRecord>['changes'][number];

/** The column of each field that `tenants.change` changes. */
const columnOf = {
  company: 'company',
  firstName: 'first_name',
  lastName: 'last_name',
  phone: 'phone',
  street1: 'street1',
  street2: 'street2',
  city: 'city',
  region: 'region',
  postalCode: 'postal_code',
  isMilitary: 'is_military',
  tags: 'tags',
} as const satisfies Record<Changed['field'], string>;

/**
 * `tenants.change`. Refuses with 404 a record that is not there, with 422 where nothing would be
 * other than it is, and with 409 another name of one whose address does not reach it: by its own
 * name the record is kept from the others of that address.
 */
export const changeRecordOf = workOf(changeTenantRecord, async (on, { tenantId, ...given }) => {
  const record = await lockStaffRecord(on, tenantId);
  const changes = await findChanges(on.trx, record.id, given);
  if (changes.length === 0) throw new Refusal(422, 'The record is like that already.');
  const isRenamed = changes.some(({ field }) => /^(company|firstName|lastName)$/.test(field));
  if (isRenamed && !(await isReachedByAddress(on.trx, record.id)))
    throw new Refusal(
      409,
      `${record.email} is on file for several names: join the address first, or change the email.`,
    );
  await on.trx
    .updateTable('tenants')
    .set(Object.fromEntries(changes.map((one) => [columnOf[one.field], storedOf(one)])))
    .where('id', '=', record.id)
    .execute();
  if (changes.some(({ field, to }) => field === 'phone' && to !== null))
    await notifyOfChange(on.ctx, on.trx, { tenantId: record.id }, 'phone');
  const details = changes.map(({ field, from, to }) => [field, `${from ?? ''} → ${to ?? ''}`]);
  return {
    reply: { tenantId: record.id, changes },
    about: {
      facilityId: record.facilityId,
      tenantId: record.id,
      details: Object.fromEntries(details) as Record<string, string>,
    },
    // What the fields were.
    told: { verb: 'tenants.show', about: { facilityId: record.facilityId, tenantId: record.id } },
  };
});

/** What of the fields is other than the record has it. */
async function findChanges(
  trx: DatabaseTransaction,
  tenantId: string,
  given: Omit<VerbBody<typeof changeTenantRecord>, 'tenantId'>,
): Promise<Changed[]> {
  const now = await trx
    .selectFrom('tenants')
    .select(Object.values(columnOf))
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return (Object.keys(columnOf) as Changed['field'][]).flatMap((field) => {
    const value = field === 'tags' ? given.tags && tagsOf(given.tags) : given[field];
    const [from, to] = [saidOf(now[columnOf[field]]), saidOf(value)];
    return value === undefined || to === from ? [] : [{ field, from, to }];
  });
}

/** A value in words; null for none. */
function saidOf(value: string | boolean | string[] | null | undefined): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return (Array.isArray(value) ? value.join(', ') : value) || null;
}

/** A value as its column has it. */
function storedOf({ field, to }: Changed): string | boolean | string[] | null {
  if (field === 'isMilitary') return to === 'yes';
  return field === 'tags' ? tagsOf(to ?? '') : to;
}

/**
 * `tenants.email`. Refuses with 404 a record that is not there, with 422 the address that it has
 * already, with 409 one that others have, unless they are joined, and with 429 too many mails to
 * strangers.
 */
export const changeEmailOf = workOf(changeTenantEmail, async (on, { tenantId, email, joined }) => {
  const record = await lockStaffRecord(on, tenantId);
  if (foldEmail(record.email) === foldEmail(email))
    throw new Refusal(422, 'The tenant record has this email address already.');
  // Both are mailed, and a record that rents nothing may have any address.
  for (const to of [record.email, email])
    await countStaffMail(on.ctx, on.trx, { to, staffId: on.call.staff?.id });
  const sessionsEnded = await moveToEmail(on.ctx, on.trx, record, { email, joined_at: null });
  const { facilityId } = record;
  const joinedWith = await joinIfSaid(on, tenantId, joined, { facilityId, tenantId });
  const mailed = { from: record.email, mailedTo: email, sessionsEnded: String(sessionsEnded) };
  return {
    reply: { tenantId, email, sessionsEnded, joinedWith },
    about: { facilityId, tenantId, details: { ...mailed, ...detailsOf(joinedWith) } },
    told: sharersShown({ facilityId, tenantId }, joinedWith),
  };
});

/**
 * `tenants.join`: lets the address of a record reach it and the caller's other records that have
 * it, whatever their names. Refuses with 404 a record that is not there, and with 422 one whose
 * address no other name has, or reaches all of them already.
 */
export const joinTenantsOf = workOf(joinTenants, async (on, { tenantId }) => {
  const { email, facilityId } = await lockStaffRecord(on, tenantId);
  const strangers = await findStrangers(on.trx, tenantId, on.call.facilityIds);
  if (strangers.length === 0) throw new Refusal(422, 'No record of another name has this address.');
  if ((await joinAddress(on, tenantId)) === 0)
    throw new Refusal(422, 'One sign-in may see these records already.');
  const joinedWith = withinReach(strangers);
  return {
    reply: { tenantId, email, joinedWith },
    about: { facilityId, tenantId, details: { email, ...detailsOf(joinedWith) } },
    told: sharersShown({ facilityId, tenantId }, joinedWith),
  };
});

/**
 * Changes the address of a record. The users of the old address lose the record and their sessions,
 * open registrations of the old address and links to sign end, and both addresses are notified.
 * Returns how many sessions ended. `record` is as `lockRecord` read it.
 */
export async function moveToEmail(
  ctx: MailContext,
  trx: DatabaseTransaction,
  record: LockedRecord,
  address: { email: string; joined_at: Date | null },
): Promise<number> {
  const { email } = address;
  const sessionsEnded = await endAccess(trx, record, ctx.clock.now());
  await trx.updateTable('tenants').set(address).where('id', '=', record.id).execute();
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
  timeZone: string;
  name: string;
  phone: string | null;
  street1: string;
  city: string;
};

/**
 * The record that a verb is about. Refuses with 404 one that is not there or belongs to another
 * facility than the caller's.
 */
export async function lockStaffRecord(
  { trx, call }: StaffWork,
  tenantId: string,
): Promise<LockedRecord> {
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
    SELECT t.id, t.email, f.id AS "facilityId", f.time_zone AS "timeZone", f.name, f.phone, f.street1, f.city
    FROM tenants t JOIN facilities f ON f.id = t.facility_id WHERE t.id = ${tenantId}
    FOR NO KEY UPDATE OF t`.execute(trx);
  return rows[0];
}

/**
 * Users lose the record and their sessions, and open registrations and links to sign end. Answers
 * how many sessions ended.
 */
export async function endAccess(
  trx: DatabaseTransaction,
  { id: tenantId, email, facilityId }: LockedRecord,
  now: Date,
): Promise<number> {
  // A registration or sign-in of the old address that is under way is over before, or finds the new
  // one.
  await lockRegistrations(trx, foldEmail(email));
  await trx
    .deleteFrom('account_lookups')
    .where('facility_id', '=', facilityId)
    .where('email', '=', foldEmail(email))
    .execute();
  await sql`
    UPDATE document_signers s SET linked_at = ${now} FROM esign_documents d JOIN ledgers l ON l.id = d.ledger_id
    WHERE d.id = s.document_id AND l.tenant_id = ${tenantId} AND s.position = 1 AND s.signed_at IS NULL
      AND s.linked_at IS NOT NULL`.execute(trx);
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
