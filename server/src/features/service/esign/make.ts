import { randomUUID } from 'node:crypto';
import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { formatPhone } from '@gatehouse/contract/phone';
import { PENDING_ENVELOPE_STATUS_ID } from '@gatehouse/contract/esign';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { DocumentEventKind } from '#db/tables/rentals.ts';
import { documentToSignEmail } from '#emails/document-to-sign.ts';
import { money } from '#emails/email.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import type { StaffWork } from '#features/base/staff-actions/staff-actions.ts';
import { addressLines, type Letterhead } from '#papers/letterhead.ts';
import { Refusal } from '#errors/refusal.ts';
import { blocksOf, fillParts, partsOf } from './document-body.ts';
import { needsSecond } from './form.ts';
import { endOfSigning, signingToken, signingUrl } from './link.ts';

/** A form that a document is made of, and its second signer, if it has one. */
export type UsedForm = {
  id: string;
  name: string;
  body: string;
  /** Of a PDF; null of a text. */
  pages: number | null;
  second: Person | null;
};
export type Person = { name: string; email: string };

/**
 * Of a move-in: a document of each form that the facility has for that, and its mail. Returns their
 * names, and where each link is mailed to; null if the address on file is invalid.
 */
export async function makeMoveInDocuments(
  on: StaffWork,
  { facilityId, ledgerId }: { facilityId: string; ledgerId: string },
): Promise<{ name: string; mailedTo: string | null }[]> {
  if (on.ctx.esign.isRemote) return [];
  const forms = await on.trx
    .selectFrom('document_forms')
    .select(['id', 'name', 'body', 'pages', 'second_name', 'second_email'])
    .where('facility_id', '=', facilityId)
    .where('is_at_move_in', '=', true)
    .where('retired_at', 'is', null)
    .orderBy('name')
    .execute();
  const documents = [];
  for (const { second_name: name, second_email: email, ...form } of forms) {
    const second = name === null || email === null ? null : { name, email };
    const { mailed } = await makeDocument(on, ledgerId, { ...form, second });
    documents.push({ name: form.name, mailedTo: mailed?.mailedTo ?? null });
  }
  return documents;
}

/**
 * Makes a document of a form for a rental and mails the tenant its link; `mailed` is null if the
 * address on file is invalid. Refuses as insertDocument does.
 */
export async function makeDocument(
  { ctx, trx, call, now }: StaffWork,
  ledgerId: string,
  form: UsedForm,
): Promise<{ documentId: string; mailed: MailedLink | null }> {
  const { documentId } = await insertDocument(trx, { ledgerId, form, now, by: call.by });
  return { documentId, mailed: await mailNextLink(ctx, trx, documentId, { isNew: true }) };
}

/**
 * Writes a document of a form for a rental, with who signs it. Refuses with 422 a form with places
 * for a second signer, and none named.
 */
export async function insertDocument(
  trx: Database,
  { ledgerId, form, now, by }: { ledgerId: string; form: UsedForm; now: Date; by: string },
): Promise<{ documentId: string }> {
  const parts = partsOf(form);
  const isOfTwo = needsSecond(blocksOf(parts));
  const second = isOfTwo ? form.second : null;
  if (isOfTwo && second === null)
    throw new Refusal(422, `${form.name} is signed by two: name the second signer.`);
  const { tenant, values } = await readValues(trx, ledgerId, now);
  const body = fillParts(parts, { ...values, 'second signer': second?.name ?? '' });
  const documentId = randomUUID();
  await trx
    .insertInto('esign_documents')
    .values({
      id: documentId,
      ledger_id: ledgerId,
      form_name: form.name,
      envelope_status_id: PENDING_ENVELOPE_STATUS_ID,
      form_id: form.id,
      body: JSON.stringify(body),
      made_at: now,
      ends_at: endOfSigning(now),
    })
    .execute();
  const signers = [tenant, ...(second === null ? [] : [second])];
  await trx
    .insertInto('document_signers')
    .values(
      signers.map((person, index) => ({
        id: randomUUID(),
        document_id: documentId,
        position: (index + 1) as 1 | 2,
        ...person,
      })),
    )
    .execute();
  await noteEvent(trx, { documentId, at: now, kind: 'made', who: by });
  return { documentId };
}

/** What the fields stand for, with money and dates as they are read; the tenant signs first. */
async function readValues(trx: Database, ledgerId: string, now: Date) {
  type Address = Omit<Letterhead['facility'], 'name' | 'phone'>;
  const { rows } = await sql<{
    tenant: string;
    email: string;
    signer: string;
    phone: string | null;
    address: Address;
    unit: string;
    unitType: string;
    width: number;
    length: number;
    rentCents: number;
    depositCents: number;
    firstDay: string;
    operator: string;
    facility: string;
    facilityPhone: string | null;
    facilityAddress: Address;
    timeZone: string;
  }>`
    SELECT t.name AS tenant, btrim(t.first_name || ' ' || t.last_name) AS signer, t.email, t.phone,
      json_build_object('street1', t.street1, 'street2', t.street2, 'city', t.city, 'region', t.region,
        'postalCode', t.postal_code) AS address,
      u.name AS unit, u.type_name AS "unitType", u.width_feet AS width, u.length_feet AS length,
      l.rental_rate_cents AS "rentCents", f.deposit_cents AS "depositCents", l.moved_in_on AS "firstDay",
      corp.name AS operator, f.name AS facility, f.phone AS "facilityPhone", f.time_zone AS "timeZone",
      json_build_object('street1', f.street1, 'street2', f.street2, 'city', f.city, 'region', f.region,
        'postalCode', f.postal_code) AS "facilityAddress"
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id JOIN corporations corp ON corp.id = f.corporation_id
    WHERE l.id = ${ledgerId}`.execute(trx);
  const row = rows[0]!;
  const phoneOf = (phone: string | null) => (phone === null ? '' : formatPhone(phone));
  const values = {
    tenant: row.tenant,
    'tenant address': addressLines(row.address).join(', '),
    'tenant phone': phoneOf(row.phone),
    'tenant email': row.email,
    unit: row.unit,
    'unit type': row.unitType,
    'unit size': `${row.width} x ${row.length}`,
    'monthly rent': money(row.rentCents),
    deposit: money(row.depositCents),
    'first day': formatDate(row.firstDay),
    today: formatDate(calendarDateIn(row.timeZone, now)),
    operator: row.operator,
    facility: row.facility,
    'facility address': addressLines(row.facilityAddress).join(', '),
    'facility phone': phoneOf(row.facilityPhone),
  };
  return { tenant: { name: row.signer, email: row.email }, values };
}

/** The address that a link was mailed to, and the last day to sign in the facility's calendar. */
export type MailedLink = { mailedTo: string; endsOn: string };

/**
 * Mails the link to the signer whose turn it is, the tenant's to the address on file. With `isNew`,
 * or where that address has changed, it is a new link, and earlier ones end. Returns null if the
 * address is invalid, or all have signed.
 */
export async function mailNextLink(
  ctx: Context,
  trx: DatabaseTransaction,
  documentId: string,
  { isNew }: { isNew: boolean },
): Promise<MailedLink | null> {
  const { rows } = await sql<{
    signerId: string;
    name: string;
    mailedBefore: string;
    to: string;
    linkedAt: Date | null;
    documentName: string;
    unitName: string;
    tenantId: string;
    endsAt: Date;
    facility: string;
    phone: string | null;
    timeZone: string;
    isTenant: boolean;
    firstName: string;
  }>`
    SELECT s.id AS "signerId", s.name, s.email AS "mailedBefore", s.linked_at AS "linkedAt",
      CASE WHEN s.position = 1 THEN t.email ELSE s.email END AS to, s.position = 1 AS "isTenant",
      d.form_name AS "documentName", u.name AS "unitName", l.tenant_id AS "tenantId", d.ends_at AS "endsAt",
      f.name AS facility, f.phone, f.time_zone AS "timeZone", t.first_name AS "firstName"
    FROM document_signers s JOIN esign_documents d ON d.id = s.document_id
    JOIN ledgers l ON l.id = d.ledger_id JOIN tenants t ON t.id = l.tenant_id
    JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE d.id = ${documentId} AND s.signed_at IS NULL
    ORDER BY s.position LIMIT 1`.execute(trx);
  const [next] = rows;
  if (next === undefined) return null;
  const { signerId, to, documentName, unitName, tenantId, facility, phone } = next;
  const now = ctx.clock.now();
  const isKept = !isNew && next.linkedAt !== null && to === next.mailedBefore;
  const linkedAt = isKept ? next.linkedAt! : now;
  const token = signingToken(ctx, { signerId, linkedAt });
  const endsOn = calendarDateIn(next.timeZone, next.endsAt);
  const mailId = await queueMail(ctx, trx, {
    to,
    kind: 'document',
    tenantId,
    email: () =>
      documentToSignEmail({
        facility: { name: facility, phone },
        name: next.isTenant ? next.firstName : next.name,
        documentName,
        unitName,
        url: signingUrl(ctx, token),
        endsOn: formatDate(endsOn),
      }),
    isUrgent: true,
  });
  await trx
    .updateTable('document_signers')
    .set({ linked_at: linkedAt, email: to })
    .where('id', '=', signerId)
    .execute();
  if (mailId === null) return null;
  await noteEvent(trx, { documentId, at: now, kind: 'mailed', who: next.name });
  return { mailedTo: to, endsOn };
}

/** Mails the links of a rental's documents that wait for a signature. */
export async function mailLinksOf(ctx: Context, ledgerId: string): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const waiting = await trx
      .selectFrom('esign_documents')
      .select('id')
      .where('ledger_id', '=', ledgerId)
      .where('form_id', 'is not', null)
      .where('envelope_status_id', '=', PENDING_ENVELOPE_STATUS_ID)
      .where('voided_at', 'is', null)
      .where('ends_at', '>', ctx.clock.now())
      .orderBy('id')
      .forUpdate()
      .execute();
    for (const { id } of waiting) await mailNextLink(ctx, trx, id, { isNew: false });
  });
}

/** What happened to a document, and where a signer did it from. */
export type DocumentEvent = {
  documentId: string;
  at: Date;
  kind: DocumentEventKind;
  who: string;
  via?: 'link' | 'portal';
  ip?: string;
  device?: string | null;
};

export async function noteEvent(
  trx: Database,
  { documentId, via, ip, device, ...event }: DocumentEvent,
): Promise<void> {
  await trx
    .insertInto('document_events')
    .values({
      ...event,
      document_id: documentId,
      via: via ?? null,
      ip: ip ?? null,
      device: device ?? null,
    })
    .execute();
}
