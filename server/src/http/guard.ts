import { t } from '@gatehouse/language/t';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { calendarDateIn, isTimeZone } from '@gatehouse/contract/dates';
import type { Endpoint } from '@gatehouse/contract/endpoint';
import { MOST_IDS } from '@gatehouse/contract/id-lists';
import { FRESH_MINUTES } from '@gatehouse/contract/passkeys';
import type { Context } from '#context/context.ts';
import { isCurrentOn } from '#db/current-rental.ts';
import type { Database } from '#db/database.ts';
import type { Recheck } from '#db/reach.ts';
import { isProof, PROOF_HEADER } from './proof.ts';
import { auditRefusedAccess } from './refusals.ts';
import { hashToken, SESSION_ABSOLUTE_HOURS, SESSION_IDLE_MINUTES } from './token.ts';
import { notFound, Refusal } from '#errors/refusal.ts';

/**
 * The signed-in caller of a request. `tenantIds` are the caller's own records at the session's
 * facility, in order, and `ledgerIds` all their ledgers there, ended ones too. Row-level security
 * limits the request to these. `kept` is of a session that is kept on a phone, null of any other:
 * whether a passkey of the last minutes confirms what it may not do without one.
 */
export type Caller = {
  userId: string;
  tokenHash: Buffer;
  facilityId: string;
  timeZone: string;
  tenantIds: string[];
  ledgerIds: string[];
  kept: { isConfirmed: boolean } | null;
};

/** The header of a refusal that a passkey resolves. */
export const STEP_UP_HEADER = 'gatehouse-step-up';

/**
 * The result of the guard: the caller, and the caller's ids at the facility that the path names.
 */
type Found = {
  caller: Caller;
  corporationCode: string;
  locationCode: string;
  isStale: boolean;
  /** The key that the token is bound to; null for an unbound token. */
  proofKey: Buffer | null;
  /** The ledgers without a past move-out. */
  rentals: { ledgerId: string; unitId: string }[];
};

const found = new WeakMap<FastifyRequest, Found>();

/** Returns the caller that the guard found. */
export function callerOf(request: FastifyRequest): Caller {
  return foundFor(request).caller;
}

/** The check that the caller's writes are committed under: session, user and reach as now. */
export function recheckOf({ tokenHash }: Caller): Recheck {
  return {
    statement: (isFirst) => ({
      name: 'gatehouse_recheck',
      text: 'SELECT recheck_session($1, $2)',
      values: [tokenHash, isFirst],
    }),
    refusalOf: (status) => (status === 401 ? signedOut() : notFound()),
  };
}

function foundFor(request: FastifyRequest): Found {
  const one = found.get(request);
  if (one === undefined) throw new Error('the guard did not run for this request');
  return one;
}

/**
 * Authenticates the token and loads the caller with all ids that are the caller's, in one query
 * before anything else. 401 for a missing or invalid token, and alike for a bound token without the
 * proof of its browser (decision 37); then 404, alike, for an id of path or query that is
 * malformed, missing or another user's, and 422 for a list of more of the caller's ids than a path
 * may name; then 403 in a kept session for what needs a passkey first (decision 65).
 */
export function guard(ctx: Context, endpoint: Pick<Endpoint, 'access' | 'confirm'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw signedOut();
    const one = await findCaller(ctx.db, ctx.clock.now(), hashToken(token));
    if (one === null) throw signedOut();
    if (!isProven(ctx, request, token, one)) {
      await auditRefusedAccess(ctx, request, one.caller, 'proof');
      throw signedOut();
    }
    if (endpoint.access === 'tenant') {
      const { corp, locationCode } = request.params as { corp?: string; locationCode?: string };
      const asked = idsOf(request);
      const isHere = corp === one.corporationCode && locationCode === one.locationCode;
      if (!isHere || asked === null || !isOwn(one, asked)) throw await refused(ctx, request, one);
      if (mostNamed(asked) > MOST_IDS)
        throw new Refusal(422, t('A path may name at most {most} ids.', { most: MOST_IDS }));
    }
    if (endpoint.confirm && one.caller.kept?.isConfirmed === false) {
      reply.header(STEP_UP_HEADER, 'confirm');
      throw new Refusal(403, t('Please confirm with your passkey.'));
    }
    found.set(request, one);
    if (one.isStale) await touch(ctx.db, one.caller.tokenHash, ctx.clock.now());
  };
}

/** Whether the token comes from the browser that signed in, where it is bound to one. */
function isProven(
  { clock, config }: Context,
  { headers }: FastifyRequest,
  token: string,
  { caller: { tokenHash }, proofKey }: Found,
): boolean {
  if (proofKey === null) return !config.requireBoundTokens;
  return isProof(headers[PROOF_HEADER], { token, tokenHash, proofKey }, clock.now());
}

/**
 * Checks the ids of a validated body in the same way: 404 for an id that is missing or another
 * user's.
 */
export function guardBody(ctx: Context, idsIn: (body: unknown) => Ids) {
  return async (request: FastifyRequest): Promise<void> => {
    const one = foundFor(request);
    if (!isOwn(one, idsIn(request.body))) throw await refused(ctx, request, one);
  };
}

function isOwn({ caller, rentals }: Found, { tenants, ledgers, units }: Ids): boolean {
  return (
    tenants.every((id) => caller.tenantIds.includes(id)) &&
    ledgers.every((id) => rentals.some(({ ledgerId }) => ledgerId === id)) &&
    units.every((id) => rentals.some(({ unitId }) => unitId === id))
  );
}

/** Records the access refusal. */
async function refused(ctx: Context, request: FastifyRequest, { caller }: Found): Promise<Refusal> {
  await auditRefusedAccess(ctx, request, caller, 'right');
  return notFound();
}

/** The ids that a request names, in lower case. */
export type Ids = { tenants: string[]; ledgers: string[]; units: string[] };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The ids that path and query name, or null when one is malformed. */
function idsOf(request: FastifyRequest): Ids | null {
  const params = request.params as Record<string, string | undefined>;
  const query = request.query as Record<string, unknown>;
  const ids = {
    tenants: [...single(params.tenantId), ...listed(params.tenantIds)],
    ledgers: [...single(params.ledgerId), ...listed(params.ledgerIds)],
    units: single(params.unitId),
  };
  // A query id that is missing or malformed is left to the validation, which names the field.
  if (typeof query.ledgerId === 'string' && UUID.test(query.ledgerId))
    ids.ledgers.push(query.ledgerId.toLowerCase());
  const all = Object.values(ids).flat();
  // The handler checks in its row whose one of these is; here only the format of its id.
  const others = [params.imageId, params.requestId, params.documentId];
  return [...all, ...others.flatMap(single)].every((id) => UUID.test(id)) ? ids : null;
}

/** How many ids the longest list names. */
function mostNamed(ids: Ids): number {
  return Math.max(...Object.values(ids).map(({ length }) => length));
}

function single(value: string | undefined): string[] {
  return value === undefined ? [] : [value.toLowerCase()];
}

function listed(value: string | undefined): string[] {
  return value === undefined ? [] : value.toLowerCase().split(',');
}

function signedOut(): Refusal {
  return new Refusal(401, t('Your session has ended. Please sign in again.'));
}

type Row = Omit<Found, 'caller' | 'rentals'> & {
  userId: string;
  facilityId: string;
  timeZone: string;
  /** Of a kept session only. */
  confirmedAt: Date | null;
  tenantIds: string[];
  ledgers: { id: string; unitId: string; movedOutOn: string | null }[];
};

/** The caller of a session's token; null for a token of no live session. */
export async function findCaller(
  db: Database,
  now: Date,
  tokenHash: Buffer,
): Promise<Found | null> {
  const { rows } = await sql<Row>`
    SELECT u.id AS "userId", f.id AS "facilityId", f.time_zone AS "timeZone", f.location_code AS "locationCode",
      c.code AS "corporationCode", s.last_seen_at < ${now}::timestamptz - interval '1 minute' AS "isStale",
      s.proof_key AS "proofKey", s.confirmed_at AS "confirmedAt", own.ids AS "tenantIds", rented.ledgers
    FROM sessions s
    JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
    JOIN facilities f ON f.id = s.facility_id
    JOIN corporations c ON c.id = f.corporation_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(t.id ORDER BY ut.position, t.id), '{}') AS ids
      FROM user_tenants ut JOIN tenants t ON t.id = ut.tenant_id
      WHERE ut.user_id = u.id AND t.facility_id = f.id AND lower(t.email) = lower(u.email)
    ) own
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('id', l.id, 'unitId', l.unit_id, 'movedOutOn', l.moved_out_on)), '[]')
        AS ledgers
      FROM ledgers l WHERE l.tenant_id = ANY (own.ids)
    ) rented
    WHERE s.token_hash = ${tokenHash} AND session_lasts(s, ${now}::timestamptz,
      make_interval(mins => ${SESSION_IDLE_MINUTES}), make_interval(hours => ${SESSION_ABSOLUTE_HOURS}))`.execute(
    db,
  );
  return rows[0] === undefined ? null : foundIn(rows[0], now, tokenHash);
}

function foundIn(row: Row, now: Date, tokenHash: Buffer): Found {
  const { userId, facilityId, timeZone, tenantIds, ledgers, confirmedAt, ...rest } = row;
  const ledgerIds = ledgers.map(({ id }) => id);
  // An invalid time zone must not end the session: of all calls only payments need it.
  const today = calendarDateIn(isTimeZone(timeZone) ? timeZone : 'UTC', now);
  const rentals = ledgers
    .filter(({ movedOutOn }) => isCurrentOn(movedOutOn, today))
    .map(({ id, unitId }) => ({ ledgerId: id, unitId }));
  return {
    ...rest,
    rentals,
    caller: {
      userId,
      tokenHash,
      facilityId,
      timeZone,
      tenantIds,
      ledgerIds,
      kept: confirmedAt === null ? null : { isConfirmed: isFresh(confirmedAt, now) },
    },
  };
}

/** Not of a time to come either: a clock that is set back must not prolong it. */
function isFresh(confirmedAt: Date, now: Date): boolean {
  return Math.abs(now.getTime() - confirmedAt.getTime()) <= FRESH_MINUTES * 60_000;
}

/** Extends the idle timeout of the session, at most once a minute. */
async function touch(db: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('token_hash', '=', tokenHash)
    .execute();
}
