import { IMAGE_BODY_BYTES, IMAGE_SIDE } from '@gatehouse/contract/images';

/** A photo as it is sent: a data URL, and the name it had on the device. */
export type Photo = { imageData: string; file: string };

/** Beside the photo the body holds the form's own fields. */
const MOST_CHARACTERS = IMAGE_BODY_BYTES - 64 * 1024;
const QUALITY = 0.85;

/**
 * Makes a photo small enough for a phone's connection: at most 1600 px at its longer side (design
 * section 6). What the browser cannot read goes as it is: the server says what is wrong with it.
 * Throws a PhotoTooLarge for what is too large even so.
 */
export async function readPhoto(file: File): Promise<Photo> {
  const blob = (await shrink(file).catch(() => null)) ?? file;
  // Four characters of text for three bytes; checked first, so that nothing huge is read.
  if ((blob.size * 4) / 3 > MOST_CHARACTERS) throw new PhotoTooLarge();
  return { imageData: await dataUrlOf(blob), file: file.name };
}

/** The photo cannot be made small enough to be sent. */
export class PhotoTooLarge extends Error {
  override name = 'PhotoTooLarge';
}

/** Width and height that fit into the longest side; never larger than they were. */
export function fitted(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, IMAGE_SIDE / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

async function shrink(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file);
  const canvas = Object.assign(
    document.createElement('canvas'),
    fitted(bitmap.width, bitmap.height),
  );
  const context = canvas.getContext('2d');
  if (context === null) return null;
  // A JPEG has no transparency: what is clear becomes white, not black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}

/** A file as a data URL. */
export function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error('the photo could not be read'));
    // A file without a type would make a data URL without one.
    reader.readAsDataURL(
      blob.type === '' ? new Blob([blob], { type: 'application/octet-stream' }) : blob,
    );
  });
}
