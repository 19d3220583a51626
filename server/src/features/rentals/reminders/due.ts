import type { ReminderKind } from '@gatehouse/contract/reminders';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { projectNextBills } from '#features/money/billing/projection.ts';
import { notEnforcedOf } from '#features/base/ledgers/owed-since.ts';
import {
  gateDebtColumns,
  isSuspended,
  payBy,
  type GateDebt,
  type LeastCharge,
} from '#features/service/gate-access/suspension.ts';
import { chargesMethod } from '#features/money/mandates/mandates.ts';
import { textNumber } from '#features/service/texts/consents.ts';
import { reminderOf, type Fact, type Reminder } from './rule.ts';

/**
 * A reminder that is due, with what its mail or text message says; sums in cents. `to` is the
 * address, and `number` where it goes by text message, in E.164, null for a tenant who gets mails.
 */
export type DueReminder = Reminder & {
  ledgerId: string;
  tenantId: string;
  to: string | null;
  number: string | null;
  firstName: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
  timeZone: string;
  /** Whether tenants of the facility may pay without autopay. */
  canPayOnce: boolean;
  /** What is owed now and enforced, below 0 a credit. */
  balanceCents: number;
  /** The last day before the gate is suspended; null where it is, or will not be. */
  payBy: string | null;
  isSuspended: boolean;
};

/** The mail or the text message of a reminder. */
export type Own = { column: 'mail_id' | 'text_id'; id: string };

type Row = GateDebt &
  Omit<DueReminder, keyof Reminder | 'payBy' | 'isSuspended'> & {
    paysByAutopay: boolean;
    isRentDueToday: boolean;
    earlier: (Fact & { remindedOn: string })[];
    stopped: ReminderKind[];
  };

/**
 * The reminders that are due on the facility's `today` of the rentals `l` that are `which`, in the
 * order of their ids: none at a facility that sends none, of a rental that has ended, is on hold,
 * is not late before a later day, whose books are to be checked, whose tenant died, or of which a
 * payment is being confirmed. `own` is a mail or text message whose own reminder counts as not
 * sent.
 */
export async function findDueReminders(
  ctx: LeastCharge & Pick<Context, 'texts'>,
  db: Database,
  today: string,
  which: RawBuilder<boolean>,
  own: Own | null = null,
): Promise<DueReminder[]> {
  const { rows } = await sql<Row>`
    SELECT l.id AS "ledgerId", t.id AS "tenantId", t.email AS to, t.first_name AS "firstName", u.name AS "unitName",
      ${ctx.texts === null ? sql`NULL` : textNumber} AS number, f.time_zone AS "timeZone",
      f.name AS "facilityName", f.phone AS "facilityPhone", f.pay_once AS "canPayOnce", ${gateDebtColumns(ctx, today)},
      EXISTS (SELECT FROM autopays a JOIN payment_methods pm ON pm.id = a.payment_method_id
        WHERE a.ledger_id = l.id AND ${chargesMethod}) AS "paysByAutopay",
      EXISTS (SELECT FROM open_charges c
        WHERE c.ledger_id = l.id AND c.category = 'rent' AND c.due_on = ${today}::date
          AND c.owed_cents > ${notEnforcedOf(today)}) AS "isRentDueToday",
      (SELECT coalesce(json_agg(json_build_object('kind', r.kind, 'on', r.about_on, 'remindedOn', r.reminded_on)), '[]')
        FROM reminders r WHERE r.ledger_id = l.id AND r.about_on >= ${today}::date
          AND ${own === null ? sql`true` : sql`${sql.ref(`r.${own.column}`)} IS DISTINCT FROM ${own.id}::uuid`}) AS earlier,
      (SELECT coalesce(json_agg(s.kind), '[]') FROM reminder_stops s WHERE s.tenant_id = t.id) AS stopped
    FROM ledgers l
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    JOIN tenants t ON t.id = l.tenant_id
    WHERE ${which} AND f.sends_reminders AND is_current_on(l.moved_out_on, ${today}::date)
      AND NOT l.is_on_hold AND (l.late_from IS NULL OR l.late_from <= ${today}::date)
      AND NOT has_books_fault(l.id)
      AND NOT EXISTS (SELECT FROM estates e WHERE e.tenant_id = t.id)
      AND NOT EXISTS (SELECT FROM payment_intent_ledgers p
        WHERE p.ledger_id = l.id AND p.state IN ('submitted', 'unknown'))
    ORDER BY l.id`.execute(db);
  const bills = await projectNextBills(
    db,
    sql<boolean>`l.id = ANY(${rows.map(({ ledgerId }) => ledgerId)}::uuid[])`,
  );
  return rows.flatMap((row) => {
    const gate = payBy(row, today);
    const nextBill = bills.get(row.ledgerId) ?? null;
    const leastCents = ctx.gateway.leastChargeCents;
    const balanceCents = row.balanceCents - row.notEnforcedCents;
    const reminder = reminderOf({ ...row, balanceCents, gate, nextBill, leastCents }, today);
    if (reminder === null) return [];
    const own = { balanceCents, payBy: gate?.date ?? null, isSuspended: isSuspended(row, today) };
    return [{ ...row, ...reminder, ...own }];
  });
}
