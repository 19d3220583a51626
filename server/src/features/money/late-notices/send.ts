import { calendarDateIn, daysBetween, formatDate } from '@gatehouse/contract/dates';
import {
  fillNotice,
  sendLateNotices,
  standardNotice,
  type NoticeValues,
} from '@gatehouse/contract/late-notices';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { emailAddress } from '@gatehouse/contract/text';
import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { lateNoticeEmail } from '#emails/late-notice.ts';
import { payPath } from '#emails/owed.ts';
import { Refusal } from '#errors/refusal.ts';
import { lateSince, notEnforcedCents } from '#features/base/ledgers/owed-since.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import {
  getStaffLedgers,
  runStaffVerb,
  type StaffCall,
  type StaffLedger,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';

type Reply = VerbReply<typeof sendLateNotices>;
type Skipped = Reply['skipped'][number];

/** A tenant record that is named, with what is late of it; `units` are those not on hold. */
type Tenant = {
  tenantId: string;
  firstName: string;
  lastName: string;
  email: string;
  facility: string;
  phone: string | null;
  units: { ledgerId: string; unitName: string; cents: number; since: string }[];
  isHeld: boolean;
};

const address = emailAddress('Email');

/**
 * `notices.send`. Refuses with 404 a rental that is not there or out of reach, and with 422 rentals
 * of several facilities. Who is on hold, owes nothing that was due before today, was mailed today
 * or has no valid address is skipped: two clerks at once mail no tenant twice, because the row of
 * the day is inserted before the mail.
 */
export function sendLateNoticesOf(ctx: Context, call: StaffCall, body: unknown): Promise<Reply> {
  return runStaffVerb(ctx, sendLateNotices, call, body, async (on, { ledgerIds, ...notice }) => {
    const ledgers = await getStaffLedgers(on, ledgerIds);
    const { facilityId, timeZone } = ledgers[0]!;
    if (ledgers.some((ledger) => ledger.facilityId !== facilityId))
      throw new Refusal(422, 'Choose rentals of one facility: each has its own texts.');
    const today = calendarDateIn(timeZone, on.now);
    const tenants = await findNamed(on, ledgers, today);
    const { able, skipped } = sort(tenants);
    const mailed = await claimDay(on, able, notice.subject, today);
    const emails = able
      .filter(({ tenantId }) => mailed.get(tenantId) === null)
      .map((tenant) => ({ tenant, ...filled(notice, tenant, today) }));
    for (const { tenant, subject, text } of emails)
      await queueMail(on.ctx, on.trx, {
        to: tenant.email,
        kind: 'late_notice',
        tenantId: tenant.tenantId,
        email: () =>
          lateNoticeEmail({
            ...(isStandard(notice) ? standardOf(tenant, today) : { subject, text }),
            rows: tenant.units.map(({ unitName, cents, since }) => [
              t('Unit {unit}', { unit: unitName }),
              t('{sum}, due since {day}', {
                sum: formatMoney(toDollars(cents)),
                day: formatDate(since),
              }),
            ]),
            url: payPath(tenant.units[0]!.ledgerId, tenant.units.length > 1),
          }),
      });
    const earlier = able.flatMap((tenant) => {
      const by = mailed.get(tenant.tenantId);
      return by == null ? [] : [skip(tenant, `Mailed today by ${by}.`)];
    });
    const [first] = emails;
    return {
      reply: {
        recipients: emails.length,
        first: first ? { to: first.tenant.email, subject: first.subject, text: first.text } : null,
        skipped: [...skipped, ...earlier],
      },
      about: {
        facilityId,
        ledgerIds: emails.flatMap(({ tenant }) => tenant.units.map(({ ledgerId }) => ledgerId)),
        details: { subject: notice.subject, recipients: String(emails.length) },
      },
    };
  });
}

/** The tenant records of the ledgers with all that is late of them, in a fixed order. */
async function findNamed(
  { trx }: StaffWork,
  ledgers: StaffLedger[],
  today: string,
): Promise<Tenant[]> {
  const tenantIds = [...new Set(ledgers.map(({ tenantId }) => tenantId))];
  const { rows } = await sql<Tenant>`
    SELECT t.id AS "tenantId", t.first_name AS "firstName", t.last_name AS "lastName", t.email, f.name AS facility, f.phone,
      coalesce(late.units, '[]') AS units, coalesce(late.is_held, false) AS "isHeld"
    FROM tenants t JOIN facilities f ON f.id = t.facility_id
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('ledgerId', l.id, 'unitName', u.name, 'cents', l.balance_cents - ${notEnforcedCents(today)}, 'since', late.since)
          ORDER BY u.name, l.id) FILTER (WHERE NOT l.is_on_hold) AS units, bool_or(l.is_on_hold) AS is_held
      FROM ledgers l JOIN units u ON u.id = l.unit_id CROSS JOIN LATERAL (SELECT ${lateSince} AS since) late
      WHERE l.tenant_id = t.id AND late.since < ${today}::date
    ) late
    WHERE t.id = ANY(${tenantIds}::uuid[]) ORDER BY t.id`.execute(trx);
  return rows;
}

function sort(tenants: Tenant[]): { able: Tenant[]; skipped: Skipped[] } {
  const able: Tenant[] = [];
  const skipped: Skipped[] = [];
  for (const tenant of tenants) {
    if (tenant.units.length === 0)
      skipped.push(skip(tenant, tenant.isHeld ? 'On hold.' : 'Nothing is late.'));
    else if (!address.safeParse(tenant.email).success)
      skipped.push(skip(tenant, 'The address on file is no mail address.'));
    else able.push(tenant);
  }
  return { able, skipped };
}

function skip({ tenantId, firstName, lastName }: Tenant, because: string): Skipped {
  return { tenantId, tenantName: `${firstName} ${lastName}`, because };
}

/**
 * Writes the day's row of each tenant: null for one who is mailed now, the name of staff for one
 * who was mailed before. Waits for another sending to the same tenants, hence their fixed order.
 */
async function claimDay(
  { trx, call, now }: StaffWork,
  tenants: Tenant[],
  subject: string,
  today: string,
): Promise<Map<string, string | null>> {
  const ids = tenants.map(({ tenantId }) => tenantId);
  const owed = tenants.map(owedCents);
  const { rows: made } = await sql<{ id: string }>`
    INSERT INTO late_notices (tenant_id, on_day, subject, owed_cents, by_name, created_at)
    SELECT id, ${today}::date, ${subject}, cents, ${call.by}, ${now}
    FROM unnest(${ids}::uuid[], ${owed}::bigint[]) AS named (id, cents) ORDER BY id
    ON CONFLICT DO NOTHING RETURNING tenant_id AS id`.execute(trx);
  const { rows: earlier } = await sql<{ id: string; by: string }>`
    SELECT tenant_id AS id, by_name AS by FROM late_notices
    WHERE tenant_id = ANY(${ids}::uuid[]) AND on_day = ${today}::date`.execute(trx);
  return new Map<string, string | null>([
    ...earlier.map(({ id, by }): [string, string] => [id, by]),
    ...made.map(({ id }): [string, null] => [id, null]),
  ]);
}

function owedCents({ units }: Tenant): number {
  return units.reduce((sum, { cents }) => sum + cents, 0);
}

type Notice = { subject: string; text: string };

function filled(notice: Notice, tenant: Tenant, today: string): Notice {
  const values = valuesOf(tenant, today);
  return { subject: fillNotice(notice.subject, values), text: fillNotice(notice.text, values) };
}

/** A facility's own text has one language; the standard one has all. */
function isStandard({ subject, text }: Notice): boolean {
  return subject === standardNotice.subject && text === standardNotice.text;
}

function standardOf(tenant: Tenant, today: string): Notice {
  const { subject, text } = standardNotice;
  const { firstName, units, owed, owedSince, facility, phone } = valuesOf(tenant, today);
  return {
    subject: t(subject, { units, owed }),
    text: t(text, { firstName, units, owed, owedSince, facility, phone }),
  };
}

function valuesOf(tenant: Tenant, today: string): NoticeValues {
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
