import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { findDueReminders } from './due.ts';
import type { Fact } from './rule.ts';
import { stopUrl } from './stop-links.ts';
import { timeIn } from './time-in.ts';

/** The hour of the facility's clock from which on a reminder that waits is not sent any more. */
const LAST_HOUR = 21;

/** The reminder of a mail: whether it is to be sent, and where its kind is stopped. */
export type MailedReminder = { isDue: boolean; stopUrl: string };

type Row = Fact & {
  ledgerId: string;
  tenantId: string;
  timeZone: string;
  remindedOn: string;
  cents: number;
};

/**
 * The reminder of a mail, read just before the mail is sent. It is due as long as what it says is
 * true to the cent, by the rule and the rows of this moment, on the same day of the facility before
 * nine in the evening. What was paid, set up with autopay, moved out of or stopped meanwhile is not
 * reminded of, and a mail server that was away gets no reminder at night.
 */
export async function readMailedReminder(ctx: Context, mailId: string): Promise<MailedReminder> {
  const { rows } = await sql<Row>`
    SELECT r.kind, r.about_on AS on, r.ledger_id AS "ledgerId", l.tenant_id AS "tenantId", f.time_zone AS "timeZone",
      r.reminded_on AS "remindedOn", r.amount_cents AS cents
    FROM reminders r
    JOIN ledgers l ON l.id = r.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    WHERE r.mail_id = ${mailId} ORDER BY r.place`.execute(ctx.db);
  const [first] = rows;
  if (first === undefined) throw new Error(`the mail ${mailId} reminds of nothing`);
  const { ledgerId, tenantId, timeZone, remindedOn, cents, kind } = first;
  const now = timeIn(timeZone, ctx.clock.now());
  const isItsDay = now.date === remindedOn && now.hour < LAST_HOUR;
  const which = sql<boolean>`l.id = ${ledgerId}`;
  const [due] = isItsDay ? await findDueReminders(ctx, ctx.db, remindedOn, which, mailId) : [];
  const isSame =
    due !== undefined &&
    due.cents === cents &&
    due.facts.length === rows.length &&
    due.facts.every((fact, place) => isFact(fact, rows[place]!));
  return { isDue: isSame, stopUrl: stopUrl(ctx, tenantId, kind) };
}

function isFact(one: Fact, other: Fact): boolean {
  return one.kind === other.kind && one.on === other.on;
}
