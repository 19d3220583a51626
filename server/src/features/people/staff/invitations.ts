import { randomBytes } from 'node:crypto';
import type { Reply } from '@gatehouse/contract/endpoint';
import type { readInvitation } from '@gatehouse/contract/office/session';
import { sql } from 'kysely';
import { audit, type AuditEvent } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { countByNetwork } from '#features/base/limits/limits.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { checkPassword } from '#features/people/registration/password-rules.ts';
import { hashPassword } from '#features/people/session/password.ts';
import { forgetTries } from '#features/people/session/sign-in-tries.ts';
import { dropDevices, keepDevice, ofStaff } from '#features/people/session/devices.ts';
import type { Origin } from '#http/routes.ts';
import { hashToken } from '#http/token.ts';
import { Refusal } from '#errors/refusal.ts';
import { staffAccountEmail, staffInvitationEmail } from './emails.ts';
import { mailMember } from './mail-member.ts';
import { lockStaff, refuseLookalike } from './names.ts';
import { hasSecondStep } from './prove.ts';
import { INVITATION_HOURS, startStaffSession, type StaffTokens } from './sign-in.ts';
import { accountSpace } from './tries.ts';

/** Characters that a password of staff has at least. */
const LEAST_PASSWORD = 12;

type Invited = {
  staffId: string;
  email: string;
  name: string | null;
  role: Reply<typeof readInvitation>['role'];
  operatorName: string;
};

/**
 * Mails a member the link to accept the invitation or to choose a new password, in the transaction
 * given. An earlier link ends.
 */
export async function mailStaffInvitation(
  ctx: Context,
  trx: DatabaseTransaction,
  { id, email, isNew }: { id: string; email: string; isNew: boolean },
): Promise<void> {
  if (ctx.config.office === null)
    throw new Refusal(409, 'This server serves no office: set OFFICE_URL first.');
  const token = randomBytes(32).toString('base64url');
  await trx.deleteFrom('staff_invitations').where('staff_id', '=', id).execute();
  await trx
    .insertInto('staff_invitations')
    .values({ token_hash: hashToken(token), staff_id: id, created_at: ctx.clock.now() })
    .execute();
  // In the fragment, which no server and no referrer gets.
  const url = `${ctx.config.office.url}/office/invitation#${token}`;
  await queueMail(ctx, trx, {
    to: email,
    kind: 'security',
    tenantId: null,
    language: 'en',
    email: () => staffInvitationEmail(url, isNew),
    bodyDays: 3,
    isUrgent: true,
  });
}

/** Who an invitation is for. Refuses with 404 one that is used, too old or unknown. */
export async function readStaffInvitation(
  ctx: Context,
  token: string,
  ip: string,
): Promise<Reply<typeof readInvitation>> {
  const { email, role, name } = await getInvited(ctx, token, ip);
  return { email, role, name };
}

/**
 * Takes an invitation, once: sets name and password, ends all sessions of the member and begins
 * one. Returns the tokens, only the device's for a member with a second step.
 * Refuses with 404 as above, with 409 a name that looks like another member's, and with 422 a
 * password that is too short or too easy to guess; these do not use the invitation up.
 */
export async function acceptStaffInvitation(
  ctx: Context,
  { token, name, password }: { token: string; name: string; password: string },
  { device, ...request }: Origin & { device: string | undefined },
): Promise<Partial<StaffTokens>> {
  const invited = await getInvited(ctx, token, request.ip);
  checkStaffPassword(password, invited);
  const passwordHash = await hashPassword(password);
  return ctx.db.transaction().execute(async (trx) => {
    // Before the invitation, as what ends it does.
    await lockStaff(trx);
    const taken = await trx
      .deleteFrom('staff_invitations')
      .where('token_hash', '=', hashToken(token))
      .returning('staff_id')
      .executeTakeFirst();
    if (taken === undefined) throw notValid();
    const { staffId: id, email } = invited;
    await refuseLookalike(trx, { staffId: id, name });
    await trx
      .updateTable('staff_members')
      .set({ name, password_hash: passwordHash })
      .where('id', '=', id)
      .execute();
    await trx.deleteFrom('staff_sessions').where('staff_id', '=', id).execute();
    await forgetTries(ctx, trx, accountSpace(ctx.config.corporationCode), email);
    const change = { by: name, staff: id, change: 'password set' };
    await audit(ctx, trx, { ...request, staffId: id }, [
      { kind: 'staff_account_changed', details: change },
      ...renamed(invited, name),
    ]);
    await mailMember(ctx, trx, email, staffAccountEmail('passwordSet'));
    await dropDevices(trx, ofStaff, id, device);
    const kept = { given: device, hash: device === undefined ? null : hashToken(device) };
    // A link in a mail is no second step.
    if (await hasSecondStep(trx, id))
      return { device: await keepDevice(ctx, trx, ofStaff, { ownerId: id, ...kept }) };
    return startStaffSession(ctx, trx, { id, name, device: kept }, request);
  });
}

/** The event of a name that another one replaces; none of a first name. */
function renamed({ staffId, name: from }: Invited, to: string): AuditEvent[] {
  if (from === null || from === to) return [];
  const details = { by: to, staff: staffId, change: 'name changed', from, to };
  return [{ kind: 'staff_account_changed', details }];
}

/** Refuses with 422 a password that is too short, common, or made of public words. */
export function checkStaffPassword(
  password: string,
  { email, operatorName }: { email: string; operatorName: string },
): void {
  if (Array.from(password).length < LEAST_PASSWORD)
    throw new Refusal(422, `Password must have at least ${LEAST_PASSWORD} characters.`);
  checkPassword(password, { email, operatorName, facilityName: 'Gatehouse', city: 'office' });
}

async function getInvited(ctx: Context, token: string, ip: string): Promise<Invited> {
  await countByNetwork(
    ctx,
    ip,
    ['sign-ins-a-minute', 'sign-ins-an-hour'],
    'There were too many tries from your network. Please wait a moment and try again.',
  );
  const { rows } = await sql<Invited>`
    SELECT m.id AS "staffId", m.email, m.name, m.role, c.name AS "operatorName"
    FROM staff_invitations i JOIN staff_members m ON m.id = i.staff_id AND m.disabled_at IS NULL
    JOIN corporations c ON c.id = m.corporation_id
    WHERE i.token_hash = ${hashToken(token)}
      AND i.created_at > ${ctx.clock.now()}::timestamptz - make_interval(hours => ${INVITATION_HOURS})`.execute(
    ctx.db,
  );
  const [invited] = rows;
  if (invited === undefined) throw notValid();
  return invited;
}

function notValid(): Refusal {
  return new Refusal(
    404,
    'This invitation is not valid any more. It works once and for 72 hours; ask for a new one.',
  );
}
