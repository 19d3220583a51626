import type { FastifyRequest } from 'fastify';
import type { Access } from '@gatehouse/contract/endpoint';
import { MOST_IDS } from '@gatehouse/contract/ids';
import { sql } from 'kysely';
import type { Context } from '#context.ts';
import type { Database } from '#db/database.ts';
import { hashToken, SESSION_ABSOLUTE_HOURS, SESSION_IDLE_MINUTES } from './token.ts';
import { notFound, Refusal } from '#refusal.ts';

/**
 * The signed-in caller of a request. `tenantIds` are the caller's own records at the session's facility, in order, and
 * `ledgerIds` all their ledgers there, ended ones too: no further than these does the request reach in the database.
 */
export type Caller = {
  userId: string;
  tokenHash: Buffer;
  facilityId: string;
  timeZone: string;
  tenantIds: string[];
  ledgerIds: string[];
};

const callers = new WeakMap<FastifyRequest, Caller>();

/** The caller that the guard found. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('the guard did not run for this request');
  return caller;
}

/**
 * Token to caller, and "is it yours?" for every id of path and query, in one query before any handler (D35).
 * 401 for no or a dead token; then 404, alike, for what is malformed, missing or somebody else's (design section 6).
 */
export function guard(ctx: Context, endpoint: { access: Access }) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw signedOut();
    const asked = idsOf(request);
    const found = await findCaller(ctx.db, ctx.clock.now(), hashToken(token), asked ?? noIds);
    if (found === null) throw signedOut();
    if (endpoint.access === 'tenant') {
      const { corp, locationCode } = request.params as { corp?: string; locationCode?: string };
      const own = new Set(found.caller.tenantIds);
      const isOwn =
        asked !== null &&
        corp === found.corporationCode &&
        locationCode === found.locationCode &&
        asked.tenants.every((id) => own.has(id)) &&
        found.ledgers === new Set(asked.ledgers).size &&
        found.units === new Set(asked.units).size;
      if (!isOwn) throw notFound();
    }
    callers.set(request, found.caller);
    if (found.isStale) await touch(ctx.db, found.caller.tokenHash, ctx.clock.now());
  };
}

type Ids = { tenants: string[]; ledgers: string[]; units: string[] };

const noIds: Ids = { tenants: [], ledgers: [], units: [] };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The ids that path and query name, or null when one is malformed or a list is too long. */
function idsOf(request: FastifyRequest): Ids | null {
  const params = request.params as Record<string, string | undefined>;
  const query = request.query as Record<string, unknown>;
  const ids = {
    tenants: [...single(params.tenantId), ...listed(params.tenantIds)],
    ledgers: [...single(params.ledgerId), ...listed(params.ledgerIds)],
    units: single(params.unitId),
  };
  // A query id that is missing or no id at all is the validation's business: it names the field.
  if (typeof query.ledgerId === 'string' && UUID.test(query.ledgerId)) ids.ledgers.push(query.ledgerId.toLowerCase());
  const all = Object.values(ids).flat();
  // Whose image it is, its row says; here only that it is an id.
  const named = [...all, ...single(params.imageId)];
  return all.length <= MOST_IDS && named.every((id) => UUID.test(id)) ? ids : null;
}

function single(value: string | undefined): string[] {
  return value === undefined ? [] : [value.toLowerCase()];
}

function listed(value: string | undefined): string[] {
  return value === undefined ? [] : value.toLowerCase().split(',');
}

function signedOut(): Refusal {
  return new Refusal(401, 'Your session has ended. Please sign in again.');
}

async function findCaller(db: Database, now: Date, tokenHash: Buffer, asked: Ids) {
  const { rows } = await sql<{
    userId: string;
    facilityId: string;
    timeZone: string;
    locationCode: string;
    corporationCode: string;
    isStale: boolean;
    tenantIds: string[];
    ledgerIds: string[];
    ledgers: number;
    units: number;
  }>`
    SELECT u.id AS "userId", f.id AS "facilityId", f.time_zone AS "timeZone", f.location_code AS "locationCode",
      c.code AS "corporationCode", s.last_seen_at < ${now}::timestamptz - interval '1 minute' AS "isStale",
      own.ids AS "tenantIds",
      ARRAY(SELECT l.id FROM ledgers l WHERE l.tenant_id = ANY(own.ids)) AS "ledgerIds",
      (SELECT count(*) FROM ledgers l
        WHERE l.id = ANY(${asked.ledgers}::uuid[]) AND l.tenant_id = ANY(own.ids) AND l.moved_out_on IS NULL) AS ledgers,
      (SELECT count(DISTINCT l.unit_id) FROM ledgers l
        WHERE l.unit_id = ANY(${asked.units}::uuid[]) AND l.tenant_id = ANY(own.ids) AND l.moved_out_on IS NULL) AS units
    FROM sessions s
    JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
    JOIN facilities f ON f.id = s.facility_id
    JOIN corporations c ON c.id = f.corporation_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(t.id ORDER BY ut.position, t.id), '{}') AS ids
      FROM user_tenants ut JOIN tenants t ON t.id = ut.tenant_id
      WHERE ut.user_id = u.id AND t.facility_id = f.id
    ) own
    WHERE s.token_hash = ${tokenHash}
      AND s.last_seen_at > ${now}::timestamptz - make_interval(mins => ${SESSION_IDLE_MINUTES})
      AND s.created_at > ${now}::timestamptz - make_interval(hours => ${SESSION_ABSOLUTE_HOURS})`.execute(db);
  const row = rows[0];
  if (row === undefined) return null;
  const { userId, facilityId, timeZone, tenantIds, ledgerIds, ...found } = row;
  return { ...found, caller: { userId, tokenHash, facilityId, timeZone, tenantIds, ledgerIds } satisfies Caller };
}

/** Moves the idle end on; once a minute is often enough. */
async function touch(db: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('token_hash', '=', tokenHash).execute();
}
