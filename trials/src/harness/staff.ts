import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MEMBER_HEADER, type OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import { officeVerbs, type OfficeVerbName } from '@gatehouse/contract/office/verbs';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { OFFICE_COOKIE } from '@gatehouse/server/src/http/staff-guard.ts';
import { hashToken, newStaffToken } from '@gatehouse/server/src/http/token.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import type { Caller } from './caller.ts';
import type { Call } from './client.ts';

/** A member of staff by the token of a session. */
export type Member = { staffId: string; name: string; role: OfficeRole; token: string };

/** Writes a member of staff and a session; for all facilities where `facilityIds` is null. */
export async function makeMember(
  owner: Database,
  role: OfficeRole,
  facilityIds: string[] | null = null,
): Promise<Member> {
  const token = newStaffToken();
  const staffId = randomUUID();
  const name = `Ana ${role} ${staffId.slice(0, 8)}`;
  await sql`
    WITH member AS (
      INSERT INTO staff_members (id, corporation_id, email, name, role, is_for_all, password_hash, created_at)
      SELECT ${staffId}, id, ${`${role}-${staffId}@example.com`}, ${name}, ${role}, ${facilityIds === null}, 'none', ${testClock.now()}
      FROM corporations WHERE ${facilityIds}::uuid[] IS NULL AND code = 'ANCHOR'
        OR id = (SELECT corporation_id FROM facilities WHERE id = (${facilityIds}::uuid[])[1])
      RETURNING id
    ), places AS (
      INSERT INTO staff_facilities (staff_id, facility_id)
      SELECT member.id, facility FROM member, unnest(${facilityIds ?? []}::uuid[]) AS facility
    )
    INSERT INTO staff_sessions (token_hash, staff_id, created_at, last_seen_at)
    SELECT ${hashToken(token)}, id, ${testClock.now()}, ${testClock.now()} FROM member`.execute(
    owner,
  );
  return { staffId, name, role, token };
}

/** The headers of a page of the office that the server at the address serves. */
export function officeHeaders(
  { token, staffId }: Pick<Member, 'token' | 'staffId'>,
  address: string,
): Record<string, string> {
  return {
    cookie: `${OFFICE_COOKIE}=${token}`,
    [MEMBER_HEADER]: staffId,
    origin: address,
  };
}

/** The call of a verb, under a key of its own where none is given. */
export function verbCall(
  member: Member,
  address: string,
  name: OfficeVerbName,
  body: object,
  key: string = randomUUID(),
): Call {
  const { method, path } = officeVerbs[name];
  return {
    method,
    path: `/api${path}`,
    headers: officeHeaders(member, address),
    body: { why: 'Asked for', isPreview: false, ...body, key },
  };
}

/** What the office answered to a staff action; `reply` only of a 200. */
export type StaffAnswer = {
  name: OfficeVerbName;
  key: string;
  status: number;
  reply: VerbReply | null;
};

/** The parts of the replies of verbs that say what was posted, in dollars. */
export type VerbReply = {
  ledgers: { ledgerId: string; balance: number; refunded?: number }[];
  payments?: { ledgerId: string; amount: number }[];
  reversals?: { ledgerId: string; amount: number }[];
  amount?: number;
  receiptNumber?: string | null;
};

/**
 * Sends the call of a verb to the server at the address, again under its key where that is too busy
 * (503), after its `Retry-After`.
 */
export async function sendVerb(
  caller: Caller,
  member: Member,
  address: string,
  name: OfficeVerbName,
  body: object,
  key: string,
): Promise<StaffAnswer> {
  const call = verbCall(member, address, name, body, key);
  let { status, text, retryAfter } = await caller.call(address, call);
  while (status === 503) {
    await delay(Number(retryAfter ?? 1) * 1000);
    ({ status, text, retryAfter } = await caller.call(address, call));
  }
  return { name, key, status, reply: status === 200 ? (JSON.parse(text) as VerbReply) : null };
}
