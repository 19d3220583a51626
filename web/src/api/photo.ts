import { IMAGE_BODY_BYTES, IMAGE_SIDE } from '@gatehouse/contract/images';
import { t } from '@gatehouse/language/t';

/** A photo as it is sent: a data URL, and the name it had on the device. */
export type Photo = { imageData: string; file: string };

/** Beside the photo the body holds the form's own fields. */
const MOST_CHARACTERS = IMAGE_BODY_BYTES - 64 * 1024;
const QUALITY = 0.85;

/**
 * Makes a photo small enough for a phone's connection: at most 1600 px at its longer side, as JPEG,
 * whatever format the browser could read. Throws a PhotoRefused for what cannot be read or made so,
 * and a PhotoTooLarge for what is too large even so.
 */
export async function readPhoto(file: File): Promise<Photo> {
  const blob = await shrink(file).catch(() => null);
  if (blob === null) throw new PhotoRefused(await faultOf(file));
  // Four characters of text for three bytes; checked first, so that nothing huge is read.
  if ((blob.size * 4) / 3 > MOST_CHARACTERS) throw new PhotoTooLarge();
  return { imageData: await dataUrlOf(blob), file: file.name };
}

/** The browser cannot read the photo; the message says why, and what to do. */
export class PhotoRefused extends Error {
  override name = 'PhotoRefused';
}

/** The photo cannot be made small enough to be sent. */
export class PhotoTooLarge extends Error {
  override name = 'PhotoTooLarge';
}

/**
 * Why a file cannot be sent as a photo, as a sentence; null where the browser can read it. Safari
 * reads HEIC, as other browsers do not.
 */
export async function photoFault(file: File): Promise<string | null> {
  try {
    (await createImageBitmap(file)).close();
    return null;
  } catch {
    return faultOf(file);
  }
}

async function faultOf(file: File): Promise<string> {
  if (file.size === 0) return t('The photo is empty. Please choose another one.');
  const head = await file
    .slice(0, 12)
    .arrayBuffer()
    .catch(() => null);
  if (head === null) return t('The photo could not be read. Please choose another.');
  const start = String.fromCharCode(...new Uint8Array(head));
  if (/^.{4}ftyp(he[ivx]|mif1|msf1)/s.test(start))
    return t(
      'This browser cannot read HEIC photos. Set the phone’s camera to “Most Compatible”, or choose a screenshot.',
    );
  return /^(\xff\xd8\xff|\x89PNG|GIF8|RIFF.{4}WEBP)/s.test(start)
    ? t('The photo is damaged. Please choose another one.')
    : t('The photo must be a JPEG, PNG, GIF or WebP image.');
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
