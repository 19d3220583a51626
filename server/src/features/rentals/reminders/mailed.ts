import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { findDueReminders, type DueReminder, type Own } from './due.ts';
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

/** A reminder that was queued; `due` as it is now, null where that is not the same any more. */
export type QueuedReminder = Pick<Row, 'ledgerId' | 'tenantId' | 'kind' | 'timeZone'> & {
  /** The facility's day of it. */
  remindedOn: string;
  due: DueReminder | null;
};

/**
 * The reminder of a mail, read just before the mail is sent. A mail server that was away gets no
 * reminder at night.
 */
export async function readMailedReminder(ctx: Context, mailId: string): Promise<MailedReminder> {
  const reminder = await readQueuedReminder(ctx, ctx.db, { column: 'mail_id', id: mailId });
  if (reminder === null) throw new Error(`the mail ${mailId} reminds of nothing`);
  const { due, tenantId, kind } = reminder;
  return { isDue: due !== null, stopUrl: stopUrl(ctx, tenantId, kind) };
}

/**
 * The reminder of a mail or a text message; null where it has none. It is due as long as what it
 * says is true to the cent, by the rule and the rows of this moment, on the same day of the
 * facility before nine in the evening. What was paid, set up with autopay, moved out of or stopped
 * meanwhile is not reminded of.
 */
export async function readQueuedReminder(
  ctx: Context,
  db: Database,
  own: Own,
): Promise<QueuedReminder | null> {
  const { rows } = await sql<Row>`
    SELECT r.kind, r.about_on AS on, r.ledger_id AS "ledgerId", l.tenant_id AS "tenantId", f.time_zone AS "timeZone",
      r.reminded_on AS "remindedOn", r.amount_cents AS cents
    FROM reminders r
    JOIN ledgers l ON l.id = r.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    WHERE ${sql.ref(`r.${own.column}`)} = ${own.id} ORDER BY r.place`.execute(db);
  const [first] = rows;
  if (first === undefined) return null;
  const { ledgerId, tenantId, timeZone, remindedOn, cents, kind } = first;
  const now = timeIn(timeZone, ctx.clock.now());
  const isItsDay = now.date === remindedOn && now.hour < LAST_HOUR;
  const which = sql<boolean>`l.id = ${ledgerId}`;
  const [due] = isItsDay ? await findDueReminders(ctx, db, remindedOn, which, own) : [];
  const isSame =
    due !== undefined &&
    due.cents === cents &&
    due.facts.length === rows.length &&
    due.facts.every((fact, place) => isFact(fact, rows[place]!));
  return { ledgerId, tenantId, kind, timeZone, remindedOn, due: isSame ? due : null };
}

function isFact(one: Fact, other: Fact): boolean {
  return one.kind === other.kind && one.on === other.on;
}
