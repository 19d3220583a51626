import type { SessionRow } from '@gatehouse/contract/sessions';
import { sql, type RawBuilder } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { checkedFirst } from '#db/database.ts';
import { notFound } from '#errors/refusal.ts';
import { keyOf } from '#features/base/limits/limits.ts';
import type { Caller } from '#http/guard.ts';
import { SESSION_ABSOLUTE_HOURS, SESSION_IDLE_MINUTES } from '#http/token.ts';
import { browserText } from './browser-name.ts';

/**
 * The sessions of the caller's sign-in that last, at every facility: the caller's own first, then
 * the last used.
 */
export async function listSessionsOf(ctx: Context, caller: Caller): Promise<SessionRow[]> {
  const rows = await lasting(ctx, caller)
    .innerJoin('facilities', 'facilities.id', 'sessions.facility_id')
    .select(['facilities.name', 'browser', 'sessions.created_at', 'last_seen_at', 'kept_until'])
    .execute();
  return rows
    .map((row) => ({
      id: idOfSession(ctx, row.token_hash),
      browser: row.browser && browserText(row.browser),
      facilityName: row.name,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      isCurrent: row.token_hash.equals(caller.tokenHash),
      keptUntil: row.kept_until?.toISOString() ?? null,
    }))
    .toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

/** Ends a session of the caller's sign-in at once; 404 for any other, or one that has ended. */
export async function endSessionOf(
  ctx: Context,
  caller: Caller,
  sessionId: string,
  request: AuditedRequest,
): Promise<void> {
  const rows = await lasting(ctx, caller).select('facility_id').execute();
  const row = rows.find(({ token_hash }) => idOfSession(ctx, token_hash) === sessionId);
  if (row === undefined) throw notFound();
  await checkedFirst(ctx.db)
    .transaction()
    .execute(async (trx) => {
      await trx.deleteFrom('sessions').where('token_hash', '=', row.token_hash).execute();
      await audit(ctx, trx, request, [
        { kind: 'session_ended', userId: caller.userId, facilityId: row.facility_id },
      ]);
    });
}

/** The condition of the guard (http/guard.ts), of a row of `sessions`. */
export function sessionLasts(now: Date): RawBuilder<boolean> {
  return sql`session_lasts(sessions, ${now}::timestamptz, make_interval(mins => ${SESSION_IDLE_MINUTES}),
    make_interval(hours => ${SESSION_ABSOLUTE_HOURS}))`;
}

function lasting({ db, clock }: Context, { userId }: Caller) {
  return db
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where(sessionLasts(clock.now()))
    .orderBy('last_seen_at', 'desc');
}

/** What a session is called: no part of its token, which it does not reveal. */
export function idOfSession(ctx: Context, tokenHash: Buffer): string {
  return keyOf(ctx, 'session', tokenHash.toString('hex')).toString('base64url').slice(0, 22);
}
