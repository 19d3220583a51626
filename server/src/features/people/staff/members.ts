import { randomUUID } from 'node:crypto';
import type { OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import type { StaffRow } from '@gatehouse/contract/office/staff';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { checkedFirst, type Database, type DatabaseTransaction } from '#db/database.ts';
import { runOrPreview } from '#db/preview.ts';
import { countStaffMail } from '#features/base/limits/staff-mails.ts';
import { foldEmail } from '#features/people/session/account.ts';
import { forgetWaits } from '#features/people/session/sign-in-tries.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { isLiveSession } from '#http/staff-guard.ts';
import { scrub } from '#telemetry/scrub.ts';
import {
  changeEffects,
  disableEffects,
  enableEffects,
  inviteEffects,
  resetEffects,
  type Ending,
} from './effects.ts';
import { staffAccountEmail } from './emails.ts';
import { mailStaffInvitation } from './invitations.ts';
import { mailMember } from './mail-member.ts';
import { lockStaff, refuseLookalike, STAFF_LOCK } from './names.ts';
import { INVITATION_HOURS } from './sign-in.ts';
import { accountSpace } from './tries.ts';

/** Who changes an account: a member, or null for the command line; and the reason, if any. */
export type StaffActor = {
  by: string;
  staffId: string | null;
  origin: AuditedRequest;
  why?: string;
  isPreview?: boolean;
};

/** An account after a change, and what that does, in sentences. */
type ChangedStaff = StaffRow & { effects: string[] };

/** The command line. */
export function commandLine(by: string): StaffActor {
  return { by, staffId: null, origin: { ip: '', requestId: randomUUID() } };
}

export type Reaches = { role: OfficeRole; isForAllFacilities: boolean; locationCodes: string[] };
export type AccountAction = 'disable' | 'enable' | 'resetSecondStep' | 'invite';

/** The members of staff, by name; those who have not accepted yet last. */
export async function findStaff(ctx: Context, db: Database = ctx.db): Promise<StaffRow[]> {
  return readStaff(ctx, db, null);
}

/** One member. Refuses with 404 an unknown id. */
export async function getStaffMember(
  ctx: Context,
  staffId: string,
  db: Database = ctx.db,
): Promise<StaffRow> {
  const [row] = await readStaff(ctx, db, staffId);
  if (row === undefined) throw notFound();
  return row;
}

/** The id of a member by the address. Refuses with 404 an unknown one. */
export async function getStaffId({ db, config }: Context, email: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT m.id FROM staff_members m JOIN corporations c ON c.id = m.corporation_id AND c.code = ${config.corporationCode}
    WHERE lower(m.email) = ${foldEmail(email)}`.execute(db);
  if (rows[0] === undefined) throw new Refusal(404, `No member of staff has the address ${email}.`);
  return rows[0].id;
}

/**
 * Invites a member of staff by mail. Refuses with 409 an address that is there already, with 422
 * an unknown facility, and with 429 too many mails to strangers.
 */
export async function inviteStaffMember(
  ctx: Context,
  { email, ...reaches }: Reaches & { email: string },
  actor: StaffActor,
): Promise<StaffRow> {
  return ctx.db.transaction().execute(async (trx) => {
    const corporation = await trx
      .selectFrom('corporations')
      .select('id')
      .where('code', '=', ctx.config.corporationCode)
      .executeTakeFirst();
    if (corporation === undefined)
      throw new Refusal(
        409,
        `The database has no operator ${ctx.config.corporationCode} yet: name it with --operator “Its name, as tenants read it”, or import first.`,
      );
    const made = await trx
      .insertInto('staff_members')
      .values({
        corporation_id: corporation.id,
        email,
        role: reaches.role,
        is_for_all: reaches.isForAllFacilities,
        name: null,
        password_hash: null,
        created_at: ctx.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made === undefined)
      throw new Refusal(409, `${email} is a member of staff already, or is invited.`);
    await writeFacilities(ctx, trx, made.id, reaches);
    await countStaffMail(ctx, trx, { to: email, staffId: actor.staffId ?? undefined });
    await mailStaffInvitation(ctx, trx, { id: made.id, email, isNew: true });
    await note(ctx, trx, actor, made.id, `invited as ${reaches.role}`, {
      ...ofPlaces(reaches),
      mailedTo: email,
    });
    return getStaffMember(ctx, made.id, trx);
  });
}

/**
 * Changes role and facilities, which count from the member's next call on. Refuses with 404 an
 * unknown id, with 422 an unknown facility, and with 409 where no owner would be left.
 */
export async function changeStaffMember(
  ctx: Context,
  staffId: string,
  reaches: Reaches,
  actor: StaffActor,
): Promise<ChangedStaff> {
  const isOwn = actor.staffId === staffId.toLowerCase();
  return runOrPreview(
    isOwn ? checkedFirst(ctx.db, STAFF_LOCK) : ctx.db,
    actor.isPreview ?? false,
    async (trx) => {
      await lockMember(trx, staffId);
      const before = await getStaffMember(ctx, staffId, trx);
      await trx
        .updateTable('staff_members')
        .set({ role: reaches.role, is_for_all: reaches.isForAllFacilities })
        .where('id', '=', staffId)
        .execute();
      await trx.deleteFrom('staff_facilities').where('staff_id', '=', staffId).execute();
      await writeFacilities(ctx, trx, staffId, reaches);
      // A page that shows what another role may do would be of the one before.
      if (before.role !== reaches.role)
        await trx.deleteFrom('staff_sessions').where('staff_id', '=', staffId).execute();
      await refuseWithoutOwner(trx);
      const after = await getStaffMember(ctx, staffId, trx);
      await note(ctx, trx, actor, staffId, `role ${reaches.role}`, ofPlaces(after));
      return { ...after, effects: changeEffects(before, after, await readCodes(ctx, trx)) };
    },
  );
}

/**
 * Disables, enables or recovers a member, and mails it to the address. Refuses with 404 an unknown
 * id, and with 409 where no owner would be left, a reset by the member itself, and to enable one
 * whose name looks like that of an active member.
 */
export async function actOnStaffMember(
  ctx: Context,
  staffId: string,
  action: AccountAction,
  actor: StaffActor,
): Promise<ChangedStaff> {
  if (actor.staffId === staffId.toLowerCase() && action !== 'invite')
    throw new Refusal(409, 'Another owner, or the command line, has to do that.');
  return runOrPreview(ctx.db, actor.isPreview ?? false, async (trx) => {
    const member = await lockMember(trx, staffId);
    const id = staffId.toLowerCase();
    const effects = effectsOf[action](
      await getStaffMember(ctx, id, trx),
      await readEnding(ctx, trx, id),
    );
    const set = (values: {
      disabled_at?: Date | null;
      totp_secret?: null;
      new_totp_secret?: null;
    }) => trx.updateTable('staff_members').set(values).where('id', '=', id).execute();
    const endSessions = () => trx.deleteFrom('staff_sessions').where('staff_id', '=', id).execute();
    const mail = (change: Parameters<typeof staffAccountEmail>[0]) =>
      mailMember(ctx, trx, member.email, staffAccountEmail(change));
    switch (action) {
      case 'disable':
        await set({ disabled_at: ctx.clock.now() });
        await endSessions();
        await trx.deleteFrom('staff_invitations').where('staff_id', '=', id).execute();
        await mail('disabled');
        break;
      case 'enable':
        if (member.name !== null) await refuseLookalike(trx, { staffId: id, name: member.name });
        await set({ disabled_at: null });
        await mail('enabled');
        break;
      case 'resetSecondStep':
        await set({ totp_secret: null, new_totp_secret: null });
        await trx.deleteFrom('staff_passkeys').where('staff_id', '=', id).execute();
        await endSessions();
        await mail('secondStepReset');
        break;
      case 'invite':
        if (member.disabledAt !== null)
          throw new Refusal(409, 'The account is disabled; enable it first.');
        await countStaffMail(ctx, trx, {
          to: member.email,
          staffId: actor.staffId ?? undefined,
        });
        await mailStaffInvitation(ctx, trx, {
          id,
          email: member.email,
          isNew: member.name === null,
        });
    }
    await refuseWithoutOwner(trx);
    await note(ctx, trx, actor, id, changes[action]);
    return { ...(await getStaffMember(ctx, id, trx)), effects };
  });
}

/**
 * Ends the waits after wrong passwords, of every browser, and notes it where there were any.
 * Returns the number of counts deleted. Refuses with 404 an unknown id.
 */
export async function unlockStaffMember(
  ctx: Context,
  staffId: string,
  actor: StaffActor,
): Promise<number> {
  return ctx.db.transaction().execute(async (trx) => {
    const { email } = await lockMember(trx, staffId);
    const ended = await forgetWaits(ctx, trx, accountSpace(ctx.config.corporationCode), email);
    if (ended > 0) await note(ctx, trx, actor, staffId, 'unlocked');
    return ended;
  });
}

const effectsOf: Record<AccountAction, (account: StaffRow, ending: Ending) => string[]> = {
  disable: disableEffects,
  enable: enableEffects,
  resetSecondStep: resetEffects,
  invite: inviteEffects,
};

/** The sessions that can still be used, and whether an invitation can. */
async function readEnding(
  { clock }: Context,
  trx: DatabaseTransaction,
  staffId: string,
): Promise<Ending> {
  const now = clock.now();
  const { rows } = await sql<Ending>`
    SELECT (SELECT count(*)::int FROM staff_sessions s WHERE s.staff_id = ${staffId} AND ${isLiveSession(now)}) AS sessions,
      EXISTS (SELECT FROM staff_invitations i WHERE i.staff_id = ${staffId}
        AND i.created_at > ${now}::timestamptz - make_interval(hours => ${INVITATION_HOURS})) AS "hasInvitation"`.execute(
    trx,
  );
  return rows[0]!;
}

/** The codes of all facilities. */
async function readCodes({ config }: Context, trx: DatabaseTransaction): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    SELECT f.location_code AS code FROM facilities f
    JOIN corporations c ON c.id = f.corporation_id AND c.code = ${config.corporationCode} ORDER BY 1`.execute(
    trx,
  );
  return rows.map(({ code }) => code);
}

const changes: Record<AccountAction, string> = {
  disable: 'disabled',
  enable: 'enabled',
  resetSecondStep: 'second step reset',
  invite: 'invited again',
};

/** Locks all changes of accounts, so that two owners cannot disable each other at once. */
async function lockMember(
  trx: DatabaseTransaction,
  staffId: string,
): Promise<{ email: string; name: string | null; disabledAt: Date | null }> {
  await lockStaff(trx);
  const { rows } = await sql<{ email: string; name: string | null; disabledAt: Date | null }>`
    SELECT email, name, disabled_at AS "disabledAt" FROM staff_members WHERE id = ${staffId} FOR NO KEY UPDATE`.execute(
    trx,
  );
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}

async function writeFacilities(
  { config }: Context,
  trx: DatabaseTransaction,
  staffId: string,
  { isForAllFacilities, locationCodes }: Reaches,
): Promise<void> {
  if (isForAllFacilities) return;
  const codes = [...new Set(locationCodes)];
  const { rows } = await sql`
    INSERT INTO staff_facilities (staff_id, facility_id)
    SELECT ${staffId}, f.id FROM facilities f JOIN corporations c ON c.id = f.corporation_id AND c.code = ${config.corporationCode}
    WHERE f.location_code = ANY(${codes}::text[]) RETURNING 1`.execute(trx);
  if (rows.length < codes.length || codes.length === 0)
    throw new Refusal(422, 'One of the facilities is not there.');
}

/** Where there was an owner who can sign in, one is left. */
async function refuseWithoutOwner(trx: DatabaseTransaction): Promise<void> {
  const { rows } = await sql<{ isAny: boolean; isLeft: boolean }>`
    SELECT count(*) > 0 AS "isAny", coalesce(bool_or(role = 'owner' AND disabled_at IS NULL), false) AS "isLeft"
    FROM staff_members WHERE password_hash IS NOT NULL`.execute(trx);
  if (rows[0]!.isAny && !rows[0]!.isLeft)
    throw new Refusal(409, 'One owner at least has to be able to sign in.');
}

function ofPlaces({ isForAllFacilities, locationCodes }: Omit<Reaches, 'role'>) {
  return { of: isForAllFacilities ? 'every facility' : locationCodes.join(' ') };
}

function note(
  ctx: Context,
  trx: DatabaseTransaction,
  { by, origin, why = '' }: StaffActor,
  staffId: string,
  change: string,
  more: Record<string, string> = {},
): Promise<void> {
  const details = { by, staff: staffId, change, ...(why !== '' && { why: scrub(why) }), ...more };
  return audit(ctx, trx, origin, [{ kind: 'staff_account_changed', details }]);
}

async function readStaff(
  { config }: Context,
  db: Database,
  staffId: string | null,
): Promise<StaffRow[]> {
  const { rows } = await sql<
    Omit<StaffRow, 'lastSignInAt' | 'createdAt'> & { lastSignInAt: Date | null; createdAt: Date }
  >`
    SELECT m.id, m.name, m.email, m.role, m.is_for_all AS "isForAllFacilities",
      ARRAY(SELECT f.location_code FROM staff_facilities sf JOIN facilities f ON f.id = sf.facility_id
        WHERE sf.staff_id = m.id ORDER BY 1) AS "locationCodes",
      CASE WHEN m.disabled_at IS NOT NULL THEN 'disabled' WHEN m.password_hash IS NULL THEN 'invited' ELSE 'active' END AS state,
      has_second_step(m.id) AS "hasSecondStep", m.last_sign_in_at AS "lastSignInAt", m.created_at AS "createdAt"
    FROM staff_members m JOIN corporations c ON c.id = m.corporation_id AND c.code = ${config.corporationCode}
    WHERE ${staffId}::uuid IS NULL OR m.id = ${staffId}::uuid
    ORDER BY m.name NULLS LAST, m.email`.execute(db);
  return rows.map(({ lastSignInAt, createdAt, ...row }) => ({
    ...row,
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }));
}
