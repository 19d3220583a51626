import type { FacilityContact } from '#emails/call-facility.ts';
import type { Email } from '#emails/email.ts';
import { queueMail } from '#features/mail/mail.ts';
import type { StaffWork } from './staff-actions.ts';

/** Whom a mail about a rental greets, and the facility that it names. */
export type Addressee = FacilityContact & { firstName: string };

/** Queues a mail to the tenant of a ledger, in the transaction of the verb: a preview drops it. */
export async function mailTenantOf(
  { ctx, trx }: StaffWork,
  ledgerId: string,
  emailTo: (addressee: Addressee) => Email,
): Promise<void> {
  const { to, ...addressee } = await trx
    .selectFrom('ledgers as l')
    .innerJoin('tenants as t', 't.id', 'l.tenant_id')
    .innerJoin('facilities as f', 'f.id', 't.facility_id')
    .select(['t.email as to', 't.first_name as firstName', 'f.name', 'f.phone'])
    .where('l.id', '=', ledgerId)
    .executeTakeFirstOrThrow();
  await queueMail(ctx, trx, { to, email: emailTo(addressee) });
}
