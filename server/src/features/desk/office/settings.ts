import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { GATE_DAYS, RENT_DAYS } from '@gatehouse/contract/reminders';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import type {
  changeFacility,
  FacilityFile,
  FacilitySettings,
} from '@gatehouse/contract/office/settings';
import { sql } from 'kysely';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { runOrPreview } from '#db/preview.ts';
import type { FacilityRow } from '#db/tables.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { listForms } from '#features/service/esign/forms.ts';
import { countStaffMail } from '#features/base/limits/staff-mails.ts';
import {
  auditFacilityChange,
  lockFacility,
} from '#features/base/staff-actions/facility-changes.ts';
import {
  findPrepaid,
  prepaidRise,
  prepaidRiseSentence,
} from '#features/money/billing/paid-ahead.ts';
import { getOwnFacility, type StaffMember } from '#http/staff-guard.ts';
import { scrub } from '#telemetry/scrub.ts';

type Name = keyof FacilitySettings;
type Changes = Partial<FacilitySettings>;
/** The column of a setting, its label, and whether it is a sum, which columns hold in cents. */
type Setting = { column: keyof FacilityRow; label: string; kind: 'sum' | 'share' | 'plain' };

const sum = (column: keyof FacilityRow, label: string): Setting => ({ column, label, kind: 'sum' });
const share = (column: keyof FacilityRow, label: string): Setting => ({
  column,
  label,
  kind: 'share',
});
const plain = (column: keyof FacilityRow, label: string): Setting => ({
  column,
  label,
  kind: 'plain',
});

const settings: Record<Name, Setting> = {
  name: plain('name', 'Name'),
  street1: plain('street1', 'Street'),
  street2: plain('street2', 'Second line of the street'),
  city: plain('city', 'City'),
  region: plain('region', 'State'),
  postalCode: plain('postal_code', 'ZIP'),
  timeZone: plain('time_zone', 'Time zone'),
  officeHours: plain('office_hours', 'Office hours'),
  gateHours: plain('gate_hours', 'Gate hours'),
  gateHolidays: plain('gate_holidays', 'Holidays of the gate'),
  phone: plain('phone', 'Phone'),
  email: plain('email', 'Email'),
  paymentOrder: plain('payment_order', 'Payment order'),
  cardFee: sum('card_fee_cents', 'Card fee'),
  rentTax1: share('rent_tax1_basis_points', 'Rent tax 1'),
  rentTax2: share('rent_tax2_basis_points', 'Rent tax 2'),
  insuranceTax1: share('insurance_tax1_basis_points', 'Insurance tax 1'),
  insuranceTax2: share('insurance_tax2_basis_points', 'Insurance tax 2'),
  lateFee: sum('late_fee_cents', 'Late fee'),
  lateFeeAfterDays: plain('late_fee_after_days', 'Days until the late fee'),
  returnFee: sum('return_fee_cents', 'Fee for returned payments'),
  rateNoticeDays: plain('rate_notice_days', 'Days of notice of a rise'),
  deposit: sum('deposit_cents', 'Deposit'),
  moveOutProration: plain('move_out_proration', 'Rent by the day at a move-out'),
  gateGraceDays: plain('gate_grace_days', 'Days until the gate is suspended'),
  gateLeast: sum('gate_least_cents', 'Least sum that suspends the gate'),
  gateWaitsForSettlement: plain('gate_waits_for_settlement', 'Gate waits for bank payments'),
  leastPayment: sum('least_payment_cents', 'Least payment'),
  payOnce: plain('pay_once', 'Payments without autopay'),
  partPayments: plain('part_payments', 'Part payments'),
  payAhead: plain('pay_ahead', 'Payments ahead'),
  paymentDaysBack: plain('payment_days_back', 'Days back of a payment'),
  sendsReminders: plain('sends_reminders', 'Reminders'),
  sendsTexts: plain('sends_texts', 'Reminders by text message'),
};
const names = Object.keys(settings) as Name[];

/** A facility in reach with its settings. Refuses with 404 one that is not there. */
export async function readFacility(
  db: Database,
  staff: Pick<StaffMember, 'facilities'>,
  facilityId: string,
): Promise<FacilityFile> {
  const { id } = getOwnFacility(staff, facilityId);
  const facility = await db
    .selectFrom('facilities')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<
    Pick<
      FacilityFile,
      'scheduled' | 'discountPlans' | 'protectionPlans' | 'unitTypes' | 'recipients'
    >
  >`
    SELECT (SELECT coalesce(json_agg(json_build_object('id', c.id, 'on', c.on_day, 'changes', c.changes, 'by', c.by_name,
          'why', c.why) ORDER BY c.on_day, c.created_at), '[]')
        FROM facility_changes c WHERE c.facility_id = ${id} AND c.applied_at IS NULL AND c.cancelled_at IS NULL) AS scheduled,
      (SELECT coalesce(json_agg(json_build_object('id', d.id, 'name', d.name, 'endedOn', d.ended_on, 'takes',
          CASE WHEN d.basis_points IS NOT NULL THEN (d.basis_points / 100.0)::float::text || ' %'
            WHEN d.amount_cents IS NOT NULL THEN '$' || to_char(d.amount_cents / 100.0, 'FM999990.00')
            ELSE 'not known' END) ORDER BY d.name, d.id), '[]')
        FROM discount_plans d WHERE d.facility_id = ${id}) AS "discountPlans",
      (SELECT coalesce(json_agg(json_build_object('id', p.id, 'description', p.description,
          'coverage', p.coverage_cents / 100.0, 'premium', p.premium_cents / 100.0, 'endedOn', p.ended_on)
          ORDER BY p.coverage_cents, p.id), '[]')
        FROM protection_plans p WHERE p.facility_id = ${id}) AS "protectionPlans",
      (SELECT coalesce(json_agg(json_build_object('name', y.type_name, 'units', y.units) ORDER BY y.type_name), '[]')
        FROM (SELECT type_name, count(*) AS units FROM units WHERE facility_id = ${id} GROUP BY type_name) y) AS "unitTypes",
      (SELECT coalesce(json_agg(json_build_object('id', r.id, 'kind', r.kind, 'address', r.address)
          ORDER BY r.kind NULLS FIRST, r.address), '[]')
        FROM (SELECT id, kind, address FROM facility_recipients WHERE facility_id = ${id}
          UNION ALL SELECT id, kind, address FROM morning_recipients WHERE facility_id = ${id}) r) AS recipients`.execute(
    db,
  );
  const read = settingsOf(facility);
  return {
    id,
    locationCode: facility.location_code,
    name: facility.name,
    address: {
      street1: facility.street1,
      street2: facility.street2,
      city: facility.city,
      region: facility.region,
      postalCode: facility.postal_code,
    },
    timeZone: facility.time_zone,
    billing: facility.billing_kind,
    settings: read,
    rules: rulesOf(read),
    ...rows[0]!,
    forms: await listForms(db, [id]),
  };
}

type Change = {
  facilityId: string;
  key: string;
  why: string;
  isPreview: boolean;
  on?: string | undefined;
  changes: Changes;
};

/**
 * Changes settings of a facility in reach, at once or on a later day, once under its key; a preview
 * does the same and takes it back. Refuses with 404 a facility out of reach, with 422 a day that is
 * over, a change of nothing and a key of another change, and with 429 too many strangers as the
 * facility's email, which requests are mailed to.
 */
export async function changeSettings(
  work: Context,
  staff: StaffMember,
  change: Change,
  origin: AuditedRequest,
): Promise<Reply<typeof changeFacility>> {
  return runOrPreview(work.db, change.isPreview, async (trx) => {
    const before = await readFacility(trx, staff, change.facilityId);
    await lockFacility(trx, before.id);
    const today = calendarDateIn(before.timeZone, work.clock.now());
    const on = change.on ?? today;
    if (on < today) throw new Refusal(422, 'The day is over: name today or a later one.');
    const isNow = on === today;
    const dated = { ...change, on, facilityId: before.id };
    const isNew = await claim(work, trx, staff, dated, isNow);
    const effects = [
      ...effectsOf(before.settings, change.changes, isNow ? null : on),
      ...(await prepaidRises(trx, before.id, change.changes, on)),
    ];
    if (isNew) {
      if (effects.length === 0) throw new Refusal(422, 'Nothing would change.');
      if (isNow) await apply(trx, before.id, change.changes);
      const { email: to } = change.changes;
      if (to != null) await countStaffMail(work, trx, { to, staffId: staff.staffId });
      await auditFacilityChange(work, trx, staff, origin, {
        verb: 'facilities.change',
        facilityId: before.id,
        why: change.why,
        details: {
          ...{ key: change.key, on, settings: saidOf(change.changes) },
          ...(to != null && { address: to }),
        },
      });
    }
    return { facility: await readFacility(trx, staff, before.id), effects };
  });
}

/** Each setting with what it becomes, such as `lateFee 25`. */
function saidOf(changes: Changes): string {
  return Object.entries(changes)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

/** Writes the change under its key; answers false where it was written before. */
async function claim(
  { clock }: Context,
  trx: DatabaseTransaction,
  { name }: StaffMember,
  { key, facilityId, why, on, changes }: Change & { on: string },
  isNow: boolean,
): Promise<boolean> {
  const now = clock.now();
  const { rows } = await sql<{ isNew: boolean; isSame: boolean }>`
    WITH made AS (
      INSERT INTO facility_changes (id, facility_id, changes, on_day, by_name, why, created_at, applied_at)
      VALUES (${key}, ${facilityId}, ${JSON.stringify(changes)}::jsonb, ${on}, ${name}, ${scrub(why)}, ${now},
        ${isNow ? now : null}::timestamptz)
      ON CONFLICT (id) DO NOTHING RETURNING id
    )
    SELECT EXISTS (SELECT FROM made) AS "isNew", EXISTS (SELECT FROM facility_changes c WHERE c.id = ${key}
      AND c.facility_id = ${facilityId} AND c.changes = ${JSON.stringify(changes)}::jsonb) AS "isSame"`.execute(
    trx,
  );
  const { isNew, isSame } = rows[0]!;
  if (!isNew && !isSame)
    throw new Refusal(422, 'This key was used for something else. Take a new one.');
  return isNew;
}

async function apply(
  trx: DatabaseTransaction,
  facilityId: string,
  changes: Changes,
): Promise<void> {
  const values = Object.fromEntries(
    names
      .filter((name) => changes[name] !== undefined)
      .map((name) => [settings[name].column, columnOf(name, changes[name]!)]),
  );
  await trx.updateTable('facilities').set(values).where('id', '=', facilityId).execute();
}

function columnOf(name: Name, value: unknown): unknown {
  return settings[name].kind === 'sum' ? toCents(value as number) : value;
}

/**
 * Applies the changes of a facility's settings whose day has come, in order; a step of its day. A
 * change that was made for the same day is applied already.
 */
export async function applyScheduledSettings(
  ctx: Context,
  { facilityId, date }: { facilityId: string; date: string },
): Promise<number> {
  return ctx.db.transaction().execute(async (trx) => {
    await lockFacility(trx, facilityId);
    const due = await trx
      .selectFrom('facility_changes')
      .select(['id', 'changes'])
      .where('facility_id', '=', facilityId)
      .where('on_day', '<=', date)
      .where('applied_at', 'is', null)
      .where('cancelled_at', 'is', null)
      .orderBy('on_day')
      .orderBy('created_at')
      .execute();
    for (const { id, changes } of due) {
      // Written after the contract had checked them.
      await apply(trx, facilityId, changes as Changes);
      await trx
        .updateTable('facility_changes')
        .set({ applied_at: ctx.clock.now() })
        .where('id', '=', id)
        .execute();
    }
    return due.length;
  });
}

/** Takes a scheduled change back. Refuses with 404 one that is not there, or applied already. */
export async function cancelChange(
  work: Context,
  staff: StaffMember,
  { facilityId, changeId, why }: { facilityId: string; changeId: string; why: string },
  origin: AuditedRequest,
): Promise<FacilityFile> {
  return work.db.transaction().execute(async (trx) => {
    const { id } = await readFacility(trx, staff, facilityId);
    const taken = await trx
      .updateTable('facility_changes')
      .set({ cancelled_at: work.clock.now() })
      .where('id', '=', changeId)
      .where('facility_id', '=', id)
      .where('applied_at', 'is', null)
      .where('cancelled_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (taken === undefined) throw notFound();
    await auditFacilityChange(work, trx, staff, origin, {
      verb: 'facilities.cancelChange',
      facilityId: id,
      why,
      details: { key: changeId },
    });
    return readFacility(trx, staff, id);
  });
}

function settingsOf(facility: FacilityRow): FacilitySettings {
  return Object.fromEntries(
    names.map((name) => {
      const value = facility[settings[name].column];
      return [name, settings[name].kind === 'sum' ? toDollars(value as number) : value];
    }),
    // Every setting has its column, whose values are of its type.
  ) as FacilitySettings;
}

/**
 * Whose months that are paid ahead other taxes and fees make dearer, a sentence for each rental.
 */
async function prepaidRises(
  trx: DatabaseTransaction,
  facilityId: string,
  { rentTax1, rentTax2, insuranceTax1, insuranceTax2, cardFee }: Changes,
  on: string,
): Promise<string[]> {
  const given = {
    ...(rentTax1 !== undefined && { rentTax1 }),
    ...(rentTax2 !== undefined && { rentTax2 }),
    ...(insuranceTax1 !== undefined && { insuranceTax1 }),
    ...(insuranceTax2 !== undefined && { insuranceTax2 }),
    ...(cardFee !== undefined && { cardFeeCents: toCents(cardFee) }),
  };
  if (Object.keys(given).length === 0) return [];
  const prepaid = await findPrepaid(
    trx,
    sql<boolean>`f.id = ${facilityId} AND is_current_on(l.moved_out_on, ${on}::date)`,
  );
  return prepaid.flatMap((one) => {
    const facility = { ...one.ledger.facility, ...given };
    const rise = prepaidRise(one, { ...one.ledger, facility }, on);
    return rise === null ? [] : [prepaidRiseSentence(rise)];
  });
}

/** What changes, a sentence for each setting. */
function effectsOf(before: FacilitySettings, changes: Changes, from: string | null): string[] {
  const when = from === null ? 'from now on' : `from ${formatDate(from)} on`;
  return names
    .filter((name) => changes[name] !== undefined && changes[name] !== before[name])
    .map(
      (name) =>
        `${settings[name].label}: from ${said(name, before[name])} to ${said(name, changes[name]!)}, ${when}.`,
    );
}

function said(name: Name, value: FacilitySettings[Name]): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (settings[name].kind === 'sum') return formatMoney(value as number);
  if (settings[name].kind === 'share') return `${Number(value) / 100} %`;
  return name === 'paymentOrder' ? String(value).replaceAll('_', ' ') : String(value);
}

/** What the settings come to, for their readers. */
function rulesOf(read: FacilitySettings): string[] {
  const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);
  return [
    `Business hours of the gate: ${read.gateHours}${
      read.gateHolidays === '' ? '' : `, holidays ${read.gateHolidays}`
    }.`,
    read.lateFee === 0
      ? 'No late fee is charged.'
      : `Rent that is open ${days(read.lateFeeAfterDays)} after its due date gets a late fee of ${formatMoney(read.lateFee)}.`,
    read.returnFee === 0
      ? 'A returned payment costs the tenant nothing.'
      : `A returned payment costs the tenant ${formatMoney(read.returnFee)}.`,
    `The gate is suspended from ${formatMoney(read.gateLeast)} owed on${
      read.gateGraceDays === 0 ? ', at once' : `, ${days(read.gateGraceDays)} after it was due`
    }.`,
    ...(read.gateWaitsForSettlement
      ? ['After a lock-out or a return the gate waits until a bank payment has settled.']
      : []),
    `A rise of the rent is mailed ${days(read.rateNoticeDays)} before or earlier.`,
    read.moveOutProration
      ? 'At a move-out rent that was billed ahead is given back by the day.'
      : 'At a move-out rent that was billed ahead is not given back.',
    ...(read.deposit === 0 ? [] : [`A move-in takes a deposit of ${formatMoney(read.deposit)}.`]),
    ...(read.payOnce ? [] : ['Tenants pay with autopay alone.']),
    ...(read.partPayments
      ? [`Tenants can pay a part of what is owed, ${formatMoney(read.leastPayment)} or more.`]
      : []),
    ...(read.payAhead ? ['Tenants can pay up to twelve bills before they are due.'] : []),
    read.paymentDaysBack === 0
      ? 'A payment at the counter is of the day on which it is recorded.'
      : `A payment at the counter may have come up to ${days(read.paymentDaysBack)} before.`,
    read.sendsReminders
      ? `Tenants are reminded by mail ${days(RENT_DAYS)} before rent is due without autopay, on the day, and ${days(GATE_DAYS)} before the gate is suspended.`
      : 'Tenants are not reminded of rent that is due.',
    ...(read.sendsReminders && read.sendsTexts
      ? ['Tenants who have agreed are reminded by text message in place of mail.']
      : []),
  ];
}
