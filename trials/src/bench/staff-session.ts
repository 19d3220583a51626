import { MEMBER_HEADER } from '@gatehouse/contract/office/office-endpoint';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { OFFICE_COOKIE } from '@gatehouse/server/src/http/staff-guard.ts';
import { hashToken, newStaffToken } from '@gatehouse/server/src/http/token.ts';
import { makeStaffMember } from '@gatehouse/server/src/seeds/builders.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { addRows } from '@gatehouse/server/test/rows.ts';

/** The headers of a new member of staff who is signed in: of all facilities an owner. */
export async function openStaffSession(
  owner: Database,
  {
    corporationId,
    who,
    facilityIds,
  }: { corporationId: string; who: string; facilityIds: string[] | null },
): Promise<Record<string, string>> {
  const at = testClock.now();
  const staffId = await makeStaffMember(owner, {
    corporationId,
    email: `${who}-${newStaffToken()}@example.com`,
    name: who,
    role: facilityIds === null ? 'owner' : 'manager',
    password: newStaffToken(),
    facilityIds,
    createdAt: at,
  });
  const token = newStaffToken();
  await addRows(owner, 'staff_sessions', {
    token_hash: hashToken(token),
    staff_id: staffId,
    created_at: at,
    last_seen_at: at,
  });
  return { cookie: `${OFFICE_COOKIE}=${token}`, [MEMBER_HEADER]: staffId };
}
