import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { Email } from '#emails/email.ts';
import { queueMail } from '#features/base/mail/mail.ts';

/** Mails a member of staff about the safety of the account, in the transaction given. */
export async function mailMember(
  ctx: Context,
  trx: DatabaseTransaction,
  to: string,
  email: Email,
): Promise<void> {
  await queueMail(ctx, trx, {
    to,
    kind: 'security',
    tenantId: null,
    language: 'en',
    email: () => email,
  });
}
