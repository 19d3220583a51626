import { calendarDateIn, daysBetween, formatDate } from '@gatehouse/contract/dates';
import {
  fillNotice,
  type NoticeValues,
  type sendLateNotices,
} from '@gatehouse/contract/late-notices';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { Refusal } from '#errors/refusal.ts';
import { mailedAddress } from '#features/base/mail/mail.ts';
import { lateSince, notEnforcedCents } from '#features/base/ledgers/owed-since.ts';
import { getStaffLedgers, type StaffWork } from '#features/base/staff-actions/staff-actions.ts';

type Skipped = VerbReply<typeof sendLateNotices>['skipped'][number];

/** A tenant record that is named, with what is late of it; `units` are those not on hold. */
export type Tenant = {
  tenantId: string;
  tenantName: string;
  firstName: string;
  lastName: string;
  email: string;
  facility: string;
  phone: string | null;
  units: { ledgerId: string; unitName: string; cents: number; since: string }[];
  isHeld: boolean;
};

/** The tenants of the rentals that a verb names, at one facility on its today. */
type Named = { facilityId: string; today: string; tenants: Tenant[] };

/**
 * The tenant records of rentals with all that is late of them. Refuses with 404 a rental that is
 * not there or out of reach, and with 422 rentals of several facilities.
 */
export async function getNamed(on: StaffWork, ledgerIds: string[]): Promise<Named> {
  const ledgers = await getStaffLedgers(on, ledgerIds);
  const { facilityId, timeZone } = ledgers[0]!;
  if (ledgers.some((ledger) => ledger.facilityId !== facilityId))
    throw new Refusal(422, 'Choose rentals of one facility: each has its own texts.');
  const today = calendarDateIn(timeZone, on.now);
  const tenantIds = [...new Set(ledgers.map(({ tenantId }) => tenantId))];
  return { facilityId, today, tenants: await findTenants(on, tenantIds, today) };
}

/** In a fixed order, in which several that claim their day wait for each other. */
async function findTenants(
  { trx }: StaffWork,
  tenantIds: string[],
  today: string,
): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    SELECT t.id AS "tenantId", t.name AS "tenantName", coalesce(e.name, t.first_name) AS "firstName",
      CASE WHEN e.name IS NULL THEN t.last_name ELSE '' END AS "lastName",
      ${mailedAddress(sql.ref('t.id'))} AS email, f.name AS facility, f.phone,
      coalesce(late.units, '[]') AS units, coalesce(late.is_held, false) AS "isHeld"
    FROM tenants t JOIN facilities f ON f.id = t.facility_id LEFT JOIN estates e ON e.tenant_id = t.id
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('ledgerId', l.id, 'unitName', u.name, 'cents', l.balance_cents - ${notEnforcedCents(today)}, 'since', late.since)
          ORDER BY u.name, l.id) FILTER (WHERE NOT l.is_on_hold) AS units, bool_or(l.is_on_hold) AS is_held
      FROM ledgers l JOIN units u ON u.id = l.unit_id CROSS JOIN LATERAL (SELECT ${lateSince} AS since) late
      WHERE l.tenant_id = t.id AND late.since < ${today}::date
    ) late
    WHERE t.id = ANY(${tenantIds}::uuid[]) ORDER BY t.id`.execute(trx);
  return rows;
}

/** Those who are written to, and those who are not: on hold, not late, or `unable` to be. */
export function sort(
  tenants: Tenant[],
  unable: (tenant: Tenant) => string | null,
): { able: Tenant[]; skipped: Skipped[] } {
  const able: Tenant[] = [];
  const skipped: Skipped[] = [];
  for (const tenant of tenants) {
    const isLate = tenant.units.length > 0;
    const because = isLate ? unable(tenant) : tenant.isHeld ? 'On hold.' : 'Nothing is late.';
    if (because === null) able.push(tenant);
    else skipped.push(skip(tenant, because));
  }
  return { able, skipped };
}

function skip({ tenantId, tenantName }: Tenant, because: string): Skipped {
  return { tenantId, tenantName, because };
}

/** The tenants who were written to earlier today: their row of the day is not new. */
export async function skipEarlier(
  { trx }: StaffWork,
  table: 'late_notices' | 'late_letters',
  { able, isNew, today }: { able: Tenant[]; isNew: Set<string>; today: string },
): Promise<Skipped[]> {
  const earlier = able.filter(({ tenantId }) => !isNew.has(tenantId));
  const ids = earlier.map(({ tenantId }) => tenantId);
  const { rows } = await sql<{ id: string; by: string }>`
    SELECT tenant_id AS id, by_name AS by FROM ${sql.table(table)}
    WHERE tenant_id = ANY(${ids}::uuid[]) AND on_day = ${today}::date`.execute(trx);
  const by = new Map(rows.map((row) => [row.id, row.by]));
  const done = table === 'late_notices' ? 'Mailed' : 'Printed';
  return earlier.map((tenant) => skip(tenant, `${done} today by ${by.get(tenant.tenantId)!}.`));
}

export function owedCents({ units }: Tenant): number {
  return units.reduce((sum, { cents }) => sum + cents, 0);
}

export type Notice = { subject: string; text: string };

/** A notice with the values of a tenant in place of its placeholders. */
export function filled(notice: Notice, tenant: Tenant, today: string): Notice {
  const values = valuesOf(tenant, today);
  return { subject: fillNotice(notice.subject, values), text: fillNotice(notice.text, values) };
}

/** What replaces the placeholders, in the present language. */
export function valuesOf(tenant: Tenant, today: string): NoticeValues {
  const { firstName, lastName, facility, phone, units } = tenant;
  const since = units.map((unit) => unit.since).toSorted()[0]!;
  return {
    firstName,
    lastName,
    facility,
    units: listed(units.map(({ unitName }) => unitName)),
    owed: formatMoney(toDollars(owedCents(tenant))),
    owedSince: formatDate(since),
    daysOwed: String(daysBetween(since, today)),
    phone: phone === null ? t('the office') : formatPhone(phone),
  };
}

/** `A101, B207 and C014`. */
function listed(names: string[]): string {
  return new Intl.ListFormat(language(), { type: 'conjunction', style: 'long' })
    .format(names)
    .replace(/, and /, ' and ');
}
