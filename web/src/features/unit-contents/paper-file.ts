import { PAPER_FILE_BYTES } from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { CallError } from '#api/call.ts';
import { dataUrlOf, photoFault, PhotoRefused, PhotoTooLarge, readPhoto } from '#api/photo.ts';

/**
 * The file of a paper as it is sent: a PDF as it is, a photo made smaller. Refuses what is too
 * large in the form's own way; what else is wrong with it the server says.
 */
export async function readPaper(file: File): Promise<{ fileData: string; file: string }> {
  try {
    if (!isPdf(file)) {
      const photo = await readPhoto(file);
      return { fileData: photo.imageData, file: photo.file };
    }
    if (file.size > PAPER_FILE_BYTES) throw new PhotoTooLarge();
    return { fileData: await dataUrlOf(file), file: file.name };
  } catch (error) {
    if (error instanceof PhotoRefused) throw new CallError('refused', 415, error.message);
    const message =
      error instanceof PhotoTooLarge
        ? t('The file is too large. It may have at most 8 MB.')
        : t('The file could not be read. Please choose another.');
    throw new CallError('refused', 413, message);
  }
}

/** Why a file cannot be filed, as a sentence; null where it can be, and of a PDF. */
export async function paperFault(file: File): Promise<string | null> {
  return isPdf(file) ? null : photoFault(file);
}

/** As the device calls it; the server goes by the bytes. */
export function isPdf({ type, name }: Pick<File, 'type' | 'name'>): boolean {
  return type === 'application/pdf' || /\.pdf$/i.test(name);
}
