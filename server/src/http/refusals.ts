import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { auditRow, type AuditEvent } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { perMinute } from './per-minute.ts';

/**
 * At most this many refusals an hour are recorded for one address or user, and for all together.
 */
export const MOST_REFUSALS_OF_ONE = 60;
export const MOST_REFUSALS_OF_ALL = 1000;
/**
 * The most audit events for misplaced tokens a minute in one process, because unauthenticated
 * requests can cause them.
 */
const MOST_TOKENS_A_MINUTE = 60;

/**
 * Records that a signed-in caller asked for an id that is missing or another user's, which the
 * guard refuses alike, or that a bound token came without its proof.
 */
export async function auditRefusedAccess(
  ctx: Context,
  request: FastifyRequest,
  { userId, facilityId }: { userId: string; facilityId: string },
  lacks: 'right' | 'proof',
): Promise<void> {
  await auditRefusal(ctx, request, {
    kind: 'access_refused',
    userId,
    facilityId,
    details: { ...routeOf(request), lacks },
  });
}

/** Records session tokens in the address or the body of a request, where they are not accepted. */
export function watchForTokens(api: FastifyInstance, ctx: Context): void {
  const mayNote = perMinute(ctx.clock, MOST_TOKENS_A_MINUTE);
  const note = async (request: FastifyRequest, place: string) => {
    if (mayNote())
      await auditRefusal(ctx, request, {
        kind: 'token_misplaced',
        details: { ...routeOf(request), place },
      });
  };
  api.addHook('onRequest', async (request) => {
    if (/r[dv]t_|[?&](access_)?token=/i.test(request.url)) await note(request, 'address');
  });
  api.addHook('preValidation', async (request) => {
    if (holdsToken(request.body)) await note(request, 'body');
  });
}

/** Only top-level fields of the body are searched. */
function holdsToken(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.values(body).some((value) => typeof value === 'string' && value.startsWith('rvt_'));
}

function routeOf({ method, routeOptions }: FastifyRequest): { route: string } {
  return { route: `${method} ${routeOptions.url ?? 'unknown'}` };
}

async function auditRefusal(
  ctx: Context,
  request: FastifyRequest,
  event: AuditEvent,
): Promise<void> {
  const row = auditRow(ctx.clock.now(), { ip: request.ip, requestId: request.id }, event);
  await sql`
    WITH recent AS (
      SELECT user_id, ip FROM audit_events
      WHERE kind = ${row.kind} AND kind IN ('access_refused', 'token_misplaced')
        AND at > ${row.at}::timestamptz - interval '1 hour'
      LIMIT ${MOST_REFUSALS_OF_ALL}
    ), counted AS (
      SELECT count(*) AS of_all, count(*) FILTER (WHERE ip = ${row.ip}::text OR user_id = ${row.user_id}::uuid) AS of_one
      FROM recent
    )
    INSERT INTO audit_events (at, kind, user_id, facility_id, ip, request_id, details)
    SELECT ${row.at}, ${row.kind}, ${row.user_id}::uuid, ${row.facility_id}::uuid, ${row.ip}, ${row.request_id}::uuid,
      ${row.details}::jsonb
    FROM counted WHERE of_all < ${MOST_REFUSALS_OF_ALL} AND of_one < ${MOST_REFUSALS_OF_ONE}`.execute(
    ctx.db,
  );
}
