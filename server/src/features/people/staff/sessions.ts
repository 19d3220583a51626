import type { StaffSession } from '@gatehouse/contract/office/sessions';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { checkedFirst, type Database, type DatabaseTransaction } from '#db/database.ts';
import { idOfSession } from '#features/people/session/sessions.ts';
import { isLiveSession, type StaffMember } from '#http/staff-guard.ts';
import { notFound } from '#errors/refusal.ts';

/** The sessions of the member that last: the caller's own first, then the last used. */
export async function listStaffSessionsOf(
  ctx: Context,
  staff: StaffMember,
): Promise<StaffSession[]> {
  const rows = await findLasting(ctx, ctx.db, staff);
  return rows
    .map(({ tokenHash, browser, network, createdAt, lastSeenAt }) => ({
      id: idOfSession(ctx, tokenHash),
      browser,
      network,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      isCurrent: tokenHash.equals(staff.tokenHash),
    }))
    .toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

/**
 * Ends a session of the member at once, or with null all but the caller's own, and audits it.
 * Refuses with 404 any other session, and one that has ended.
 */
export async function endStaffSessionOf(
  ctx: Context,
  staff: StaffMember,
  sessionId: string | null,
  request: AuditedRequest,
): Promise<void> {
  await checkedFirst(ctx.db)
    .transaction()
    .execute(async (trx) => {
      if (sessionId === null) await endOtherSessions(trx, staff);
      else {
        const rows = await findLasting(ctx, trx, staff);
        const row = rows.find(({ tokenHash }) => idOfSession(ctx, tokenHash) === sessionId);
        if (row === undefined) throw notFound();
        await trx.deleteFrom('staff_sessions').where('token_hash', '=', row.tokenHash).execute();
      }
      const which = sessionId === null ? 'all others' : 'one';
      const details = { by: staff.name, staff: staff.staffId, sessions: which };
      await audit(ctx, trx, request, [{ kind: 'staff_session_ended', details }]);
    });
}

/** Ends the sessions of a member but the one of the call. */
export async function endOtherSessions(
  trx: DatabaseTransaction,
  { staffId, tokenHash }: StaffMember,
): Promise<void> {
  await trx
    .deleteFrom('staff_sessions')
    .where('staff_id', '=', staffId)
    .where('token_hash', '<>', tokenHash)
    .execute();
}

type Row = {
  tokenHash: Buffer;
  browser: string | null;
  network: string | null;
  createdAt: Date;
  lastSeenAt: Date;
};

async function findLasting(
  { clock }: Context,
  db: Database,
  { staffId }: StaffMember,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT s.token_hash AS "tokenHash", s.browser, s.ip AS network, s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt"
    FROM staff_sessions s WHERE s.staff_id = ${staffId} AND ${isLiveSession(clock.now())}
    ORDER BY s.last_seen_at DESC, s.token_hash`.execute(db);
  return rows;
}
