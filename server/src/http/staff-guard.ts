import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql, type RawBuilder } from 'kysely';
import {
  isAtLeast,
  MEMBER_HEADER,
  type OfficeEndpoint,
  type OfficeRole,
  POLL_HEADER,
} from '@gatehouse/contract/office/office-endpoint';
import { auditRow } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Recheck, RecheckStatus, StaffReach } from '#db/reach.ts';
import type { Database } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { readCookie } from './cookies.ts';
import { perMinute } from './per-minute.ts';
import { demandRole } from './roles.ts';
import { originOf } from './routes.ts';
import { hashToken, SESSION_ABSOLUTE_HOURS, SESSION_IDLE_MINUTES } from './token.ts';

/** `__Host-`: of this host only, over https or on this machine, and for all its paths. */
export const OFFICE_COOKIE = '__Host-gatehouse-office';
/** Marks a browser in which a member of staff has signed in before; it is no session. */
export const DEVICE_COOKIE = '__Host-gatehouse-office-device';

/** The signed-in member of staff, with the facilities that the account is for. */
export type StaffMember = {
  staffId: string;
  tokenHash: Buffer;
  name: string;
  email: string;
  role: OfficeRole;
  isForAll: boolean;
  /** By location code. */
  facilities: { id: string; locationCode: string; name: string; timeZone: string }[];
  /** Whether these are all facilities of the database. */
  isAll: boolean;
  hasSecondStep: boolean;
  /** The second step is demanded and not set up. */
  mustEnrol: boolean;
  begunAt: Date;
};

const found = new WeakMap<FastifyRequest, StaffMember>();

/** The member that the guard found. */
export function staffOf(request: FastifyRequest): StaffMember {
  const one = found.get(request);
  if (one === undefined) throw new Error('the guard did not run for this request');
  return one;
}

/** What a member's readings are limited to. */
export function reachOf({ staffId, facilities, isAll }: StaffMember): StaffReach {
  return { staffId, facilityIds: facilities.map(({ id }) => id), isAll };
}

/** What of a member is checked again. */
export type Checked = Pick<StaffMember, 'staffId' | 'tokenHash' | 'role'> & {
  facilities: { id: string }[];
};

/** The check that the member's writes are committed under: account, session, role, facilities. */
export function recheckOf({ staffId, tokenHash, role, facilities }: Checked): Recheck {
  return {
    statement: (isFirst) => ({
      name: 'gatehouse_recheck_of_staff',
      text: 'SELECT recheck_staff($1, $2, $3, $4, $5)',
      values: [tokenHash, staffId, role, facilities.map(({ id }) => id), isFirst],
    }),
    refusalOf: (status) => refusals[status](),
  };
}

const refusals: Record<RecheckStatus, () => Refusal> = {
  401: signedOut,
  403: () => new Refusal(403, 'Your role has changed. Please load the page again.'),
  404: notFound,
};

/** A facility of the member's by its id, in any case. Refuses with 404 another one. */
export function getOwnFacility(
  { facilities }: Pick<StaffMember, 'facilities'>,
  facilityId: string,
): StaffMember['facilities'][number] {
  const id = facilityId.toLowerCase();
  const facility = facilities.find((one) => one.id === id);
  if (facility === undefined) throw notFound();
  return facility;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MOST_REFUSALS_A_MINUTE = 60;

/**
 * Authenticates a member of staff by the cookie, with role and facilities as they are now, in one
 * query: 401 for no live session, 409 for a page that shows another
 * member or names none, 403 for a role that may
 * not and while the second step has to be set up, 404 for a malformed id in the path. Refused roles
 * are audited.
 */
export function guardStaff(
  ctx: Context,
  { name, role, isForEnrolling = false, isUnnamed = false }: StaffEndpoint,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const mayNote = perMinute(ctx.clock, MOST_REFUSALS_A_MINUTE);
  return async (request, reply) => {
    const token = readCookie(request, OFFICE_COOKIE);
    if (token === null) throw signedOut();
    const now = ctx.clock.now();
    const isUse = request.headers[POLL_HEADER.toLowerCase()] === undefined;
    const member = await findMember(ctx, now, hashToken(token), isUse);
    if (member === null) throw signedOut();
    const shown = request.headers[MEMBER_HEADER.toLowerCase()];
    if (!isUnnamed && shown !== member.staffId) {
      reply.header(MEMBER_HEADER, member.staffId);
      throw new Refusal(
        409,
        shown === undefined
          ? 'The office has been updated. Please load the page again.'
          : 'Another member of staff is signed in here now. Please load the page again.',
      );
    }
    if (member.mustEnrol && !isForEnrolling)
      throw new Refusal(403, 'Please set up the second step of your sign-in first.');
    if (!isAtLeast(member.role, role)) {
      if (mayNote()) await noteRefusal(ctx, request, member, name);
      demandRole(member.role, role, 'do this');
    }
    const ids = Object.entries(request.params as Record<string, string>);
    if (ids.some(([key, value]) => key.endsWith('Id') && !UUID.test(value))) throw notFound();
    found.set(request, member);
  };
}

type StaffEndpoint = Pick<OfficeEndpoint, 'name' | 'isForEnrolling' | 'isUnnamed'> & {
  role: OfficeRole;
};

function signedOut(): Refusal {
  return new Refusal(401, 'Your session has ended. Please sign in again.');
}

/** The member of a live session, whose idle time begins again by a use, at most once a minute. */
export async function findMember(
  { db, config }: Context,
  now: Date,
  tokenHash: Buffer,
  isUse = true,
): Promise<StaffMember | null> {
  const { rows } = await sql<Omit<StaffMember, 'tokenHash' | 'mustEnrol'> & { isStale: boolean }>`
    SELECT m.id AS "staffId", m.name, m.email, m.role, m.is_for_all AS "isForAll",
      has_second_step(m.id) AS "hasSecondStep", s.created_at AS "begunAt",
      s.last_seen_at < ${now}::timestamptz - interval '1 minute' AS "isStale",
      m.is_for_all AND NOT EXISTS (SELECT FROM corporations c WHERE c.id <> m.corporation_id) AS "isAll",
      (SELECT coalesce(json_agg(json_build_object('id', f.id, 'locationCode', f.location_code, 'name', f.name,
          'timeZone', f.time_zone) ORDER BY f.location_code), '[]')
        FROM facilities f WHERE f.corporation_id = m.corporation_id
          AND (m.is_for_all OR f.id IN (SELECT sf.facility_id FROM staff_facilities sf WHERE sf.staff_id = m.id))) AS facilities
    FROM staff_sessions s
    JOIN staff_members m ON m.id = s.staff_id AND m.disabled_at IS NULL AND m.name IS NOT NULL
    WHERE s.token_hash = ${tokenHash}
      AND ${isLiveSession(now)}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { isStale, ...member } = row;
  if (isStale && isUse) await touch(db, tokenHash, now);
  const mustEnrol = config.profile === 'live' && !member.hasSecondStep;
  return { ...member, tokenHash, mustEnrol };
}

async function touch(db: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('staff_sessions')
    .set({ last_seen_at: now })
    .where('token_hash', '=', tokenHash)
    .execute();
}

async function noteRefusal(
  ctx: Context,
  request: FastifyRequest,
  { staffId, name }: StaffMember,
  call: string,
): Promise<void> {
  const details = { by: name, staff: staffId, call, lacks: 'role' };
  const event = { kind: 'access_refused' as const, details };
  await ctx.db
    .insertInto('audit_events')
    .values(auditRow(ctx.clock.now(), { ...originOf(request), staffId }, event))
    .execute();
}

/** SQL: whether the session `s` of staff can still be used. */
export function isLiveSession(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(s.last_seen_at > ${now}::timestamptz - make_interval(mins => ${SESSION_IDLE_MINUTES})
    AND s.created_at > ${now}::timestamptz - make_interval(hours => ${SESSION_ABSOLUTE_HOURS}))`;
}
