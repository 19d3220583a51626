/** The chunks of a PNG that its picture needs: pixels, colours and orientation. */
const pngChunks = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sRGB',
  'eXIf',
  'IDAT',
  'IEND',
]);

/** Both begin with this many bytes before their first chunk. */
const PNG_HEAD = 8;
const WEBP_HEAD = 12;

/**
 * Keeps only the parts of a file that its first picture needs; JPEG and GIF are unchanged. The
 * decoder unpacks the texts of a PNG to a thousand times their size, and scans each picture of a
 * WebP animation as often as there are pictures.
 */
export function pictureOf(bytes: Buffer, type: string): Buffer {
  switch (type) {
    case 'image/png':
      return pictureOfPng(bytes);
    case 'image/webp':
      return pictureOfWebp(bytes);
    default:
      return bytes;
  }
}

function pictureOfPng(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, PNG_HEAD)];
  for (const { name, from, to } of chunksOf(bytes, PNG_HEAD, pngChunk))
    if (pngChunks.has(name)) kept.push(bytes.subarray(from, to));
  return Buffer.concat(kept);
}

function pictureOfWebp(bytes: Buffer): Buffer {
  for (const { name, to } of chunksOf(bytes, WEBP_HEAD, webpChunk))
    if (name === 'ANMF') return endWebp(bytes, to);
  return bytes;
}

/**
 * The first byte of a chunk and the one after its last; the last chunk may claim to extend beyond
 * the file.
 */
type Chunk = { name: string; from: number; to: number };

function* chunksOf(
  bytes: Buffer,
  start: number,
  chunkAt: (bytes: Buffer, from: number) => Chunk,
): Generator<Chunk> {
  let from = start;
  // A name and a length take eight bytes in both.
  while (from + 8 <= bytes.length) {
    const chunk = chunkAt(bytes, from);
    yield chunk;
    from = chunk.to;
  }
}

/** Length, name, content, checksum. */
function pngChunk(bytes: Buffer, from: number): Chunk {
  return {
    name: bytes.toString('latin1', from + 4, from + 8),
    from,
    to: from + 12 + bytes.readUInt32BE(from),
  };
}

/** Name, length, content, filled up to an even number of bytes. */
function webpChunk(bytes: Buffer, from: number): Chunk {
  const length = bytes.readUInt32LE(from + 4);
  return {
    name: bytes.toString('latin1', from, from + 4),
    from,
    to: from + 8 + length + (length % 2),
  };
}

/** The file up to that byte, with its length field corrected. */
function endWebp(bytes: Buffer, end: number): Buffer {
  const kept = Buffer.from(bytes.subarray(0, end));
  kept.writeUInt32LE(kept.length - 8, 4);
  return kept;
}
