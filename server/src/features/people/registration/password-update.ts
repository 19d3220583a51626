import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { dropDevices, keepDevice, ofUsers } from '#features/people/session/devices.ts';
import { hashPassword } from '#features/people/session/password.ts';
import { lockUser } from '#features/people/session/session.ts';
import { forgetTries } from '#features/people/session/sign-in-tries.ts';
import { hashToken } from '#http/token.ts';
import { Refusal } from '#errors/refusal.ts';
import { passwordChangedEmail, welcomeEmail } from './emails.ts';
import { checkPassword } from './password-rules.ts';
import { findAddressOnFile, lockRegistrations } from './registration.ts';
import { TOKEN_MINUTES } from './rules.ts';

export type NewPassword = {
  token: string;
  password: string;
  corporationCode: string;
  device?: string | undefined;
};

/**
 * Sets the password of a verified address, once for a token: creates the user or changes its
 * password, links the tenant records that the address reaches at that location in addition to those
 * it has, ends every session, every passkey, every open registration and every device of it but the
 * one sent along, resets the count of wrong passwords, and mails a welcome or a notice, in one
 * transaction. Autopay is unchanged. Answers a device token, with which strangers cannot hold up
 * the next sign-in. Refuses with 422 a token that is not verified, used or expired, or whose
 * address reaches no record, and a password that is too easy to guess, which does not use it up.
 */
export async function updatePassword(
  ctx: Context,
  { token, password, corporationCode, device }: NewPassword,
  request: AuditedRequest,
): Promise<{ device: string }> {
  const tokenHash = hashToken(token);
  const found = await findVerified(ctx, tokenHash, corporationCode);
  if (found === undefined) throw notVerified();
  checkPassword(password, found);
  const passwordHash = await hashPassword(password);
  return ctx.db.transaction().execute(async (trx) => {
    await endRegistrations(ctx, trx, tokenHash, found);
    const onFile = await findAddressOnFile(trx, found.facilityId, found.email);
    if (onFile?.isReached !== true) throw notVerified();
    const { email } = onFile;
    const { userId, isNew } = await setPassword(trx, {
      corporationId: found.corporationId,
      email,
      passwordHash,
    });
    await linkTenants(trx, userId, found);
    await trx.deleteFrom('calendar_feeds').where('user_id', '=', userId).execute();
    await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
    // After the rows that a call of the sessions may be writing: it waits here before its commit.
    await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
    await dropDevices(trx, ofUsers, userId, device);
    await forgetTries(ctx, trx, corporationCode, found.email);
    const kind = isNew ? 'registered' : 'password_set';
    await audit(ctx, trx, request, [{ kind, userId, facilityId: found.facilityId }]);
    const facility = { name: found.facilityName, phone: found.facilityPhone };
    await queueMail(ctx, trx, {
      to: email,
      kind: 'security',
      tenantId: null,
      email: () => (isNew ? welcomeEmail(facility) : passwordChangedEmail(facility)),
    });
    const hash = device === undefined ? null : hashToken(device);
    return {
      device: await keepDevice(ctx, trx, ofUsers, { ownerId: userId, given: device, hash }),
    };
  });
}

function notVerified(): Refusal {
  return new Refusal(
    422,
    t('Your verification is no longer valid. Please look up your account again.'),
  );
}

type Verified = {
  email: string;
  facilityId: string;
  facilityName: string;
  facilityPhone: string | null;
  city: string;
  corporationId: string;
  operatorName: string;
};

async function findVerified(
  { db, clock }: { db: Database; clock: Context['clock'] },
  tokenHash: Buffer,
  corporationCode: string,
): Promise<Verified | undefined> {
  const { rows } = await sql<Verified>`
    SELECT l.email, f.id AS "facilityId", f.name AS "facilityName", f.phone AS "facilityPhone", f.city,
      c.id AS "corporationId", c.name AS "operatorName"
    FROM account_lookups l
    JOIN facilities f ON f.id = l.facility_id
    JOIN corporations c ON c.id = f.corporation_id AND c.code = ${corporationCode}
    WHERE l.token_hash = ${tokenHash} AND l.verified_at IS NOT NULL
      AND l.created_at > ${clock.now()}::timestamptz - make_interval(mins => ${TOKEN_MINUTES})`.execute(
    db,
  );
  return rows[0];
}

/** Uses the token up; of concurrent uses only the first succeeds. */
async function endRegistrations(
  { clock }: Context,
  trx: DatabaseTransaction,
  tokenHash: Buffer,
  { email, corporationId }: Verified,
): Promise<void> {
  // Avoids a deadlock between uses of two locations' tokens, each of which deletes the other's
  // rows.
  await lockRegistrations(trx, email);
  const { rows } = await sql<{ isUsed: boolean }>`
    DELETE FROM account_lookups l USING facilities f
    WHERE f.id = l.facility_id AND f.corporation_id = ${corporationId} AND l.email = ${email}
    RETURNING l.token_hash = ${tokenHash} AND l.verified_at IS NOT NULL AND
      l.created_at > ${clock.now()}::timestamptz - make_interval(mins => ${TOKEN_MINUTES}) AS "isUsed"`.execute(
    trx,
  );
  if (!rows.some(({ isUsed }) => isUsed)) throw notVerified();
}

type PasswordRow = { corporationId: string; email: string; passwordHash: string };

async function setPassword(
  trx: DatabaseTransaction,
  row: PasswordRow,
): Promise<{ userId: string; isNew: boolean }> {
  const { rows } = await sql<{ userId: string; isNew: boolean }>`
    INSERT INTO users (corporation_id, email, password_hash, language)
    VALUES (${row.corporationId}, ${row.email}, ${row.passwordHash}, ${language()})
    ON CONFLICT (corporation_id, lower(email)) DO UPDATE SET password_hash = excluded.password_hash,
      language = coalesce(users.language, excluded.language)
      WHERE users.disabled_at IS NULL
    RETURNING id AS "userId", xmax = 0 AS "isNew"`.execute(trx);
  const [user] = rows;
  if (user === undefined) throw notVerified();
  // A concurrent sign-in with the old password either ends before the sessions are deleted, or
  // finds the new password.
  await lockUser(trx, user.userId);
  return user;
}

async function linkTenants(
  trx: DatabaseTransaction,
  userId: string,
  { facilityId, email }: Verified,
): Promise<void> {
  await sql`
    INSERT INTO user_tenants (user_id, tenant_id, position)
    SELECT ${userId}::uuid, t.id, row_number() OVER (ORDER BY t.id) +
      (SELECT coalesce(max(position), 0) FROM user_tenants WHERE user_id = ${userId}::uuid)
    FROM tenants t
    WHERE t.facility_id = ${facilityId} AND lower(t.email) = ${email} AND is_reached_by_address(t.id)
      AND NOT is_closed_by_death(t.id)
    ON CONFLICT DO NOTHING`.execute(trx);
}
