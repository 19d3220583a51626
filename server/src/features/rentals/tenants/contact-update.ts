import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Args } from '@gatehouse/contract/endpoint';
import { formatPhone } from '@gatehouse/contract/phone';
import { formTypes, type RequestReceipt } from '@gatehouse/contract/requests';
import type { requestTenantUpdate } from '@gatehouse/contract/tenants';
import { audit } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import {
  contactUpdateRequestEmail,
  type ContactChange,
} from '#emails/staff/contact-update-request.ts';
import { getTenantRequester } from '#features/service/requests/requester.ts';
import { askStaff } from '#features/service/requests/requests.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { makeObjectionLink, OBJECTION_DAYS } from '#features/service/requests/objections.ts';
import { foldEmail } from '#features/people/session/account.ts';
import type { Caller } from '#http/guard.ts';
import type { Origin } from '#http/routes.ts';
import { emailChangeAskedEmail } from './emails.ts';
import { getTenant } from './tenants.ts';
import type { TenantRow } from './view.ts';

type Contact = Args<typeof requestTenantUpdate>['body'];

/** Asks the facility to change the contact of a tenant record; the record stays as it is. */
export async function requestContactUpdate(
  ctx: Context,
  caller: Caller,
  { tenantId, contact }: { tenantId: string; contact: Contact },
  { idempotencyKey, origin }: { idempotencyKey: string | undefined; origin: Origin },
): Promise<RequestReceipt> {
  const record = await getTenant(ctx.db, tenantId);
  const asked = compare(record, contact);
  const { userId } = caller;
  const request = {
    kind: formTypes.tenantUpdate,
    requester: await getTenantRequester(
      ctx.db,
      tenantId,
      calendarDateIn(caller.timeZone, ctx.clock.now()),
    ),
    asker: { userId, idempotencyKey },
    given: asked.map(({ to }) => to),
    facts: { changes: asked.filter(({ from, to }) => from !== to) },
    email: contactUpdateRequestEmail,
  };
  return askStaff(ctx, request, async (trx, { requestId, reference }) => {
    await audit(ctx, trx, origin, [
      { kind: 'contact_update_requested', userId, tenantId, details: { reference } },
    ]);
    if (foldEmail(contact.emailAddress) !== foldEmail(record.email))
      await mailAddressOnFile(ctx, trx, record, {
        reference,
        email: contact.emailAddress,
        url: makeObjectionLink(ctx, requestId),
        days: OBJECTION_DAYS,
      });
  });
}

/** The person who asks may not be the tenant: the owner of the address on file can object. */
async function mailAddressOnFile(
  ctx: Context,
  trx: DatabaseTransaction,
  record: TenantRow,
  asked: { reference: string; email: string; url: string; days: number },
): Promise<void> {
  const facility = await trx
    .selectFrom('facilities')
    .select(['name', 'phone'])
    .where('id', '=', record.facility_id)
    .executeTakeFirstOrThrow();
  await queueMail(ctx, trx, {
    to: record.email,
    kind: 'security',
    tenantId: record.id,
    email: () => emailChangeAskedEmail(facility, asked),
  });
}

/**
 * Each field as the record has it and as it is asked for; a second street line that is not named
 * stays.
 */
function compare(record: TenantRow, contact: Contact): ContactChange[] {
  const street2 = record.street2 ?? '';
  return [
    { label: 'First name', from: record.first_name, to: contact.firstName },
    { label: 'Last name', from: record.last_name, to: contact.lastName },
    { label: 'Phone', from: formatPhone(record.phone ?? ''), to: formatPhone(contact.phone) },
    { label: 'Email', from: record.email, to: contact.emailAddress },
    { label: 'Street 1', from: record.street1, to: contact.address1 },
    { label: 'Street 2', from: street2, to: contact.address2 ?? street2 },
    { label: 'City', from: record.city, to: contact.city },
    { label: 'State', from: record.region, to: contact.state },
    { label: 'Postal code', from: record.postal_code, to: contact.postal },
  ];
}
