import type { FacilityContact } from '#emails/call-facility.ts';
import type { Email } from '#emails/email.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { MailKind } from '#features/base/mail/kinds.ts';
import { queueMail, type MailContext } from '#features/base/mail/mail.ts';

/** The tenant and the facility of a mail about a rental. */
export type Addressee = FacilityContact & { firstName: string };

/**
 * Queues a mail to the tenant of a ledger, in the transaction given: a preview drops it. `emailTo`
 * makes it in the language of its recipient (queueMail).
 */
export async function mailTenantOf(
  { ctx, trx }: { ctx: MailContext; trx: DatabaseTransaction },
  ledgerId: string,
  kind: MailKind,
  emailTo: (addressee: Addressee) => Email,
): Promise<void> {
  const { to, tenantId, ...addressee } = await trx
    .selectFrom('ledgers as l')
    .innerJoin('tenants as t', 't.id', 'l.tenant_id')
    .innerJoin('facilities as f', 'f.id', 't.facility_id')
    .select(['t.id as tenantId', 't.email as to', 't.first_name as firstName', 'f.name', 'f.phone'])
    .where('l.id', '=', ledgerId)
    .executeTakeFirstOrThrow();
  await queueMail(ctx, trx, { to, kind, tenantId, email: () => emailTo(addressee) });
}
