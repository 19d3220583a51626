import { formatDate } from '@gatehouse/contract/dates';
import { sendLateNotices, standardNotice } from '@gatehouse/contract/late-notices';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { emailAddress } from '@gatehouse/contract/text';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { lateNoticeEmail } from '#emails/late-notice.ts';
import { payPath } from '#emails/owed.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { type StaffWork, workOf } from '#features/base/staff-actions/staff-actions.ts';
import {
  filled,
  getNamed,
  owedCents,
  skipEarlier,
  sort,
  valuesOf,
  type Notice,
  type Tenant,
} from './named.ts';

const address = emailAddress('Email');

/**
 * `notices.send`. Refuses with 404 a rental that is not there or out of reach, and with 422 rentals
 * of several facilities. Who is on hold, owes nothing that was due before today, was mailed today
 * or has no valid address is skipped: two clerks at once mail no tenant twice, because the row of
 * the day is inserted before the mail.
 */
export const sendLateNoticesOf = workOf(sendLateNotices, async (on, { ledgerIds, ...notice }) => {
  const { facilityId, today, tenants } = await getNamed(on, ledgerIds);
  const { able, skipped } = sort(tenants, ({ email }) =>
    address.safeParse(email).success ? null : 'The address on file is no mail address.',
  );
  const isNew = await insertNotices(on, able, notice.subject, today);
  const earlier = await skipEarlier(on, 'late_notices', { able, isNew, today });
  const emails = able
    .filter(({ tenantId }) => isNew.has(tenantId))
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

/**
 * Writes the day's row of each tenant, and answers the tenants whose row is new. Waits for another
 * sending to the same tenants, hence their fixed order.
 */
async function insertNotices(
  { trx, call, now }: StaffWork,
  tenants: Tenant[],
  subject: string,
  today: string,
): Promise<Set<string>> {
  const ids = tenants.map(({ tenantId }) => tenantId);
  const owed = tenants.map(owedCents);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO late_notices (tenant_id, on_day, subject, owed_cents, by_name, created_at)
    SELECT id, ${today}::date, ${subject}, cents, ${call.by}, ${now}
    FROM unnest(${ids}::uuid[], ${owed}::bigint[]) AS named (id, cents) ORDER BY id
    ON CONFLICT DO NOTHING RETURNING tenant_id AS id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
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
