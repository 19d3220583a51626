import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { ownChangeEmail, ownersEmail, type OwnChange } from './emails.ts';
import { mailMember } from './mail-member.ts';
import { endOtherSessions } from './sessions.ts';

/**
 * Ends the other sessions of a member whose second step has changed and an app that was being set
 * up, audits the change, and mails it to the member and the owners.
 */
export async function noteChange(
  ctx: Context,
  trx: DatabaseTransaction,
  staff: StaffMember,
  change: OwnChange,
  request: AuditedRequest,
): Promise<void> {
  const { staffId, name: by, email } = staff;
  await trx
    .updateTable('staff_members')
    .set({ new_totp_secret: null })
    .where('id', '=', staffId)
    .execute();
  await endOtherSessions(trx, staff);
  const details = { by, staff: staffId, change: auditedAs[change.what] };
  await audit(ctx, trx, request, [{ kind: 'staff_account_changed', details }]);
  await mailMember(ctx, trx, email, ownChangeEmail(change));
  for (const owner of await findOtherOwners(trx, staffId))
    await mailMember(ctx, trx, owner, ownersEmail(change, `${by} (${email})`));
}

const auditedAs: Record<OwnChange['what'], string> = {
  passkeyAdded: 'passkey added',
  passkeyRemoved: 'passkey removed',
  appSet: 'second step set up',
};

/** The addresses of the owners who can sign in, but for the member. */
async function findOtherOwners(trx: DatabaseTransaction, staffId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    SELECT o.email FROM staff_members m JOIN staff_members o ON o.corporation_id = m.corporation_id
    WHERE m.id = ${staffId} AND o.id <> m.id AND o.role = 'owner' AND o.disabled_at IS NULL
      AND o.password_hash IS NOT NULL ORDER BY o.id`.execute(trx);
  return rows.map(({ email }) => email);
}
