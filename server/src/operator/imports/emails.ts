import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@gatehouse/contract/office/audit-actions';
import { sql } from 'kysely';
import { audit } from '#context/audit.ts';
import type { MailContext } from '#features/base/mail/mail.ts';
import {
  lockRecord,
  moveToEmail,
  type LockedRecord,
} from '#features/rentals/tenants/staff-records.ts';
import type { Place } from './rows.ts';

/**
 * A tenant record as it is before its row is written, the address that the row gives it, and
 * whether it is joined with others who have that.
 */
type Moved = { record: LockedRecord; email: string; isJoined: boolean };

/**
 * Joins to a row `s` of tenants.csv the record as it is `here` and the address that the row gives
 * it, `given`. One that the file `said` when it was last taken over is none: staff have changed it
 * since.
 */
export const emailGiven = sql`
  LEFT JOIN tenants here ON here.id = s.row_id AND NOT s.is_new
  LEFT JOIN imported_tenants said ON said.tenant_id = here.id
  CROSS JOIN LATERAL (SELECT
    CASE WHEN lower(said.email) = lower(s.email) AND lower(here.email) <> lower(s.email) THEN here.email ELSE s.email END AS email
  ) given`;

/** Keeps what the facility's rows say, for the next time that they come. */
export async function keepSaidEmails({ db, facility }: Place): Promise<void> {
  await sql`
    INSERT INTO imported_tenants (tenant_id, email) SELECT row_id, email FROM staged_tenants WHERE facility = ${facility}
    ON CONFLICT (tenant_id) DO UPDATE SET email = excluded.email
    WHERE imported_tenants IS DISTINCT FROM excluded`.execute(db);
}

/**
 * Locks the facility's tenant records that are here already and that the files name, so that what
 * is read of them holds. Before any other of its rows, in id order.
 */
export async function lockTenants({ db, facility }: Place): Promise<void> {
  await sql`
    SELECT FROM tenants WHERE id IN (SELECT row_id FROM staged_tenants WHERE facility = ${facility} AND NOT is_new)
    ORDER BY id FOR NO KEY UPDATE`.execute(db);
}

/** The records that get another address by the files. */
export async function findMoved({ db, facility }: Place): Promise<Moved[]> {
  const { rows } = await sql<{ id: string; email: string; isJoined: boolean }>`
    SELECT here.id, given.email, coalesce(s.joined, false) AS "isJoined" FROM staged_tenants s ${emailGiven}
    WHERE s.facility = ${facility} AND lower(given.email) <> lower(here.email) ORDER BY here.id`.execute(
    db,
  );
  const moved: Moved[] = [];
  for (const { id, ...given } of rows)
    moved.push({ record: (await lockRecord(db, id))!, ...given });
  return moved;
}

/**
 * The old address loses the record, its sessions end, and both are notified, as by `tenants email`.
 */
export async function moveRecords(place: Place, mail: MailContext, moved: Moved[]): Promise<void> {
  for (const { record, email, isJoined } of moved) {
    const address = { email, joined_at: isJoined ? place.now : null };
    const sessionsEnded = await moveToEmail(mail, place.db, record, address);
    const mailed = { from: record.email, mailedTo: email, sessionsEnded: String(sessionsEnded) };
    await noteRecords(place, mail, [record.id], { ...mailed, joined: String(isJoined) });
  }
}

/**
 * Notes the records that the import joined now, less those that it `moved`, whose events say it.
 */
export async function noteJoined(place: Place, mail: MailContext, moved: Moved[]): Promise<void> {
  const movedIds = moved.map(({ record }) => record.id);
  const { rows } = await sql<{ id: string }>`
    SELECT t.id FROM staged_tenants s JOIN tenants t ON t.id = s.row_id
    WHERE s.facility = ${place.facility} AND t.joined_at = ${place.now} AND t.id <> ALL (${movedIds}::uuid[])
    ORDER BY t.id`.execute(place.db);
  const ids = rows.map(({ id }) => id);
  await noteRecords(place, mail, ids, { joined: 'true' });
}

async function noteRecords(
  { db, facilityId, by }: Place,
  mail: MailContext,
  tenantIds: string[],
  given: Record<string, string>,
): Promise<void> {
  const verb: AuditAction = 'import';
  const details = { verb, ...(by && { by: by.name, why: '' }), ...given };
  const events = tenantIds.map((tenantId) => {
    return { kind: 'staff_action' as const, facilityId, tenantId, details };
  });
  await audit(mail, db, by?.request ?? { ip: '', requestId: randomUUID() }, events);
}
