import { createHash, randomUUID } from 'node:crypto';
import { COMPLETED_ENVELOPE_STATUS_ID } from '@gatehouse/contract/esign';
import { formTypes } from '@gatehouse/contract/requests';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { documentSignedEmail } from '#emails/document-signed.ts';
import { withFile } from '#features/base/images/images.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { findRecipients } from '#features/service/requests/recipients.ts';
import { signatureAt, signedDocumentPaper, type SignedDocument } from '#papers/signed-document.ts';
import { bodyOf } from './document-body.ts';
import { readCopy } from './read-copy.ts';

/** The SHA-256 of a text as its signers read it. */
export function documentHash(body: string): Buffer {
  return createHash('sha256').update(body).digest();
}

type Signed = Omit<SignedDocument, 'blocks' | 'hash' | 'at'> & {
  body: string;
  pdfKey: string | null;
  pdfHash: Buffer | null;
  tenantId: string;
  facilityId: string;
  facilityEmail: string | null;
  firstName: string;
  phone: string | null;
};

/**
 * Makes the signed copy of a document that all have signed: a PDF in the file store, mailed to its
 * signers and to those who get the facility's e-sign requests. A repeat does nothing.
 */
export async function sealDocument(ctx: Context, documentId: string): Promise<void> {
  const signed = await findUnsealed(ctx, documentId);
  if (signed === undefined) return;
  const { tenantId, firstName, facilityId, facilityEmail, phone, ...about } = signed;
  const bytes = await drawSigned(ctx, signed);
  const fileKey = randomUUID();
  await withFile(ctx, { fileKey, bytes, contentType: 'application/pdf' }, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('esign_documents')
      .set({
        file_key: fileKey,
        file_hash: createHash('sha256').update(bytes).digest(),
        bytes: bytes.length,
      })
      .where('id', '=', documentId)
      .where('file_key', 'is', null)
      .executeTakeFirstOrThrow();
    // Another worker was first: its file is kept, and this one is swept.
    if (Number(numUpdatedRows) === 0) return;
    const { documentName, unitName, facilityName } = about;
    const named = { facility: { name: facilityName, phone } };
    const kind = formTypes.esign;
    const staff = await findRecipients(trx, { facilityId, facilityEmail, kind });
    const recipients = [
      ...about.signers.map(({ email, name }, index) => ({
        to: email,
        name: index === 0 ? firstName : name,
      })),
      ...staff.map(({ address }) => ({
        to: address,
        name: facilityName,
        language: 'en' as const,
      })),
    ];
    for (const { name, ...recipient } of recipients)
      await queueMail(ctx, trx, {
        ...recipient,
        kind: 'document',
        tenantId,
        email: () => documentSignedEmail({ ...named, name, documentName, unitName }),
        paper: { kind: 'document', id: documentId },
      });
  });
}

/** The signed text, or the PDF that was read with its signatures, and the record of them. */
async function drawSigned(
  ctx: Context,
  { body, pdfKey, pdfHash, ...about }: Signed,
): Promise<Buffer> {
  const at = ctx.clock.now();
  const read = bodyOf(body);
  const blocks = Array.isArray(read) ? read : [];
  const hash = (pdfHash ?? documentHash(body)).toString('hex');
  const signed = { ...about, blocks, hash, at };
  // What draws is loaded with the first paper, as of other papers.
  const { drawPaper } = await import('#papers/draw.ts');
  const paper = await drawPaper(signedDocumentPaper(signed));
  if (Array.isArray(read)) return paper;
  const { stampPdf } = await import('#papers/stamp-pdf.ts');
  const stamps = read.marks.flatMap((mark) => {
    if (mark.kind !== 'place') return [];
    const { text, ...signature } = signatureAt(mark, signed);
    return [{ ...mark, text, size: null, signature }];
  });
  const copy = await readCopy(ctx, { pdfKey, pdfHash });
  return stampPdf(copy, { title: about.documentName, at, stamps, end: paper });
}

async function findUnsealed({ db }: Context, documentId: string): Promise<Signed | undefined> {
  const { rows } = await sql<Signed>`
    SELECT d.id AS "documentId", d.form_name AS "documentName", d.body,
      d.pdf_key AS "pdfKey", d.pdf_hash AS "pdfHash", u.name AS "unitName", l.tenant_id AS "tenantId",
      t.first_name AS "firstName", corp.name AS issuer, f.id AS "facilityId", f.name AS "facilityName",
      f.email AS "facilityEmail", f.phone, f.time_zone AS "timeZone", (
        SELECT json_agg(json_build_object('name', s.name, 'email', s.email, 'signedName', s.signed_name,
          'signedAt', s.signed_at, 'strokes', s.strokes) ORDER BY s.position)
        FROM document_signers s WHERE s.document_id = d.id) AS signers, (
        SELECT json_agg(json_build_object('at', e.at, 'kind', e.kind, 'who', e.who, 'via', e.via, 'ip', e.ip,
          'device', e.device) ORDER BY e.id)
        FROM document_events e WHERE e.document_id = d.id) AS events
    FROM esign_documents d JOIN ledgers l ON l.id = d.ledger_id JOIN tenants t ON t.id = l.tenant_id
    JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    JOIN corporations corp ON corp.id = f.corporation_id
    WHERE d.id = ${documentId} AND d.envelope_status_id = ${COMPLETED_ENVELOPE_STATUS_ID} AND d.form_id IS NOT NULL
      AND d.file_key IS NULL`.execute(db);
  return rows[0];
}
