import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  animation,
  bombPng,
  flatPhoto,
  heicHead,
  photoWithGps,
  photoWithText,
  pngWithPart,
  pngWithTexts,
  svg,
} from '#test/photos.ts';

/** What must become of a file: kept as a picture of our own making, or refused with this status. */
type Outcome = 'kept' | 413 | 415 | 422;

/** A file as a form would send it: `imageData` is its data URL, `file` the name it claims. */
type HostileFile = { what: string; imageData: string; file: string; outcome: Outcome };

/** Words that are hidden in the files below and may be in nothing that is kept. */
export const hiddenWords = [
  'script',
  '<?php',
  '<html',
  'PK\u0003\u0004',
  'JFIF-tail',
  'Gatehouse test camera',
  'GPS',
];

const PAGE = '<html><script>alert(1)</script></html>';
const PHP = '<?php system($_GET[0]); ?>';

export const dataUrl = (bytes: Buffer, type = 'image/jpeg') =>
  `data:${type};base64,${bytes.toString('base64')}`;

/** Files that are no photo, more than a photo, or wrongly named; every one is small. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const [jpeg, png, gif, webp] = await Promise.all([
    flatPhoto('jpeg'),
    flatPhoto('png'),
    flatPhoto('gif'),
    flatPhoto('webp'),
  ]);
  const named = (what: string, file: string, outcome: Outcome = 'kept'): HostileFile => ({
    what: `a photo named ${what}`,
    imageData: dataUrl(jpeg),
    file,
    outcome,
  });
  const from = (
    what: string,
    bytes: Buffer,
    outcome: Outcome,
    file = 'photo.jpg',
    type?: string,
  ): HostileFile => ({
    what,
    imageData: dataUrl(bytes, type),
    file,
    outcome,
  });
  const as = (what: string, imageData: string, outcome: Outcome): HostileFile => ({
    what,
    imageData,
    file: 'photo.png',
    outcome,
  });
  const base64 = png.toString('base64');
  return [
    from('an SVG with a script', svg, 415, 'x.svg', 'image/svg+xml'),
    from('an SVG that calls itself a PNG', svg, 415, 'x.png', 'image/png'),
    from('an SVG behind a comment', Buffer.concat([Buffer.from('<!--\n-->\n'), svg]), 415),
    from('a packed SVG', gzipSync(svg), 415, 'x.svgz', 'image/svg+xml'),
    from('a page', Buffer.from(PAGE), 415, 'x.html', 'text/html'),
    from('a page that calls itself a JPEG', Buffer.from(PAGE), 415),
    from(
      'a JPEG with a page behind it',
      Buffer.concat([jpeg, Buffer.from(PAGE)]),
      'kept',
      'x.html',
      'text/html',
    ),
    from(
      'a JPEG whose comment is a page',
      jpegWithComment(jpeg, `*/=1;</style>${PAGE}`),
      'kept',
      'x.html',
    ),
    from('a GIF that is a script', gifScript(), 422, 'x.js', 'text/javascript'),
    from(
      'a GIF with a Java archive behind it',
      Buffer.concat([gif, storedZip()]),
      'kept',
      'x.jar',
      'image/gif',
    ),
    from('a JPEG with an archive behind it', Buffer.concat([jpeg, storedZip()]), 'kept', 'x.zip'),
    from(
      'a PNG with a page behind its end',
      Buffer.concat([png, Buffer.from(PAGE)]),
      'kept',
      'x.htm',
      'image/png',
    ),
    from('PHP in the description', await photoWithText(PHP), 'kept', 'x.php'),
    from('a script in the description', await photoWithText('<script>alert(1)</script>'), 'kept'),
    from(
      'PHP in the text of a PNG',
      pngWithPart(png, 'tEXt', Buffer.from(`Comment\0${PHP}`)),
      'kept',
      'x.phtml',
    ),
    from(
      'a script in the comment of a GIF',
      gifWithComment(gif, PAGE),
      'kept',
      'x.gif',
      'image/gif',
    ),
    from(
      'a script in the XMP of a WebP',
      webpWithPart(webp, 'XMP ', Buffer.from(PAGE)),
      'kept',
      'x.webp',
    ),
    from(
      'where and when a photo was taken',
      await photoWithGps({ width: 400, height: 300, orientation: 6 }),
      'kept',
    ),
    from('a PNG as a JPEG', png, 'kept', 'x.jpg', 'image/jpeg'),
    from('a WebP as text', webp, 'kept', 'x.txt', 'text/plain'),
    from('a profile that unpacks to 250 MB', pngWithPart(png, 'iCCP', packed(250_000_000)), 'kept'),
    from('texts that unpack to three gigabytes', pngWithTexts(png, 60, 50_000_000), 'kept'),
    from('a GIF of 100,000 pictures', gifOfPictures(100_000), 'kept', 'x.gif', 'image/gif'),
    from('a WebP of 200 pictures', await animation('webp', 200, 64), 'kept', 'x.webp'),
    from('half a JPEG', half(await flatPhoto('jpeg', { width: 900, height: 900 })), 422),
    from('half a PNG', half(png), 422),
    from('half a WebP', half(webp), 422),
    from('a GIF of nothing but its head', Buffer.from('GIF89a'), 422),
    from('a JPEG of nothing but its mark', Buffer.from('ffd8ffe0', 'hex'), 422),
    from('a PNG of zeros', Buffer.concat([png.subarray(0, 8), Buffer.alloc(1_000_000)]), 415),
    from('a TIFF', await flatPhoto('tiff'), 415, 'x.tiff', 'image/tiff'),
    from('an AVIF', await flatPhoto('avif'), 415, 'x.avif', 'image/avif'),
    from('a HEIC', heicHead, 415, 'x.heic', 'image/heic'),
    from('a PSD', Buffer.concat([Buffer.from('8BPS\0\x01'), Buffer.alloc(40)]), 415, 'x.psd'),
    from(
      'a PDF',
      Buffer.from('%PDF-1.7\n1 0 obj\n<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>'),
      415,
      'x.pdf',
    ),
    from('a ZIP that unpacks to 250 MB', zipOf(250_000_000), 415, 'x.zip'),
    from(
      'an MP4',
      Buffer.from('000000206674797069736f6d0000020069736f6d69736f32', 'hex'),
      415,
      'x.mp4',
    ),
    from('a program', Buffer.from('7f454c460201010000', 'hex'), 415, 'x'),
    from('a PostScript that runs a command', Buffer.from('%!PS\n(%pipe%id) (w) file\n'), 415),
    from(
      'an ImageMagick script',
      Buffer.from("push graphic-context\nfill 'url(https://x/|id)'\n"),
      415,
      'x.mvg',
    ),
    as('nothing', 'data:image/png;base64,', 422),
    as('an address', 'http://169.254.169.254/latest/meta-data/', 422),
    as('a file of the server', 'file:///etc/passwd', 422),
    as('a data URL with parameters', `data:image/png;charset=utf-8;base64,${base64}`, 422),
    as('a data URL without a type', `data:;base64,${base64}`, 422),
    as('a data URL in capitals', `DATA:image/png;BASE64,${base64}`, 422),
    as('a data URL that is no base64', 'data:image/svg+xml,<svg onload=alert(1)>', 422),
    as('percent signs in place of letters', `data:image/png;base64,${percentEncoded(base64)}`, 422),
    as('the letters of base64url', `data:image/png;base64,${base64.slice(0, -8)}-_-_AAA=`, 422),
    as(
      'spaces between the letters',
      `data:image/png;base64,${base64.slice(0, 40)} ${base64.slice(40)}`,
      422,
    ),
    as('letters behind the end', `data:image/png;base64,${base64}====AAAA`, 422),
    as('one data URL in another', dataUrl(Buffer.from(dataUrl(png)), 'image/png'), 415),
    named('../../x', '../../../../x.jpg'),
    named('..\\..\\x', '..\\..\\x.jpg'),
    named('/etc/passwd', '/etc/passwd'),
    named('with a script', '"><script>alert(1)</script>.jpg'),
    named('with a line of a header', 'x.jpg\r\nContent-Type: text/html'),
    named('that reads backwards', 'x\u202egpj.exe'),
    named('with NUL', 'x.php\0.jpg', 422),
    named('with half a letter', 'x\ud800.jpg', 422),
    named('of 300 letters', 'x'.repeat(300), 422),
  ];
}

/** Small files whose pictures are huge once they are decoded. */
export async function bombs(): Promise<HostileFile[]> {
  const bomb = (what: string, bytes: Buffer, outcome: Outcome = 413): HostileFile => ({
    what,
    imageData: dataUrl(bytes),
    file: 'bomb.png',
    outcome,
  });
  const large = { width: 8000, height: 5000, isWhole: true };
  return [
    bomb('a PNG of 14,000 x 14,000', bombPng(14_000, 14_000)),
    bomb('a PNG of 2,000,000,000 x 2,000,000,000', bombPng(2_000_000_000, 2_000_000_000), 422),
    bomb('a PNG of one row of 40 megapixels', bombPng(40_000_000, 1)),
    bomb('a PNG of one column of 40 megapixels', bombPng(1, 40_000_000)),
    bomb('a PNG of 40 megapixels', await flatPhoto('png', { width: 8000, height: 5000 })),
    bomb('an interlaced PNG of 40 megapixels', await flatPhoto('png', large)),
    bomb(
      'a PNG of 40 megapixels with 16 bits a colour',
      bombPng(8000, 5000, { color: 6, bits: 16 }),
    ),
    bomb('a progressive JPEG of 40 megapixels', await flatPhoto('jpeg', large)),
    bomb('a GIF of 40 megapixels', await flatPhoto('gif', large)),
    bomb('a WebP of 40 megapixels', await flatPhoto('webp', large)),
  ];
}

/** Photos that are kept and take as much memory to decode as a photo may. */
export async function heaviestPhotos(): Promise<string[]> {
  const photos = await Promise.all([
    flatPhoto('png', { width: 6000, height: 4000 }),
    flatPhoto('jpeg', { width: 8000, height: 5000 }),
    flatPhoto('png', { width: 2800, height: 2800, isWhole: true }),
    flatPhoto('jpeg', { width: 2000, height: 2000, isWhole: true }),
    flatPhoto('gif', { width: 3000, height: 2000 }),
    flatPhoto('webp', { width: 3000, height: 2000, isWhole: true }),
  ]);
  return photos.map((bytes) => dataUrl(bytes));
}

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));

function percentEncoded(text: string): string {
  return text.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

/** A name, the way of packing, and zeros: a colour profile of a PNG. */
function packed(bytes: number): Buffer {
  return Buffer.concat([
    Buffer.from('profile\0\0'),
    deflateSync(Buffer.alloc(bytes), { level: 9 }),
  ]);
}

function jpegWithComment(jpeg: Buffer, text: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(text.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(text), jpeg.subarray(2)]);
}

function webpWithPart(webp: Buffer, name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  const whole = Buffer.concat([webp, head, data, Buffer.alloc(data.length % 2)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

/** `GIF89a` as the name of a variable, and its width as the beginning of a comment. */
function gifScript(): Buffer {
  return Buffer.concat([
    Buffer.from('GIF89a/*'),
    Buffer.alloc(12),
    Buffer.from('*/=1;alert("script")'),
  ]);
}

function gifWithComment(gif: Buffer, text: string): Buffer {
  const comment = Buffer.concat([
    Buffer.from([0x21, 0xfe, text.length]),
    Buffer.from(text),
    Buffer.from([0]),
  ]);
  return Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1)]);
}

/** A GIF of one pixel that shows itself this many times. */
function gifOfPictures(count: number): Buffer {
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex');
  const picture = Buffer.from('21f90400000000002c000000000100010000' + '0202440100', 'hex');
  return Buffer.concat([
    head,
    ...Array.from({ length: count }, () => picture),
    Buffer.from([0x3b]),
  ]);
}

function storedZip(): Buffer {
  return zipEntry('META-INF/MANIFEST.MF', Buffer.from('Main-Class: script\n'), 0, 19);
}

/** An archive of the kind that Word makes, whose first part unpacks to this many bytes. */
function zipOf(bytes: number): Buffer {
  return zipEntry(
    '[Content_Types].xml',
    deflateRawSync(Buffer.alloc(bytes, 'x'), { level: 9 }),
    8,
    bytes,
  );
}

function zipEntry(name: string, data: Buffer, method: 0 | 8, bytes: number): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(method, 8);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt32LE(bytes, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name), data]);
}
