import type { Reply } from '@gatehouse/contract/endpoint';
import { KEPT_DAYS } from '@gatehouse/contract/sessions';
import type { login } from '@gatehouse/contract/sign-in';
import { language, type Language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { checkedFirst, type DatabaseTransaction } from '#db/database.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import type { Caller } from '#http/guard.ts';
import type { Origin } from '#http/routes.ts';
import { readProofKey } from '#http/proof.ts';
import { hashToken, newToken, SESSIONS_PER_USER } from '#http/token.ts';
import { Refusal } from '#errors/refusal.ts';
import { accountOf, foldEmail } from './account.ts';
import { nameBrowser } from './browser-name.ts';
import { findDevice, keepDevice, ofUsers } from './devices.ts';
import { chooseFirstLanguage } from './language.ts';
import { newSignInEmail } from './emails.ts';
import { sessionLasts } from './sessions.ts';
import { isPassword, dummyHash } from './password.ts';
import { beginTry, endTries, tenantPolicy, type SignIn, type Try } from './sign-in-tries.ts';

const DAY_MS = 86_400_000;

export type Credentials = {
  username: string;
  password: string;
  locationCode: string;
  corporationCode: string;
  /** The browser's public key, to which the token is bound; none for an unbound token. */
  proofKey?: string | undefined;
  device?: string | undefined;
};

/**
 * Signs a user in at a location. A wrong password, an unknown address, a disabled user and a
 * location without a record of the user are refused alike with 401, and too many tries with 429.
 * 422 for a proof key that is none, or is missing where it is required. The answer's device token
 * is for the next sign-in. A first sign-in from a new network is mailed to the address on file.
 */
export async function signIn(
  ctx: Context,
  credentials: Credentials,
  origin: Origin,
): Promise<Reply<typeof login>> {
  const proofKey = readSignInKey(ctx, credentials.proofKey);
  const attempt = await beginTry(
    ctx,
    await tenantSignIn(ctx, credentials, origin.ip),
    tenantPolicy,
  );
  const user = await findUser(ctx, credentials);
  const isRight = await isPassword(credentials.password, user?.passwordHash ?? dummyHash);
  if (user === undefined || !isRight) {
    // Also for an unknown account, so that it takes as long.
    await audit(ctx, ctx.db, origin, [{ kind: 'sign_in_failed', account: attempt.account }]);
    throw notRight();
  }
  const session = await startSession(ctx, user, {
    proofKey,
    attempt,
    origin,
    // One concurrent with a new password could outlive it.
    isStillRight: async (trx) => {
      const { rows } = await sql`
        SELECT FROM users WHERE id = ${user.id} AND password_hash = ${user.passwordHash} AND disabled_at IS NULL`.execute(
        trx,
      );
      return rows.length > 0;
    },
    refusal: notRight,
  });
  return {
    ...session,
    tenants: user.tenantIds.map((id) => ({ id })),
    serverTime: ctx.clock.now().toISOString(),
  };
}

/** The account and device of a tenant's sign-in. */
export async function tenantSignIn(
  ctx: Context,
  of: { username: string; corporationCode: string; device?: string | undefined },
  ip: string,
): Promise<SignIn> {
  return {
    account: accountOf(ctx, of.corporationCode, of.username),
    ip,
    device: { given: of.device, hash: await findDevice(ctx, ofUsers, of) },
  };
}

/** Locks a user's sign-ins and password changes until the transaction ends. */
export async function lockUser(trx: DatabaseTransaction, userId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, 0))`.execute(trx);
}

/** Ends one session: its token is invalid from then on. */
export async function signOut(
  ctx: Context,
  caller: Caller,
  request: AuditedRequest,
): Promise<void> {
  const { userId, facilityId, tokenHash } = caller;
  await checkedFirst(ctx.db)
    .transaction()
    .execute(async (trx) => {
      await trx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
      await audit(ctx, trx, request, [{ kind: 'signed_out', userId, facilityId }]);
    });
}

/**
 * The key that a sign-in binds its token to; null for none. Refuses with 422 one that is no key,
 * and none where bound tokens are required.
 */
export function readSignInKey({ config }: Context, proofKey: string | undefined): Buffer | null {
  if (proofKey !== undefined) {
    const key = readProofKey(proofKey);
    if (key === null) throw new Refusal(422, t('The proof key is not valid.'));
    return key;
  }
  if (config.requireBoundTokens)
    throw new Refusal(
      422,
      t(
        'This browser cannot keep a key for signing in. Please leave private browsing and try again.',
      ),
    );
  return null;
}

function notRight(): Refusal {
  return new Refusal(
    401,
    t(
      'The email address, password or location is not right. Please check all three and try again.',
    ),
  );
}

/** A user and the facility whose records the session is for. */
export type SessionUser = {
  id: string;
  email: string;
  facilityId: string;
  facilityName: string;
  facilityPhone: string | null;
  tenantIds: string[];
  /** Null before the first sign-in. */
  language: Language | null;
  isLanguageChosen: boolean;
};

type SignInUser = SessionUser & { passwordHash: string };

async function findUser(
  { db }: Context,
  credentials: Credentials,
): Promise<SignInUser | undefined> {
  const { rows } = await sql<SignInUser>`
    SELECT u.id, u.email, u.language, u.language_chosen AS "isLanguageChosen", u.password_hash AS "passwordHash", f.id AS "facilityId", f.name AS "facilityName",
      f.phone AS "facilityPhone",
      array_agg(t.id ORDER BY ut.position, t.id) AS "tenantIds"
    FROM users u
    JOIN corporations c ON c.id = u.corporation_id AND c.code = ${credentials.corporationCode}
    JOIN facilities f ON f.corporation_id = c.id AND f.location_code = ${credentials.locationCode}
    JOIN user_tenants ut ON ut.user_id = u.id
    JOIN tenants t ON t.id = ut.tenant_id AND t.facility_id = f.id AND lower(t.email) = lower(u.email)
    WHERE lower(u.email) = ${foldEmail(credentials.username)} AND u.disabled_at IS NULL
    GROUP BY u.id, f.id`.execute(db);
  return rows[0];
}

/** What a session begins with besides its user. */
type Start = {
  proofKey: Buffer | null;
  attempt: Try;
  origin: Origin;
  /** Whether what proved the user is still right, asked under the user's lock. */
  isStillRight: (trx: DatabaseTransaction) => Promise<boolean>;
  refusal: () => Refusal;
  /** The passkey that keeps it; without one it is not kept. */
  keptBy?: string | undefined;
  /** For the audit trail. */
  details?: Record<string, string>;
};

/**
 * Starts a session of a user who was proven: its token, the device token for the next sign-in, and
 * the language of the account, which is that of the first sign-in until the tenant chooses one.
 * The sixth session ends the oldest, and before that those that are over. A first one from a new
 * network is mailed to the address on file. A kept one lasts 30 days, and begins as confirmed.
 * Refuses with `refusal` where the proof is no longer right.
 */
export async function startSession(
  ctx: Context,
  user: SessionUser,
  { proofKey, attempt, origin, isStillRight, refusal, keptBy, details }: Start,
): Promise<{ token: string; device: string; language: Language; isLanguageChosen: boolean }> {
  const now = ctx.clock.now();
  const token = newToken();
  return ctx.db.transaction().execute(async (trx) => {
    // Concurrent sign-ins could exceed the limit of sessions.
    await lockUser(trx, user.id);
    if (!(await isStillRight(trx))) throw refusal();
    const { rows: replaced } = await sql<{ userId: string; facilityId: string }>`
      DELETE FROM sessions WHERE token_hash IN (
        SELECT token_hash FROM sessions WHERE user_id = ${user.id}
        ORDER BY ${sessionLasts(now)} DESC, created_at DESC OFFSET ${SESSIONS_PER_USER - 1}
      ) RETURNING user_id AS "userId", facility_id AS "facilityId"`.execute(trx);
    await trx
      .insertInto('sessions')
      .values({
        token_hash: hashToken(token),
        user_id: user.id,
        facility_id: user.facilityId,
        created_at: now,
        last_seen_at: now,
        proof_key: proofKey,
        browser: nameBrowser(origin.userAgent),
        ...(keptBy !== undefined && {
          kept_by: keptBy,
          kept_until: new Date(now.getTime() + KEPT_DAYS * DAY_MS),
          confirmed_at: now,
        }),
      })
      .execute();
    await audit(ctx, trx, origin, [
      ...replaced.map((session) => ({ kind: 'session_replaced' as const, ...session })),
      {
        kind: 'signed_in',
        userId: user.id,
        facilityId: user.facilityId,
        account: attempt.account,
        ...(details && { details }),
      },
    ]);
    if (user.language === null) await chooseFirstLanguage(trx, user.id);
    const isNewNetwork = await endTries(ctx, trx, attempt);
    const facility = { name: user.facilityName, phone: user.facilityPhone };
    if (isNewNetwork)
      await queueMail(ctx, trx, {
        to: user.email,
        kind: 'security',
        tenantId: null,
        email: () => newSignInEmail(facility),
      });
    return {
      token,
      device: await keepDevice(ctx, trx, ofUsers, { ownerId: user.id, ...attempt.device }),
      language: user.language ?? language(),
      isLanguageChosen: user.isLanguageChosen,
    };
  });
}
