import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A photo as from a phone: with its location, and optionally rotated by its orientation tag. */
export function photoWithGps({
  width,
  height,
  orientation = 1,
}: {
  width: number;
  height: number;
  orientation?: number;
}): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#8a6d3b' } })
    .withExif({
      IFD0: { Model: 'Gatehouse test camera' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '32/1 53/1 24/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '97/1 32/1 45/1',
      },
    })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();
}

/** A photo with random pixels. */
export function noisePng(side = 32): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 3 } as const;
  return sharp(randomBytes(side * side * 3), { raw })
    .png()
    .toBuffer();
}

type PhotoFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif';

/**
 * A picture of one colour: large in pixels, small in bytes. `isWhole`: progressive or interlaced,
 * or a lossless WebP.
 */
export function flatPhoto(
  format: PhotoFormat,
  {
    width = 300,
    height = 200,
    isWhole = false,
  }: { width?: number; height?: number; isWhole?: boolean } = {},
): Promise<Buffer> {
  const picture = sharp({ create: { width, height, channels: 3, background: '#8a6d3b' } });
  switch (format) {
    case 'jpeg':
      return picture.jpeg({ progressive: isWhole, chromaSubsampling: '4:4:4' }).toBuffer();
    case 'png':
      return picture.png({ progressive: isWhole }).toBuffer();
    case 'webp':
      return picture.webp({ lossless: isWhole, effort: 0 }).toBuffer();
    default:
      return picture.toFormat(format).toBuffer();
  }
}

/** A JPEG with this text as the description, the maker and the copyright that a camera writes. */
export function photoWithText(text: string): Promise<Buffer> {
  return sharp({ create: { width: 60, height: 40, channels: 3, background: '#8a6d3b' } })
    .withExif({ IFD0: { ImageDescription: text, Make: text, Copyright: text } })
    .jpeg()
    .toBuffer();
}

/** An animation of pictures of this size. */
export async function animation(
  format: 'gif' | 'webp',
  pictures: number,
  side: number,
): Promise<Buffer> {
  const frames = await Promise.all(
    Array.from({ length: pictures }, (_, nth) =>
      sharp({
        create: {
          width: side,
          height: side,
          channels: 3,
          background: { r: nth % 256, g: 90, b: 40 },
        },
      })
        .png()
        .toBuffer(),
    ),
  );
  const joined = sharp(frames, { join: { animated: true } });
  return format === 'gif'
    ? joined.gif().toBuffer()
    : joined.webp({ lossless: true, effort: 0 }).toBuffer();
}

/** The format of a file and its remaining metadata. Throws for a file that cannot be decoded. */
export async function describePhoto(
  bytes: Buffer,
): Promise<{ format: string; width: number; height: number; besides: string[] }> {
  const metadata = await sharp(bytes).metadata();
  await sharp(bytes, { failOn: 'warning' }).stats();
  const { format, width, height } = metadata;
  const parts = [
    'exif',
    'icc',
    'xmp',
    'iptc',
    'orientation',
    'comments',
    'tifftagPhotoshop',
  ] as const;
  return { format, width, height, besides: parts.filter((part) => metadata[part] !== undefined) };
}

/** An SVG, which may contain scripts. */
export const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);

/** The first bytes of a phone's HEIC. */
export const heicHead = Buffer.from(
  '0000002466747970686569630000000068656963' + '6d69663168656966',
  'hex',
);

/**
 * A PNG that claims any size in a few bytes: its data end after the first row. `color` is the
 * format's own number: 2 RGB, 6 RGBA.
 */
export function bombPng(
  width: number,
  height: number,
  {
    color = 2,
    bits = 8,
    isInterlaced = false,
  }: { color?: 2 | 6; bits?: 8 | 16; isInterlaced?: boolean } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, color, 0, 0, isInterlaced ? 1 : 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(9))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Adds texts after the header that unpack to this many bytes each. */
export function pngWithTexts(png: Buffer, texts: number, bytes: number): Buffer {
  const packed = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(bytes, 'x'))]);
  // The signature and the header have the same length in every PNG.
  const headEnd = 33;
  const chunks = Array.from({ length: texts }, () => chunk('zTXt', packed));
  return Buffer.concat([png.subarray(0, headEnd), ...chunks, png.subarray(headEnd)]);
}

/** Adds a chunk after the header. */
export function pngWithPart(png: Buffer, type: string, data: Buffer): Buffer {
  const headEnd = 33;
  return Buffer.concat([png.subarray(0, headEnd), chunk(type, data), png.subarray(headEnd)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
