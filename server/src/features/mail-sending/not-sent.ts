import { sql, type Selectable } from 'kysely';
import { MailNotSent, type MailFault } from '#adapters/mail/transport.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import { raiseAlarm } from '#features/alarms/alarms.ts';
import { keyOf } from '#features/limits/limits.ts';
import { ruleOf } from '#features/mail/kinds.ts';

type MailRow = Selectable<Tables['mails']>;

const DAY_MS = 86_400_000;

/** For how long a mail is tried after its first failure, by whose doing that is. */
const patienceMs: Record<MailFault, number> = {
  mail: 0,
  later: DAY_MS,
  server: 7 * DAY_MS,
  no_answer: 7 * DAY_MS,
};

/** A mail server that has given no answer for this long needs a person. */
const ALARM_MS = 15 * 60_000;

/**
 * Notes that a try failed. Throws the error where the mail is to be tried again, and else gives it
 * up. The operator gets an alarm at once where the mail server refuses us, and after a quarter of
 * an hour where it does not answer.
 */
export async function noteNotSent(ctx: Context, mail: MailRow, error: unknown): Promise<void> {
  const now = ctx.clock.now();
  const { fault, reply } =
    error instanceof MailNotSent
      ? error
      : { fault: 'later' as const, reply: 'an error of the server' };
  const failedMs = now.getTime() - (mail.failing_since ?? now).getTime();
  const isForUs = fault === 'server' || (fault === 'no_answer' && failedMs >= ALARM_MS);
  if (isForUs) await warnOfServer(ctx, reply);
  if (failedMs >= patienceMs[fault]) return giveUp(ctx, mail, reply);
  if (mail.failing_since === null)
    await ctx.db
      .updateTable('mails')
      .set({ failing_since: now })
      .where('id', '=', mail.id)
      .execute();
  throw error;
}

/** Gives up a mail that is not sent: staff see it, and why, with an alarm. */
export async function giveUp(ctx: Context, mail: MailRow, fault: string): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('mails')
      .set({ is_dropped: true, decided_at: ctx.clock.now(), blocks: null, fault })
      .where('id', '=', mail.id)
      .execute();
    await warnOfMail(ctx, trx, mail, fault);
  });
  ctx.metrics.mails.inc({ outcome: 'undeliverable' });
}

async function warnOfServer(ctx: Context, reply: string): Promise<void> {
  await raiseAlarm(ctx, ctx.db, {
    kind: 'mail_server_fails',
    key: 'mail_server_fails',
    facilityId: null,
    sentence: `The mail server does not take our mails (${reply}); they are tried again.`,
    facts: { reply },
  });
}

/**
 * One alarm for each facility where the address is a tenant's, or one where it is that of staff. An
 * address that is on no record was typed by a stranger, and is nothing to handle.
 */
async function warnOfMail(
  ctx: Context,
  trx: DatabaseTransaction,
  { id: mailId, kind, about, to_address: to, tenant_id: tenantId }: MailRow,
  fault: string,
): Promise<void> {
  if (ruleOf(kind).isToStaff === true || (await isStaff(trx, to))) {
    const which = keyOf(ctx, 'undeliverable', to.toLowerCase()).toString('hex', 0, 16);
    await raiseAlarm(ctx, trx, {
      kind: 'staff_mail_undeliverable',
      key: `staff_mail_undeliverable:${which}`,
      facilityId: await findFacility(trx, about),
      sentence: `A mail to staff, of the kind ${kind ?? 'unknown'}, could not be delivered (${fault}).`,
      facts: { mailId, kind, fault },
    });
    return;
  }
  const { rows } = await sql<{ tenantId: string; facilityId: string; facility: string }>`
    SELECT DISTINCT ON (t.facility_id) t.id AS "tenantId", t.facility_id AS "facilityId", f.location_code AS facility
    FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE lower(t.email) = lower(${to}) AND (${tenantId}::uuid IS NULL OR t.id = ${tenantId}::uuid)
    ORDER BY t.facility_id, t.id`.execute(trx);
  for (const { facilityId, facility, ...tenant } of rows)
    await raiseAlarm(ctx, trx, {
      kind: 'mail_undeliverable',
      key: `mail_undeliverable:${tenant.tenantId}`,
      facilityId,
      sentence: `A mail to a tenant of ${facility} could not be delivered (${fault}).`,
      facts: { ...tenant, mailId, fault },
    });
}

async function isStaff(trx: DatabaseTransaction, to: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM staff_members WHERE lower(email) = lower(${to})`.execute(
    trx,
  );
  return rows.length > 0;
}

/** The facility that a message to staff is about, where it is about one. */
async function findFacility(trx: DatabaseTransaction, about: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM facilities WHERE id::text = ${about}`.execute(trx);
  return rows[0]?.id ?? null;
}
