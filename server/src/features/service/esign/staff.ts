import {
  COMPLETED_ENVELOPE_STATUS_ID,
  DECLINED_ENVELOPE_STATUS_ID,
  PENDING_ENVELOPE_STATUS_ID,
} from '@gatehouse/contract/esign';
import {
  resendDocument,
  sendDocument,
  voidDocument,
  type DocumentRow,
} from '@gatehouse/contract/staff-documents';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { countStaffMail } from '#features/base/limits/staff-mails.ts';
import {
  findStaffLedgers,
  getStaffLedgers,
  runStaffVerb,
  type StaffCall,
  type StaffLedger,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { endOfSigning } from './link.ts';
import { mailNextLink, makeDocument, noteEvent } from './make.ts';

const NO_ADDRESS = 'The address on file is no mail address.';

/**
 * `documents.send`. Refuses with 404 a rental or form that is none of the facility's, with 409
 * where an outside service has the documents, with 422 a form with places for a second signer who
 * is not named, and an address that is none, and with 429 too many mails to strangers.
 */
export function sendDocumentFor(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof sendDocument>> {
  return runStaffVerb(ctx, sendDocument, call, body, async (on, given) => {
    if (ctx.esign.isRemote)
      throw new Refusal(409, 'Documents are signed at the outside service: send them there.');
    const [ledger] = await getStaffLedgers(on, [given.ledgerId]);
    const { id: ledgerId, unitName, facilityId, tenantId } = ledger!;
    const form = await on.trx
      .selectFrom('document_forms')
      .select(['id', 'name', 'body', 'pages', 'second_name', 'second_email'])
      .where('id', '=', given.formId)
      .where('facility_id', '=', facilityId)
      .where('retired_at', 'is', null)
      .executeTakeFirst();
    if (form === undefined) throw new Refusal(404, `There is no form ${given.formId}.`);
    const { secondName: name = form.second_name, secondEmail: email = form.second_email } = given;
    const second = name === null || email === null ? null : { name, email };
    if (given.secondEmail !== undefined)
      await countStaffMail(ctx, on.trx, { to: given.secondEmail, staffId: call.staff?.id });
    const made = await makeDocument(on, ledgerId, { ...form, second });
    if (made.mailed === null) throw new Refusal(422, NO_ADDRESS);
    const documentId = call.isPreview ? null : made.documentId;
    const { mailedTo } = made.mailed;
    return {
      reply: { documentId, ledgerId, unitName, formName: form.name, ...made.mailed },
      about: {
        facilityId,
        tenantId,
        ledgerIds: [ledgerId],
        details: { document: made.documentId, mailedTo },
      },
    };
  });
}

type StaffDocument = {
  formName: string;
  ledger: StaffLedger;
  statusId: number;
};

/**
 * A document that is signed here, locked. Refuses with 404 one that is none, or of another
 * facility, and with 409 one that is signed by all, declined or withdrawn.
 */
async function lockOpenDocument(on: StaffWork, documentId: string): Promise<StaffDocument> {
  const notThere = () =>
    new Refusal(404, `There is no document ${documentId} that is signed here.`);
  const row = await on.trx
    .selectFrom('esign_documents')
    .select(['form_name', 'ledger_id', 'envelope_status_id', 'voided_at'])
    .where('id', '=', documentId)
    .where('form_id', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notThere();
  const [ledger] = await findStaffLedgers(on, [row.ledger_id]);
  if (ledger === undefined) throw notThere();
  if (row.voided_at !== null) throw new Refusal(409, 'The document was withdrawn before.');
  if (row.envelope_status_id === COMPLETED_ENVELOPE_STATUS_ID)
    throw new Refusal(409, 'Everybody has signed the document.');
  return {
    formName: row.form_name,
    ledger,
    statusId: row.envelope_status_id,
  };
}

/**
 * `documents.resend`. Refuses as lockOpenDocument does, with 409 a document that was declined, and
 * with 422 where the address on file is none.
 */
export function resendDocumentOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof resendDocument>> {
  return runStaffVerb(ctx, resendDocument, call, body, async (on, { documentId }) => {
    const { formName, ledger, statusId } = await lockOpenDocument(on, documentId);
    if (statusId === DECLINED_ENVELOPE_STATUS_ID)
      throw new Refusal(409, 'The document was declined: send a new one.');
    const { id: ledgerId, unitName, facilityId, tenantId } = ledger;
    await on.trx
      .updateTable('esign_documents')
      .set({ ends_at: endOfSigning(on.now) })
      .where('id', '=', documentId)
      .execute();
    await noteEvent(on.trx, { documentId, at: on.now, kind: 'resent', who: call.by });
    const mailed = await mailNextLink(on.ctx, on.trx, documentId, { isNew: true });
    if (mailed === null) throw new Refusal(422, NO_ADDRESS);
    await countStaffMail(on.ctx, on.trx, { to: mailed.mailedTo, staffId: call.staff?.id });
    return {
      reply: { documentId, ledgerId, unitName, formName, ...mailed },
      about: {
        facilityId,
        tenantId,
        ledgerIds: [ledgerId],
        details: { document: documentId, mailedTo: mailed.mailedTo },
      },
    };
  });
}

/** `documents.void`. Refuses as lockOpenDocument does. */
export function voidDocumentOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof voidDocument>> {
  return runStaffVerb(ctx, voidDocument, call, body, async (on, { documentId }) => {
    const { formName, ledger } = await lockOpenDocument(on, documentId);
    const { id: ledgerId, unitName, facilityId, tenantId } = ledger;
    await on.trx
      .updateTable('esign_documents')
      .set({ voided_at: on.now })
      .where('id', '=', documentId)
      .execute();
    await noteEvent(on.trx, { documentId, at: on.now, kind: 'voided', who: call.by });
    return {
      reply: { documentId, ledgerId, unitName, formName },
      about: { facilityId, tenantId, ledgerIds: [ledgerId], details: { document: documentId } },
    };
  });
}

/**
 * Withdraws what waits for a signature here of a rental that ends for its tenant, also what one of
 * two has signed. Answers the names.
 */
export async function withdrawOpenDocuments(on: StaffWork, ledgerId: string): Promise<string[]> {
  const withdrawn = await on.trx
    .updateTable('esign_documents')
    .set({ voided_at: on.now })
    .where('ledger_id', '=', ledgerId)
    .where('form_id', 'is not', null)
    .where('envelope_status_id', '=', PENDING_ENVELOPE_STATUS_ID)
    .where('voided_at', 'is', null)
    .returning(['id', 'form_name'])
    .execute();
  for (const { id: documentId } of withdrawn)
    await noteEvent(on.trx, { documentId, at: on.now, kind: 'voided', who: on.call.by });
  return withdrawn.map(({ form_name: name }) => name).toSorted();
}

/** The documents of a tenant record's rentals, the newest first, within the places. */
export async function listDocumentsOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  tenantId: string,
  places: Places = null,
): Promise<DocumentRow[]> {
  const { rows } = await sql<Omit<DocumentRow, 'endsAt'> & { endsAt: Date | null }>`
    SELECT d.id AS "documentId", l.id AS "ledgerId", u.name AS "unitName", d.form_name AS "formName",
      CASE WHEN d.voided_at IS NOT NULL THEN 'voided'
        WHEN d.envelope_status_id = ${PENDING_ENVELOPE_STATUS_ID} AND d.ends_at <= ${clock.now()}::timestamptz THEN 'expired'
        ELSE (ARRAY['sent', 'completed', 'declined', 'expired'])[d.envelope_status_id] END AS state,
      d.form_id IS NOT NULL AS "isSignedHere", d.ends_at AS "endsAt", d.file_key IS NOT NULL AS "hasFile",
      coalesce((
        SELECT json_agg(json_build_object('name', s.name, 'email', s.email,
          'signedAt', to_char(s.signed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'declineReason', s.decline_reason) ORDER BY s.position)
        FROM document_signers s WHERE s.document_id = d.id), '[]') AS signers
    FROM esign_documents d JOIN ledgers l ON l.id = d.ledger_id JOIN units u ON u.id = l.unit_id
    WHERE l.tenant_id = ${tenantId} AND ${within(sql`u.facility_id`, places)}
    ORDER BY d.made_at DESC NULLS LAST, u.name, d.form_name, d.id`.execute(db);
  return rows.map((row) => ({ ...row, endsAt: row.endsAt?.toISOString() ?? null }));
}
