import type { AuditAction } from '@gatehouse/contract/office/audit-actions';
import { CompiledQuery, sql } from 'kysely';
import { audit } from '#context/audit.ts';
import { holdRunning } from '#db/import-turn.ts';
import type { LeaseImport } from '#context/lease-import.ts';
import type { MailContext } from '#features/base/mail/mail.ts';
import type { Place } from './rows.ts';

/**
 * Notes in the audit trail and with the import that a member of staff imported a facility's rows,
 * from which files; as the last of its transaction, which fails unless the member still may and the
 * import was not cancelled.
 */
export async function noteImport(
  { db, mail, facilityId, now }: Place & { mail: MailContext },
  { importId, name, request, recheck }: LeaseImport['by'],
  files: { file: string; sha256: string }[],
): Promise<void> {
  const verb: AuditAction = 'import';
  const said = files.map(({ file, sha256 }) => `${file} ${sha256}`).join(', ');
  const details = { verb, by: name, why: '', files: said };
  await audit(mail, db, request, [{ kind: 'staff_action', facilityId, details }]);
  await holdRunning(db, importId);
  await sql`
    INSERT INTO lease_import_places (import_id, facility_id, leases, imported_at)
    SELECT ${importId}::uuid, ${facilityId}::uuid, count(*), ${now}::timestamptz
    FROM staged_ledgers s JOIN known_ids k ON k.kind = 'ledger' AND k.facility = s.facility AND k.id = s.ledger_id
    JOIN ledgers l ON l.id = k.row_id JOIN units u ON u.id = l.unit_id AND u.facility_id = ${facilityId}
    WHERE s.is_new`.execute(db);
  await db.executeQuery(CompiledQuery.raw(recheck.last.text, recheck.last.values));
}
