import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';
import {
  noteShown,
  TellingRefusal,
  type Shown,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';

/** A name under which others have the address of a record; null where it is out of reach. */
type Stranger = string | null;

/** Each name once; those of facilities that the caller does not work for as one null. */
export async function findStrangers(
  db: Database,
  tenantId: string,
  facilityIds: Places,
): Promise<Stranger[]> {
  const { rows } = await sql<{ name: Stranger }>`
    SELECT DISTINCT CASE WHEN ${within(sql`t.facility_id`, facilityIds)} THEN t.name END AS name
    FROM strangers_at_address(${tenantId}) AS stranger (id) JOIN tenants t ON t.id = stranger.id
    ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Whether the address of a record reaches it. */
export async function isReachedByAddress(db: Database, tenantId: string): Promise<boolean> {
  const { rows } = await sql<{ isReached: boolean }>`
    SELECT is_reached_by_address(${tenantId}) AS "isReached"`.execute(db);
  return rows[0]!.isReached;
}

const ELSEWHERE = 'a tenant of another facility';

/** Those in reach for a record that its address does not reach, which may all be out of it. */
export async function namesToJoin(
  db: Database,
  tenantId: string,
  facilityIds: Places,
): Promise<string[]> {
  const names = withinReach(await findStrangers(db, tenantId, facilityIds));
  return names.length === 0 ? [ELSEWHERE] : names;
}

/** The longest name that a list has, and the most names in a sentence and in the audit trail. */
const LONGEST = 30;
const MOST = { sentence: 2, trail: 20 };

function shortened(names: string[], most: number): string[] {
  return names
    .slice(0, most)
    .map((name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name));
}

/** As `Ann Lee, Ben Lee and 2 more`, short enough for a refusal. */
function namesOf(strangers: Stranger[]): string {
  const names = strangers.map((name) => name ?? ELSEWHERE);
  const short = shortened(names, MOST.sentence);
  const more = names.length - short.length;
  return more > 0 ? `${short.join(', ')} and ${more} more` : short.join(' and ');
}

/** The names for the audit trail, whose events have room for some. */
export function detailsOf(joinedWith: string[]): Record<string, string> {
  if (joinedWith.length === 0) return {};
  const short = shortened(joinedWith, MOST.trail);
  const more = joinedWith.length - short.length;
  return { joinedWith: short.join(', ') + (more > 0 ? ` and ${more} more` : '') };
}

/** How many names were shown, never which, `about` the record or facility. */
export function sharersShown(about: Shown, names: string[]) {
  if (names.length === 0) return undefined;
  const details = { shows: 'sharers of an address', rows: String(names.length) };
  return { verb: 'records.show' as const, about: { ...about, details } };
}

/**
 * Joins a record that was given its address with those of other names that have it, where the
 * caller says so; answers their names. Refuses with 409 and the names where not, which is noted as
 * shown, `about` what is there without this call.
 */
export async function joinIfSaid(
  on: StaffWork,
  tenantId: string,
  isSaid: boolean | undefined,
  about: Shown,
): Promise<string[]> {
  const strangers = await findStrangers(on.trx, tenantId, on.call.facilityIds);
  if (strangers.length === 0) return [];
  const names = withinReach(strangers);
  if (isSaid !== true)
    throw new TellingRefusal(
      409,
      `This address is also on file for ${namesOf(strangers)}. May one sign-in see all of them? Then say that they are joined.`,
      sharersShown(about, names),
    );
  await joinAddress(on, tenantId);
  return names;
}

export function withinReach(strangers: Stranger[]): string[] {
  return strangers.filter((name) => name !== null);
}

/**
 * Lets the address of a record reach it, and those of the caller's other records that have it, each
 * with an event of its own. Answers how many were not joined before.
 */
export async function joinAddress(
  { ctx, trx, call, now }: StaffWork,
  tenantId: string,
): Promise<number> {
  const { rows } = await sql<{ tenantId: string; facilityId: string }>`
    UPDATE tenants SET joined_at = ${now} WHERE id IN (
      SELECT t.id
      FROM tenants given
      JOIN facilities place ON place.id = given.facility_id
      JOIN facilities f ON f.corporation_id = place.corporation_id
      JOIN tenants t ON t.facility_id = f.id AND lower(t.email) = lower(given.email)
      WHERE given.id = ${tenantId} AND t.joined_at IS NULL AND ${within(sql`f.id`, call.facilityIds)}
      ORDER BY t.id FOR NO KEY UPDATE OF t)
    RETURNING id AS "tenantId", facility_id AS "facilityId"`.execute(trx);
  for (const one of rows)
    if (one.tenantId !== tenantId.toLowerCase())
      await noteShown({ ...ctx, db: trx }, 'tenants.join', call, one);
  return rows.length;
}
