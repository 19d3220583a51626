import { createHash, randomUUID } from 'node:crypto';
import { COMPLETED_ENVELOPE_STATUS_ID } from '@gatehouse/contract/esign';
import { formTypes } from '@gatehouse/contract/requests';
import type { DocumentBlock } from '@gatehouse/contract/signing';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { documentSignedEmail } from '#emails/document-signed.ts';
import { withFile } from '#features/base/images/images.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { findRecipients } from '#features/service/requests/recipients.ts';
import { signedDocumentPaper, type SignedDocument } from '#papers/signed-document.ts';

/** The SHA-256 of a document as its signers read it. */
export function documentHash(body: string): Buffer {
  return createHash('sha256').update(body).digest();
}

type Signed = Omit<SignedDocument, 'blocks' | 'hash' | 'at'> & {
  body: string;
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
  const { body, tenantId, firstName, facilityId, facilityEmail, phone, ...about } = signed;
  // What draws is loaded with the first paper, as of other papers.
  const { drawPaper } = await import('#papers/draw.ts');
  const bytes = await drawPaper(
    signedDocumentPaper({
      ...about,
      blocks: JSON.parse(body) as DocumentBlock[],
      hash: documentHash(body).toString('hex'),
      at: ctx.clock.now(),
    }),
  );
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

async function findUnsealed({ db }: Context, documentId: string): Promise<Signed | undefined> {
  const { rows } = await sql<Signed>`
    SELECT d.id AS "documentId", d.form_name AS "documentName", d.body, u.name AS "unitName", l.tenant_id AS "tenantId",
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
