import { sql, type Selectable } from 'kysely';
import { mailFaults, MailNotSent, type MailFault } from '#adapters/mail/transport.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { keyOf } from '#features/base/limits/limits.ts';
import { ruleOf } from '#features/base/mail/kinds.ts';
import { foldEmail } from '#features/people/session/account.ts';

type MailRow = Selectable<Tables['mails']>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** For how long a mail is tried while it fails in one way. */
const patienceMs: Record<MailFault, number> = {
  mail: 0,
  mail_unclear: HOUR_MS,
  mail_later: DAY_MS,
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
  // A server that was away for a day and then throttles has not throttled for a day.
  const since = mail.failing_as === fault && mail.failing_since !== null ? mail.failing_since : now;
  const failedMs = now.getTime() - since.getTime();
  const isForOperator = fault === 'server' || (fault === 'no_answer' && failedMs >= ALARM_MS);
  if (isForOperator) await warnOfServer(ctx, reply);
  if (failedMs >= patienceMs[fault]) return giveUp(ctx, mail, reply, fault);
  await ctx.db
    .updateTable('mails')
    .set({ failing_since: since, failing_as: fault })
    .where('id', '=', mail.id)
    .execute();
  throw error;
}

/**
 * Gives up a mail that is not sent, and was not given up or sent meanwhile: staff see it, and why,
 * with an alarm. `fault` is null where the mail server was not asked.
 */
export async function giveUp(
  ctx: Context,
  mail: MailRow,
  reply: string,
  fault: MailFault | null,
): Promise<void> {
  const isOfMail = mailFaults.some((own) => own === fault);
  const isGivenUp = await ctx.db.transaction().execute(async (trx) => {
    const decided = { is_dropped: true, decided_at: ctx.clock.now(), blocks: null };
    const { numUpdatedRows } = await trx
      .updateTable('mails')
      .set({ ...decided, fault: reply, failing_as: fault })
      .where('id', '=', mail.id)
      .where('sent_at', 'is', null)
      .where('is_dropped', '=', false)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await (isOfMail ? warnOfMail(ctx, trx, mail, reply) : warnOfLoss(ctx, trx, mail, reply));
    return true;
  });
  if (isGivenUp) ctx.metrics.mails.inc({ outcome: 'undeliverable' });
}

/** One alarm for all: after an outage of the mail server every waiting mail is lost. */
async function warnOfLoss(
  ctx: Context,
  trx: DatabaseTransaction,
  { id: mailId, kind }: MailRow,
  fault: string,
): Promise<void> {
  await raiseAlarm(ctx, trx, {
    kind: 'mails_given_up',
    key: 'mails_given_up',
    facilityId: null,
    sentence: `A mail could not be sent and is not tried any more (${fault}); there may be others.`,
    facts: { mailId, kind, fault },
  });
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
    const which = keyOf(ctx, 'undeliverable', foldEmail(to)).toString('hex', 0, 16);
    await raiseAlarm(ctx, trx, {
      kind: 'staff_mail_undeliverable',
      key: `staff_mail_undeliverable:${which}`,
      facilityId: await findFacility(trx, about),
      sentence: `A mail to staff, of the kind ${kind}, could not be delivered (${fault}).`,
      facts: { mailId, kind, fault },
    });
    return;
  }
  const { rows } = await sql<{ tenantId: string; facilityId: string; facility: string }>`
    SELECT DISTINCT ON (t.facility_id) t.id AS "tenantId", t.facility_id AS "facilityId", f.location_code AS facility
    FROM tenants t JOIN facilities f ON f.id = t.facility_id
    JOIN corporations c ON c.id = f.corporation_id AND c.code = ${ctx.config.corporationCode}
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
