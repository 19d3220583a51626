import { PAPER_FILE_BYTES, type PaperFileType } from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { Refusal } from '#errors/refusal.ts';
import { bytesOf } from '#features/base/images/data-url.ts';
import { loadDecoder } from '#features/base/images/images.ts';

/** A PDF begins so; nothing else of it is read. */
const PDF_BEGIN = Buffer.from('%PDF-');

/**
 * The file of a paper by its bytes only: a PDF as it is, or a photo, decoded and encoded again. A
 * PDF is never parsed. Refuses with 413 a PDF of more than 8 MB, with 415 what is neither, with 422
 * what is no base64, and a photo as readPhoto does.
 */
export async function readPaperFile(
  tenantId: string,
  fileData: string,
): Promise<{ bytes: Buffer; contentType: PaperFileType }> {
  if (!isPdf(fileData)) {
    const { readPhoto } = await loadDecoder();
    return readPhoto(tenantId, fileData).catch(refuseOther);
  }
  const bytes = bytesOf(fileData);
  if (bytes === null) throw new Refusal(422, t('The file is damaged. Please choose another one.'));
  if (bytes.length > PAPER_FILE_BYTES)
    throw new Refusal(413, t('The file is too large. It may have at most 8 MB.'));
  return { bytes, contentType: 'application/pdf' };
}

/** By the first characters only, whatever type the data URL claims. */
function isPdf(fileData: string): boolean {
  const from = fileData.indexOf(',') + 1;
  const begin = Buffer.from(fileData.slice(from, from + 8), 'base64');
  return begin.subarray(0, PDF_BEGIN.length).equals(PDF_BEGIN);
}

function refuseOther(error: unknown): never {
  if (error instanceof Refusal && error.status === 415)
    throw new Refusal(415, t('The file must be a PDF, or a photo as JPEG, PNG, GIF or WebP.'));
  throw error;
}
