import type { AuditAction } from '@gatehouse/contract/office/audit-actions';
import { CompiledQuery } from 'kysely';
import { audit } from '#context/audit.ts';
import type { LeaseImport } from '#context/lease-import.ts';
import type { MailContext } from '#features/base/mail/mail.ts';
import type { Place } from './rows.ts';

/**
 * Notes in the audit trail that a member of staff imported a facility's rows, from which files; as
 * the last of its transaction, which fails unless the member still may.
 */
export async function noteImport(
  { db, mail, facilityId }: Place & { mail: MailContext },
  { name, request, recheck }: LeaseImport['by'],
  files: { file: string; sha256: string }[],
): Promise<void> {
  const verb: AuditAction = 'import';
  const said = files.map(({ file, sha256 }) => `${file} ${sha256}`).join(', ');
  const details = { verb, by: name, why: '', files: said };
  await audit(mail, db, request, [{ kind: 'staff_action', facilityId, details }]);
  await db.executeQuery(CompiledQuery.raw(recheck.last.text, recheck.last.values));
}
