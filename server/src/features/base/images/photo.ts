import { IMAGE_SIDE } from '@gatehouse/contract/images';
import { t } from '@gatehouse/language/t';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Metadata } from 'sharp';
import type { ImageType } from '#db/tables.ts';
import { Refusal } from '#errors/refusal.ts';
import { FairQueue } from '#sharing/fair-queue.ts';
import { bytesOf } from './data-url.ts';
import { pictureOf } from './picture.ts';

/**
 * A photo as stored: re-encoded, upright, without metadata, its longest side at most 1600 pixels.
 */
export type Photo = { bytes: Buffer; contentType: ImageType; width: number; height: number };

/**
 * More pixels are refused by the header only, because decoding them is the purpose of a
 * decompression bomb.
 */
const MOST_PIXELS = 40_000_000;
/** A decoder buffers several rows, so one row must not be the whole picture. */
const MOST_SIDE = 8000;
/** The most memory to decode a picture, which can be large for a small file. */
const MOST_HELD_BYTES = 24_000_000;
const LONGEST_SECONDS = 20;
/** A photo that waits longer is refused, because the tenant is waiting for an answer. */
const LONGEST_WAIT_MS = 10_000;
const QUALITY = 80;

const accepted = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const phoneFormats = new Set([
  'image/heic',
  'image/heif',
  'image/heic-sequence',
  'image/heif-sequence',
]);

// Other decoders are blocked, whatever type a file claims, and the cache is off, so that nothing of
// one tenant's photo stays in memory.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
});
sharp.cache(false);
// Each thread keeps its own memory, and the other processors remain free for payments.
sharp.concurrency(1);

/** One at a time, to limit the memory of decoding. */
const decoder = new FairQueue({ atOnce: 1 });

/**
 * Checks the image of a data URL by its bytes only and re-encodes it: as JPEG, or as WebP where it
 * may be transparent; of an animation the first picture. Refuses with 415 an unsupported type, with
 * 413 too many pixels, with 422 a damaged image. One at a time, by turns of the tenant records; a
 * wait above 10 seconds is refused with 503.
 */
export function readPhoto(tenantId: string, imageData: string): Promise<Photo> {
  const askedAt = performance.now();
  return decoder.run(tenantId, async () => {
    if (performance.now() - askedAt > LONGEST_WAIT_MS)
      throw new Refusal(
        503,
        t('Many photos are arriving right now. Please try again in a moment.'),
      );
    return read(imageData);
  });
}

async function read(imageData: string): Promise<Photo> {
  const given = bytesOf(imageData) ?? damaged();
  const bytes = pictureOf(given, await checkType(given));
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata().catch(damaged);
  checkSize(metadata);
  const { hasAlpha } = metadata;
  const upright = sharp(bytes, {
    limitInputPixels: MOST_PIXELS,
    failOn: 'warning',
    autoOrient: true,
  })
    .resize({ width: IMAGE_SIDE, height: IMAGE_SIDE, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: LONGEST_SECONDS });
  const encoded = hasAlpha
    ? upright.webp({ quality: QUALITY })
    : upright.jpeg({ quality: QUALITY });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true }).catch(damaged);
  return {
    bytes: data,
    contentType: hasAlpha ? 'image/webp' : 'image/jpeg',
    width: info.width,
    height: info.height,
  };
}

async function checkType(bytes: Buffer): Promise<string> {
  const mime = (await fileTypeFromBuffer(bytes))?.mime ?? '';
  if (phoneFormats.has(mime))
    throw new Refusal(
      415,
      t('Photos in the HEIC format cannot be used. Please choose a JPEG or PNG.'),
    );
  if (!accepted.has(mime))
    throw new Refusal(415, t('The photo must be a JPEG, PNG, GIF or WebP image.'));
  return mime;
}

function checkSize(metadata: Metadata): void {
  const { width, height } = metadata;
  if (width * height > MOST_PIXELS)
    throw new Refusal(413, t('The photo is too large. It may have at most 40 megapixels.'));
  if (Math.max(width, height) > MOST_SIDE)
    throw new Refusal(413, t('The photo is too large. It may have at most 8,000 pixels a side.'));
  if (width * height * heldBytes(metadata) > MOST_HELD_BYTES)
    throw new Refusal(
      413,
      t('The photo is too large in this format. Please choose a smaller one or an ordinary JPEG.'),
    );
}

/**
 * The approximate memory for each pixel of the whole picture, in bytes; 0 where it is shrunk while
 * it is decoded.
 */
function heldBytes({ format, channels, depth, isProgressive, hasAlpha }: Metadata): number {
  if (format === 'gif' || format === 'webp') return 4;
  // As coefficients of two bytes.
  if (format === 'jpeg') return isProgressive ? channels * 2 : 0;
  if (format !== 'png') return 0;
  if (depth === 'ushort') return channels * 2;
  if (isProgressive) return channels;
  return hasAlpha ? 2 : 1;
}

function damaged(): never {
  throw new Refusal(422, t('The photo is damaged. Please choose another one.'));
}
