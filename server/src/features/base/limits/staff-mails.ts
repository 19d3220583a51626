import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { keyOf, secondsUntil, takeEach, tooMany, type Counted } from './limits.ts';

/** A mail that a member of staff causes; the command line is the operator's and has no budget. */
export type StaffMail = { to: string; staffId: string | undefined };

/**
 * Counts a mail to an address that is no tenant's, by the member who causes it and by its mailbox,
 * in the transaction that queues it; a refusal and a preview count nothing. Refuses with 429.
 */
export async function countStaffMail(
  ctx: Context,
  trx: DatabaseTransaction,
  mail: StaffMail,
): Promise<void> {
  const endsAt = await takeStaffMail(ctx, trx, mail);
  if (endsAt !== null)
    throw tooMany(
      'Too many mails went to addresses that are no tenant’s. Please wait and try again.',
      secondsUntil(ctx.clock.now(), endsAt),
    );
}

/** The same for an optional mail: null where it may be sent, else the time from which it may. */
export async function takeStaffMail(
  ctx: Context,
  trx: DatabaseTransaction,
  { to, staffId }: StaffMail,
): Promise<Date | null> {
  if (staffId === undefined || (await isTenants(trx, to))) return null;
  const member = keyOf(ctx, 'staff mail', 'member', staffId);
  const mailbox = keyOf(ctx, 'staff mail', 'mailbox', mailboxOf(to.toLowerCase()));
  const counted: Counted[] = [
    { name: 'staff-mails-to-strangers-an-hour', key: member },
    { name: 'staff-mails-to-strangers-a-day', key: member },
    { name: 'staff-mails-to-a-stranger-a-day', key: mailbox },
  ];
  const usedUp = await takeEach(ctx, trx, ctx.clock.now(), counted);
  if (usedUp.length === 0) return null;
  return new Date(Math.max(...usedUp.map(({ endsAt }) => endsAt.getTime())));
}

/** Whether a person with the address rents or has rented: a typed record is no tenant. */
async function isTenants(trx: DatabaseTransaction, to: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM tenants t WHERE lower(t.email) = lower(${to})
      AND EXISTS (SELECT FROM ledgers l WHERE l.tenant_id = t.id) LIMIT 1`.execute(trx);
  return rows.length > 0;
}

/**
 * An address without what many providers ignore in its name, dots and what follows a plus, so that
 * a mailbox has one budget under all its names.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at).replace(/\+.*$/, '').replaceAll('.', '') + address.slice(at);
}
