import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A photo as a phone takes it: with the place where it was taken, and perhaps lying on its side. */
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

/** A photo like no other: every pixel is chance. */
export function noisePng(side = 32): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 3 } as const;
  return sharp(randomBytes(side * side * 3), { raw })
    .png()
    .toBuffer();
}

/** An image that is a page: it may hold scripts. */
export const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);

/** How a HEIC of a phone begins. */
export const heicHead = Buffer.from('0000002466747970686569630000000068656963' + '6d69663168656966', 'hex');

/** A PNG that claims any size in a few bytes: its picture ends after the first. */
export function bombPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(9))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The PNG with texts behind its head that unpack to this many bytes each. */
export function pngWithTexts(png: Buffer, texts: number, bytes: number): Buffer {
  const packed = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(bytes, 'x'))]);
  // The signature and the head are as long in every PNG.
  const headEnd = 33;
  const chunks = Array.from({ length: texts }, () => chunk('zTXt', packed));
  return Buffer.concat([png.subarray(0, headEnd), ...chunks, png.subarray(headEnd)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
