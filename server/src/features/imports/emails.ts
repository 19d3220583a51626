import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { audit } from '#audit.ts';
import type { MailContext } from '#features/mail/mail.ts';
import { foldEmail } from '#features/session/account.ts';
import { lockRecord, moveToEmail, type LockedRecord } from '#features/tenants/staff-records.ts';
import type { Place } from './rows.ts';

/** A tenant record as it is before its row is written, and the address that the row gives it. */
type Moved = { record: LockedRecord; email: string };

/** Locks the facility's tenant records that are here already and get another address by the files. */
export async function lockMoved({ db, facility }: Place): Promise<Moved[]> {
  const { rows } = await sql<{ id: string; email: string }>`
    SELECT t.id, s.email FROM staged_tenants s JOIN tenants t ON t.id = s.row_id
    WHERE s.facility = ${facility} AND NOT s.is_new AND s.email <> t.email ORDER BY t.id`.execute(db);
  const moved: Moved[] = [];
  for (const { id, email } of rows) {
    const record = await lockRecord(db, id);
    if (record !== undefined && foldEmail(record.email) !== foldEmail(email)) moved.push({ record, email });
  }
  return moved;
}

/** The old address loses the record, its sessions end, and both are notified, as by `tenants email`. */
export async function moveRecords({ db }: Place, mail: MailContext, moved: Moved[]): Promise<void> {
  for (const { record, email } of moved) {
    const sessionsEnded = await moveToEmail(mail, db, record, email);
    const details = { verb: 'import', sessionsEnded: String(sessionsEnded) };
    const event = { kind: 'staff_action' as const, facilityId: record.facilityId, tenantId: record.id, details };
    await audit(mail, db, { ip: '', requestId: randomUUID() }, [event]);
  }
}
