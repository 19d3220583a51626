import { createHash, randomUUID } from 'node:crypto';
import type { Paper } from '@gatehouse/contract/papers';
import { t } from '@gatehouse/language/t';
import type { Context } from '#context/context.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { readUnchanged, withFile } from '#features/base/images/images.ts';
import { paperView, pdfFile } from '#features/base/papers/papers.ts';
import { bodyOf } from './document-body.ts';
import type { Signing } from './link.ts';

/**
 * Keeps the PDF that the signers of a document read and sign: the form's, with the fields filled
 * in. A repeat, and a document of a text, do nothing. Refuses as withFile does.
 */
export async function keepReadCopy(
  ctx: Context,
  { documentId, documentName, body, pdfKey }: Signing,
): Promise<void> {
  const read = bodyOf(body);
  if (pdfKey !== null || Array.isArray(read)) return;
  const { pdf } = await ctx.db
    .selectFrom('document_forms as f')
    .innerJoin('esign_documents as d', 'd.form_id', 'f.id')
    .select('f.pdf')
    .where('d.id', '=', documentId)
    .executeTakeFirstOrThrow();
  // What draws is loaded with the first paper, as of other papers.
  const { stampPdf } = await import('#papers/stamp-pdf.ts');
  const stamps = read.marks.flatMap((mark) => (mark.kind === 'text' ? [mark] : []));
  const bytes = await stampPdf(pdf!, { title: documentName, at: ctx.clock.now(), stamps });
  const fileKey = randomUUID();
  await withFile(ctx, { fileKey, bytes, contentType: 'application/pdf' }, (trx) =>
    trx
      .updateTable('esign_documents')
      .set({
        pdf_key: fileKey,
        pdf_hash: createHash('sha256').update(bytes).digest(),
        pdf_bytes: bytes.length,
      })
      .where('id', '=', documentId)
      .where('pdf_key', 'is', null)
      .execute(),
  );
}

/** The kept PDF. Refuses and throws as readUnchanged does. */
export function readCopy(
  ctx: Pick<Context, 'files' | 'log'>,
  { pdfKey, pdfHash }: Pick<Signing, 'pdfKey' | 'pdfHash'>,
): Promise<Buffer> {
  return readUnchanged(ctx, pdfKey!, pdfHash!);
}

/**
 * What a signer who has agreed to read electronically opens. Refuses with 404 where the document is
 * a text, and with 409 before.
 */
export async function openCopy(ctx: Context, signing: Signing): Promise<Paper> {
  if (signing.consentedAt === null)
    throw new Refusal(409, t('Please agree to read and sign electronically first.'));
  if (signing.pdfKey === null) throw notFound();
  return paperView(pdfFile(signing.documentName, await readCopy(ctx, signing)));
}
