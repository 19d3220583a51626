import { randomUUID } from 'node:crypto';
import type { AuditKind } from '@gatehouse/contract/office/audit-actions';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { forgetCodeCounts } from '#features/people/registration/registration.ts';
import { foldEmail } from '#features/people/session/account.ts';
import { dropDevices, ofUsers } from '#features/people/session/devices.ts';
import { lockUser } from '#features/people/session/session.ts';
import { forgetWaits } from '#features/people/session/sign-in-tries.ts';
import { Refusal } from '#errors/refusal.ts';
import { accessChangedEmail, invitationEmail } from './emails.ts';

/**
 * What an operator did, or with `isDry` would have done, to a user's access. `email` is the address
 * on file.
 */
export type UserChange = {
  action: 'invited' | 'disabled' | 'enabled' | 'unlocked';
  email: string;
  /** False where it was so already, and nothing was done. */
  isChanged: boolean;
  /** How many live sessions ended, or tries and counts were forgotten. */
  ended: number;
};

/**
 * Mails a tenant the way to register at a facility, to the address as it is on file there. Refuses
 * with 404 an address that is not there, with 409 one that reaches no record or has a sign-in
 * already, and with 429 the fourth invitation of a day.
 */
export async function inviteUser(
  ctx: Context,
  email: string,
  locationCode: string,
  isDry: boolean,
): Promise<UserChange> {
  return ctx.db.transaction().execute(async (trx) => {
    const tenant = await findOnFile(ctx, trx, email, locationCode);
    if (tenant === undefined)
      throw new Refusal(404, `No tenant record at ${locationCode} has the address ${email}.`);
    if (!tenant.isReached)
      throw new Refusal(
        409,
        `${tenant.email} is on file for several names; tenants join --tenant ${tenant.tenantId} lets one sign-in see them.`,
      );
    if (tenant.userId !== null)
      throw new Refusal(
        409,
        tenant.isDisabled
          ? `${tenant.email} has a sign-in that is disabled; users enable gives it back.`
          : `${tenant.email} has a sign-in already; “Forgot password” sets a new password.`,
      );
    if (isDry) return { action: 'invited', email: tenant.email, isChanged: true, ended: 0 };
    const key = keyOf(ctx, 'invitation', tenant.facilityId, foldEmail(tenant.email));
    await countLimited(
      ctx,
      trx,
      [{ name: 'invitations-a-day', key }],
      'This address was invited several times today.',
    );
    await mailInvitation(ctx, trx, tenant, COMMAND_LINE);
    return { action: 'invited', email: tenant.email, isChanged: true, ended: 0 };
  });
}

/**
 * Mails a tenant record the way to register, in the transaction that makes it necessary; not where
 * an account signs in to the record already, its tenant died, or its address is disabled or does
 * not reach it. An address that signs in to other records proves itself again: nothing is linked
 * here. Answers whether it is mailed.
 */
export async function inviteTenant(
  ctx: Context,
  trx: DatabaseTransaction,
  tenantId: string,
  by: InvitedBy,
): Promise<boolean> {
  const { rows } = await sql<Invited>`
    SELECT t.id AS "tenantId", t.email, f.id AS "facilityId", f.name AS "facilityName", f.phone AS "facilityPhone",
      f.street1, f.city
    FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE t.id = ${tenantId} AND is_reached_by_address(t.id) AND NOT is_closed_by_death(t.id)
      AND NOT EXISTS (
        SELECT FROM user_tenants ut JOIN users u ON u.id = ut.user_id
        WHERE ut.tenant_id = t.id AND lower(u.email) = lower(t.email))
      AND NOT EXISTS (
        SELECT FROM users u
        WHERE u.corporation_id = f.corporation_id AND lower(u.email) = lower(t.email) AND u.disabled_at IS NOT NULL)`.execute(
    trx,
  );
  const tenant = rows[0];
  return tenant !== undefined && (await mailInvitation(ctx, trx, tenant, by)) !== null;
}

/** The inviter: a name, and the request of a member of staff; and when it is mailed. */
type InvitedBy = { by: string; origin?: AuditedRequest; afterSeconds?: number };

/** What the mails with an invitation are about. */
export const INVITATION = 'invitation';
const COMMAND_LINE: InvitedBy = { by: 'command line' };

async function mailInvitation(
  ctx: Context,
  trx: DatabaseTransaction,
  tenant: Invited,
  { by, origin, afterSeconds = 0 }: InvitedBy,
): Promise<string | null> {
  const address = `${tenant.street1}, ${tenant.city}`;
  const facility = { name: tenant.facilityName, phone: tenant.facilityPhone, address };
  const mailId = await queueMail(ctx, trx, {
    to: tenant.email,
    kind: 'security',
    about: INVITATION,
    tenantId: tenant.tenantId,
    email: () => invitationEmail(facility),
    afterSeconds,
  });
  const { tenantId, facilityId, email: mailedTo } = tenant;
  const details = { by, ...(mailId !== null && { mailedTo }) };
  await audit(ctx, trx, origin ?? { ip: '', requestId: randomUUID() }, [
    { kind: 'user_invited', tenantId, facilityId, details },
  ]);
  return mailId;
}

/**
 * Disables a user and ends all sessions, devices and open registrations at once: no call that
 * begins after this succeeds (R29). Rentals and autopay stay as they are. The address on file is
 * notified. Refuses with 404 if there is no such user.
 */
export async function disableUser(
  ctx: Context,
  email: string,
  isDry: boolean,
): Promise<UserChange> {
  return changeUser(ctx, email, isDry, async (trx, user) => {
    if (!user.isDisabled)
      await trx
        .updateTable('users')
        .set({ disabled_at: ctx.clock.now() })
        .where('id', '=', user.id)
        .execute();
    // After the row that a call of the sessions may be writing: it waits here before its commit.
    const ended = await trx
      .deleteFrom('sessions')
      .where('user_id', '=', user.id)
      .returning('token_hash')
      .execute();
    await dropDevices(trx, ofUsers, user.id);
    await sql`
      DELETE FROM account_lookups l USING facilities f
      WHERE f.id = l.facility_id AND f.corporation_id = ${user.corporationId} AND l.email = lower(${user.email})`.execute(
      trx,
    );
    if (user.isDisabled) return { action: 'disabled', isChanged: false, ended: ended.length };
    await notifyUser(ctx, trx, user, 'disabled');
    return { action: 'disabled', isChanged: true, ended: ended.length };
  });
}

/**
 * Gives a disabled user the sign-in back, with the password that it had. Refuses with 404 if there
 * is no such user.
 */
export async function enableUser(ctx: Context, email: string, isDry: boolean): Promise<UserChange> {
  return changeUser(ctx, email, isDry, async (trx, user) => {
    if (!user.isDisabled) return { action: 'enabled', isChanged: false, ended: 0 };
    await trx.updateTable('users').set({ disabled_at: null }).where('id', '=', user.id).execute();
    await notifyUser(ctx, trx, user, 'enabled');
    return { action: 'enabled', isChanged: true, ended: 0 };
  });
}

/**
 * Resets a user's wrong passwords and counts of codes, so that the user can sign in without
 * waiting; known networks stay known. Refuses with 404 if there is no such user.
 */
export async function unlockUser(ctx: Context, email: string, isDry: boolean): Promise<UserChange> {
  return changeUser(ctx, email, isDry, async (trx, user) => {
    const code = ctx.config.corporationCode;
    const tries = await forgetWaits(ctx, trx, code, user.email);
    const counts = await forgetCodeCounts(ctx, trx, { ...user, corporationCode: code });
    const ended = tries + counts;
    if (ended > 0) await note(ctx, trx, 'user_unlocked', { userId: user.id });
    return { action: 'unlocked', isChanged: ended > 0, ended };
  });
}

type User = { id: string; corporationId: string; email: string; isDisabled: boolean };
type Done = Omit<UserChange, 'email'>;

/** Thrown to take a dry run back. */
class Dry extends Error {
  readonly change: UserChange;
  constructor(change: UserChange) {
    super('a dry run');
    this.change = change;
  }
}

/**
 * In one transaction, while no sign-in or new password of the user is under way; a dry run is done
 * and taken back.
 */
async function changeUser(
  ctx: Context,
  email: string,
  isDry: boolean,
  change: (trx: DatabaseTransaction, user: User) => Promise<Done>,
): Promise<UserChange> {
  const work = ctx.db.transaction().execute(async (trx) => {
    const user = await findUser(ctx, trx, email);
    if (user === undefined) throw new Refusal(404, `Nobody signs in as ${email}.`);
    await lockUser(trx, user.id);
    // What was read before the lock may be old.
    const { disabled_at } = await trx
      .selectFrom('users')
      .select('disabled_at')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    const done = {
      ...(await change(trx, { ...user, isDisabled: disabled_at !== null })),
      email: user.email,
    };
    if (isDry) throw new Dry(done);
    return done;
  });
  return work.catch((error: unknown) => {
    if (error instanceof Dry) return error.change;
    throw error;
  });
}

async function findUser(
  ctx: Context,
  trx: DatabaseTransaction,
  email: string,
): Promise<User | undefined> {
  const { rows } = await sql<User>`
    SELECT u.id, u.corporation_id AS "corporationId", u.email, u.disabled_at IS NOT NULL AS "isDisabled"
    FROM users u JOIN corporations c ON c.id = u.corporation_id AND c.code = ${ctx.config.corporationCode}
    WHERE lower(u.email) = lower(${email.normalize().trim()})`.execute(trx);
  return rows[0];
}

type Invited = {
  tenantId: string;
  email: string;
  facilityId: string;
  facilityName: string;
  facilityPhone: string | null;
  street1: string;
  city: string;
};

type OnFile = Invited & { userId: string | null; isDisabled: boolean; isReached: boolean };

async function findOnFile(
  ctx: Context,
  trx: DatabaseTransaction,
  email: string,
  locationCode: string,
) {
  const { rows } = await sql<OnFile>`
    SELECT t.id AS "tenantId", t.email, f.id AS "facilityId", f.name AS "facilityName", f.phone AS "facilityPhone",
      f.street1, f.city, u.id AS "userId", u.disabled_at IS NOT NULL AS "isDisabled", is_reached_by_address(t.id) AS "isReached"
    FROM tenants t
    JOIN facilities f ON f.id = t.facility_id AND f.location_code = ${locationCode}
    JOIN corporations c ON c.id = f.corporation_id AND c.code = ${ctx.config.corporationCode}
    LEFT JOIN users u ON u.corporation_id = c.id AND lower(u.email) = lower(t.email)
    WHERE lower(t.email) = lower(${email.normalize().trim()}) AND NOT is_closed_by_death(t.id)
    ORDER BY "isReached" DESC, t.id LIMIT 1`.execute(trx);
  return rows[0];
}

/** To the address that signs in, in the name of the first facility where it has a record. */
async function notifyUser(
  ctx: Context,
  trx: DatabaseTransaction,
  user: User,
  change: 'disabled' | 'enabled',
) {
  await note(ctx, trx, `user_${change}`, { userId: user.id });
  const facility = await trx
    .selectFrom('user_tenants')
    .innerJoin('tenants', 'tenants.id', 'user_tenants.tenant_id')
    .innerJoin('facilities', 'facilities.id', 'tenants.facility_id')
    .select(['facilities.name', 'facilities.phone'])
    .where('user_tenants.user_id', '=', user.id)
    .orderBy('user_tenants.position')
    .orderBy('tenants.id')
    .executeTakeFirst();
  if (facility !== undefined)
    await queueMail(ctx, trx, {
      to: user.email,
      kind: 'security',
      tenantId: null,
      email: () => accessChangedEmail(change, facility),
    });
}

/** Under a new id: an operator's command is no request. */
function note(
  ctx: Context,
  trx: DatabaseTransaction,
  kind: AuditKind,
  of: { userId?: string; tenantId?: string; facilityId?: string },
) {
  return audit(ctx, trx, { ip: '', requestId: randomUUID() }, [
    { kind, ...of, details: { by: COMMAND_LINE.by } },
  ]);
}
