import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { autopayDeclinedEmail } from '#emails/autopay-declined.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { findOwed } from '#features/service/gate-access/owed.ts';

type Declined = {
  ledgerId: string;
  cents: number;
  method: string;
  message: string;
  createdAt: Date;
  retryOn: string | null;
  unitName: string;
  tenantId: string;
  firstName: string;
  email: string;
  facilityName: string;
  facilityPhone: string | null;
  timeZone: string;
};

/**
 * Mails the tenant about an attempt of the autopay run that was declined, with the day of the next
 * try or that there is none. Does nothing for any other payment: a charge has its receipt, and a
 * return its own mail.
 */
export async function queueAttemptMail(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
): Promise<void> {
  const { rows } = await sql<Declined>`
    SELECT l.id AS "ledgerId", i.amount_cents AS cents, i.method_description AS method, i.decline_message AS message,
      i.created_at AS "createdAt", CASE WHEN a.active THEN item.try_on END AS "retryOn", u.name AS "unitName",
      t.id AS "tenantId", t.first_name AS "firstName", t.email, f.name AS "facilityName", f.phone AS "facilityPhone",
      f.time_zone AS "timeZone"
    FROM payment_intents i
    JOIN autopay_items item ON item.id = i.autopay_item_id
    JOIN ledgers l ON l.id = item.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN tenants t ON t.id = l.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    LEFT JOIN autopays a ON a.ledger_id = l.id
    WHERE i.id = ${intentId} AND i.state = 'declined'`.execute(trx);
  for (const { email: to, tenantId, createdAt, timeZone, ledgerId, ...decline } of rows) {
    const owed = await findOwed(ctx, trx, [ledgerId]);
    const on = calendarDateIn(timeZone, createdAt);
    await queueMail(ctx, trx, {
      to,
      kind: 'autopay_declined',
      tenantId,
      email: () => autopayDeclinedEmail({ ...decline, on, owed }),
    });
  }
}
