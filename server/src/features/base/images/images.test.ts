import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMAGE_SIDE } from '@gatehouse/contract/images';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDiskFiles } from '#adapters/files/disk.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { bombPng, heicHead, photoWithGps, pngWithTexts, svg } from '#test/photos.ts';
import { fromNow } from '#test/test-day.ts';
import { removeUnkeptFiles } from './images.ts';
import { changeRows } from '#test/rows.ts';

const WRONG_TYPE = 'The photo must be a JPEG, PNG, GIF or WebP image.';
const TOO_MANY_PIXELS = 'The photo is too large. It may have at most 40 megapixels.';
const TOO_LARGE_WHOLE =
  'The photo is too large in this format. Please choose a smaller one or an ordinary JPEG.';
const DAMAGED = 'The photo is damaged. Please choose another one.';

let folder: string;
let api: TestApp;
let dana: SignedIn;
let lee: SignedIn;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-images-'));
  api = await openTestApp('demo_template', { files: createDiskFiles(folder) });
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await api.owner.deleteFrom('images').execute();
});

const dataUrl = (bytes: Buffer, type = 'image/jpeg') =>
  `data:${type};base64,${bytes.toString('base64')}`;
const pathOf = (who: SignedIn, tenantId = who.tenantIds[0]) =>
  `${who.prefix}/tenants/${tenantId}/images`;
const upload = (body: unknown, who = dana, path = pathOf(who)) =>
  api.call('POST', path, { token: who.token, body });
const show = (id: string, who = dana, path = pathOf(who)) => api.call('GET', `${path}/${id}`, who);
const rows = () => api.owner.selectFrom('images').selectAll().execute();
const files = async () => (await readdir(folder)).toSorted();
const bytesOf = (imageData: string) =>
  Buffer.from(imageData.slice(imageData.indexOf(',') + 1), 'base64');

describe('a photo', () => {
  // spec 3.50, 7.54
  // asvs 14.2.8
  test('is stored re-encoded, upright, at most 1600 pixels a side, and without its metadata', async () => {
    const given = await photoWithGps({ width: 3000, height: 2000, orientation: 6 });
    expect((await sharp(given).metadata()).exif?.toString('latin1')).toContain(
      'Gatehouse test camera',
    );
    const { status, body } = await upload({ imageData: dataUrl(given), file: 'IMG_0042.jpg' });
    expect(status).toBe(200);
    const [row] = await rows();
    expect(row).toMatchObject({
      id: body.id,
      tenant_id: dana.tenantIds[0],
      file_name: 'IMG_0042.jpg',
    });
    const kept = (await api.ctx.files.get(row!.file_key))!;
    const metadata = await sharp(kept).metadata();
    expect(metadata).toMatchObject({ format: 'jpeg', width: 1067, height: IMAGE_SIDE });
    for (const part of ['exif', 'icc', 'xmp', 'iptc', 'orientation', 'comments'] as const)
      expect(metadata[part], part).toBeUndefined();
    for (const secret of ['Exif', 'GPS', 'Gatehouse test camera'])
      expect(kept.includes(secret)).toBe(false);
    expect(row).toMatchObject({
      content_type: 'image/jpeg',
      bytes: kept.length,
      width: 1067,
      height: IMAGE_SIDE,
    });
  });

  test.each([
    ['JPEG', 'jpeg', 'image/jpeg'],
    ['PNG', 'png', 'image/jpeg'],
    ['WebP', 'webp', 'image/jpeg'],
    ['GIF', 'gif', 'image/webp'],
  ] as const)('may be a %s', async (_, format, kept) => {
    const bytes = await sharp({
      create: { width: 40, height: 30, channels: 3, background: '#336699' },
    })
      .toFormat(format)
      .toBuffer();
    const { status, body } = await upload({ imageData: dataUrl(bytes, `image/${format}`) });
    expect(status).toBe(200);
    const { imageData } = (await show(body.id)).body;
    expect(imageData.slice(5, imageData.indexOf(';'))).toBe(kept);
    expect(await sharp(bytesOf(imageData)).metadata()).toMatchObject({ width: 40, height: 30 });
  });

  test('keeps what is transparent', async () => {
    const bytes = await sharp({
      create: { width: 8, height: 8, channels: 4, background: '#00000000' },
    })
      .png()
      .toBuffer();
    const { body } = await upload({ imageData: dataUrl(bytes) });
    const { imageData } = (await show(body.id)).body;
    expect(imageData).toMatch(/^data:image\/webp;base64,/);
    expect(await sharp(bytesOf(imageData)).metadata()).toMatchObject({ hasAlpha: true });
  });

  test('of an animation is its first picture', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 16, height: 16, channels: 3, background } })
        .png()
        .toBuffer();
    const frames = [await frame('#ff0000'), await frame('#0000ff')];
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { body } = await upload({ imageData: dataUrl(gif, 'image/gif') });
    const { imageData } = (await show(body.id)).body;
    const [red, , blue] = await sharp(bytesOf(imageData)).removeAlpha().raw().toBuffer();
    expect([red! > 200, blue! < 50]).toEqual([true, true]);
  });

  // asvs 5.2.2, 5.3.1
  test('is what its bytes say, whatever its name and type claim', async () => {
    const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { status } = await upload({ imageData: dataUrl(png, 'text/html'), file: '../../x.html' });
    expect(status).toBe(200);
    const [row] = await rows();
    expect(row).toMatchObject({ file_name: '../../x.html', content_type: 'image/jpeg' });
    expect(row!.file_key).toMatch(/^[0-9a-f-]{36}$/);
    expect(await files()).toContain(row!.file_key);
  });

  // asvs 5.2.2, 5.4.3
  test('that hides a page or an archive behind it loses both', async () => {
    const jpeg = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .withExif({ IFD0: { ImageDescription: '<script>alert(1)</script>' } })
      .jpeg()
      .toBuffer();
    const polyglot = Buffer.concat([
      jpeg,
      Buffer.from('<html><script>alert(1)</script>PK\u0003\u0004'),
    ]);
    expect((await upload({ imageData: dataUrl(polyglot) })).status).toBe(200);
    const kept = (await api.ctx.files.get((await rows())[0]!.file_key))!;
    for (const hidden of ['script', 'html']) expect(kept.includes(hidden)).toBe(false);
  });
});

describe('what is no photo that we take is refused in a sentence, and nothing is written', () => {
  const flat = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#8a6d3b' } });
  const whole = sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } });
  const cases: [string, () => Promise<Buffer | string>, number, string][] = [
    ['an SVG', () => Promise.resolve(svg), 415, WRONG_TYPE],
    [
      'HTML',
      () => Promise.resolve(Buffer.from('<!doctype html><script>alert(1)</script>')),
      415,
      WRONG_TYPE,
    ],
    [
      'HTML that calls itself a PNG',
      () => Promise.resolve(dataUrl(Buffer.from('<html>'), 'image/png')),
      415,
      WRONG_TYPE,
    ],
    ['text', () => Promise.resolve(Buffer.from('hello')), 415, WRONG_TYPE],
    ['a PDF', () => Promise.resolve(Buffer.from('%PDF-1.7\n1 0 obj\n')), 415, WRONG_TYPE],
    ['a zip', () => Promise.resolve(Buffer.from('504b0304140000000000', 'hex')), 415, WRONG_TYPE],
    [
      'an icon',
      () => Promise.resolve(Buffer.from('00000100010010100000010020006804000016000000', 'hex')),
      415,
      WRONG_TYPE,
    ],
    ['a TIFF', () => whole.clone().tiff().toBuffer(), 415, WRONG_TYPE],
    ['an AVIF', () => whole.clone().avif().toBuffer(), 415, WRONG_TYPE],
    [
      'a BMP',
      () => Promise.resolve(Buffer.from('424d3a0000000000000036000000', 'hex')),
      415,
      WRONG_TYPE,
    ],
    [
      'a HEIC of a phone',
      () => Promise.resolve(heicHead),
      415,
      'Photos in the HEIC format cannot be used. Please choose a JPEG or PNG.',
    ],
    [
      'a PNG of 14,000 x 14,000',
      () => Promise.resolve(bombPng(14_000, 14_000)),
      413,
      TOO_MANY_PIXELS,
    ],
    [
      'one of a row over 40 megapixels',
      () => Promise.resolve(bombPng(8000, 5001)),
      413,
      TOO_MANY_PIXELS,
    ],
    [
      'a PNG of one row that is 40 megapixels long',
      () => Promise.resolve(bombPng(40_000_000, 1)),
      413,
      'The photo is too large. It may have at most 8,000 pixels a side.',
    ],
    [
      'a progressive JPEG, which is decoded whole, of more than 4 megapixels',
      () => flat(2001, 2000).jpeg({ progressive: true }).toBuffer(),
      413,
      TOO_LARGE_WHOLE,
    ],
    [
      'an interlaced PNG of more than 6 megapixels',
      () => Promise.resolve(bombPng(3001, 2000, { color: 6, isInterlaced: true })),
      413,
      TOO_LARGE_WHOLE,
    ],
    [
      'a PNG of more than 3 megapixels with 16 bits a colour',
      () => Promise.resolve(bombPng(3001, 1000, { color: 6, bits: 16 })),
      413,
      TOO_LARGE_WHOLE,
    ],
    [
      'a PNG of more than 12 megapixels that may be transparent',
      () => Promise.resolve(bombPng(4001, 3000, { color: 6 })),
      413,
      TOO_LARGE_WHOLE,
    ],
    [
      'a WebP of more than 6 megapixels',
      () => flat(3001, 2000).webp({ effort: 0 }).toBuffer(),
      413,
      TOO_LARGE_WHOLE,
    ],
    [
      'a GIF of more than 6 megapixels',
      () => flat(3001, 2000).gif().toBuffer(),
      413,
      TOO_LARGE_WHOLE,
    ],
    [
      'a PNG of more than 24 megapixels',
      () => Promise.resolve(bombPng(6001, 4000)),
      413,
      TOO_LARGE_WHOLE,
    ],
    [
      'one of just 24 megapixels that is not whole',
      () => Promise.resolve(bombPng(6000, 4000)),
      422,
      DAMAGED,
    ],
    [
      'a JPEG that is cut off',
      async () => half(await whole.clone().jpeg().toBuffer()),
      422,
      DAMAGED,
    ],
    [
      'a PNG that is cut off',
      async () => half(await whole.clone().png({ compressionLevel: 0 }).toBuffer()),
      422,
      DAMAGED,
    ],
    [
      'a WebP that is cut off',
      async () => half(await whole.clone().webp({ lossless: true, effort: 0 }).toBuffer()),
      422,
      DAMAGED,
    ],
    ['a GIF of nothing but its head', () => Promise.resolve(Buffer.from('GIF89a')), 422, DAMAGED],
    ['a PNG of nothing but its head', () => Promise.resolve(bombPng(10, 10)), 422, DAMAGED],
    [
      'base64 with something else in it',
      () => Promise.resolve('data:image/png;base64,iVBO<script>'),
      422,
      DAMAGED,
    ],
    [
      'base64 with spaces in it',
      async () => dataUrl(await whole.clone().png().toBuffer()).replace('AAAA', 'AA AA'),
      422,
      DAMAGED,
    ],
    [
      'base64 with bits behind its last byte',
      () => Promise.resolve('data:image/png;base64,iVBORw0KGgp='),
      422,
      DAMAGED,
    ],
    [
      'base64 that is cut off',
      () => Promise.resolve('data:image/png;base64,iVBORw0KGg'),
      422,
      DAMAGED,
    ],
    [
      'base64 that ends in its middle',
      () => Promise.resolve('data:image/png;base64,iV==Rw0KGgo='),
      422,
      DAMAGED,
    ],
    ['nothing', () => Promise.resolve('data:image/png;base64,'), 422, DAMAGED],
    [
      'a data URL without base64',
      () => Promise.resolve('data:image/svg+xml,<svg/>'),
      422,
      'The image must be a data URL.',
    ],
    [
      'a file of the server',
      () => Promise.resolve('file:///etc/passwd'),
      422,
      'The image must be a data URL.',
    ],
    ['a path', () => Promise.resolve('/etc/passwd'), 422, 'The image must be a data URL.'],
  ];
  const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));

  // asvs 1.1.1, 1.3.4, 5.2.6
  test.each(cases)('%s', async (_, make, status, message) => {
    const [made, before] = [await make(), await files()];
    const answer = await upload({ imageData: typeof made === 'string' ? made : dataUrl(made) });
    expect([answer.status, answer.body]).toEqual([status, { message }]);
    expect(await rows()).toEqual([]);
    expect(await files()).toEqual(before);
  });

  test.each([
    ['no image', {}, 'The image must be a data URL.'],
    ['a number', { imageData: 1 }, 'The image must be a data URL.'],
    ['null', { imageData: null }, 'The image must be a data URL.'],
    [
      'a name that is no text',
      { imageData: 'data:image/png;base64,AAAA', file: 1 },
      'File must be text.',
    ],
    [
      'a name that is too long',
      { imageData: 'data:image/png;base64,AAAA', file: 'x'.repeat(256) },
      'File is too long.',
    ],
  ])('%s', async (_, body, message) => {
    const answer = await upload(body);
    expect([answer.status, answer.body]).toEqual([422, { message }]);
    expect(await rows()).toEqual([]);
  });

  // asvs 1.3.6, 13.2.5
  test('an address on the web, which is not fetched', async () => {
    let calls = 0;
    const web = createServer((_, response) => {
      calls += 1;
      response.end();
    });
    await once(web.listen(0, '127.0.0.1'), 'listening');
    const answer = await upload({
      imageData: `http://127.0.0.1:${(web.address() as AddressInfo).port}/photo.jpg`,
    });
    expect([answer.status, answer.body]).toEqual([
      422,
      { message: 'The image must be a data URL.' },
    ]);
    expect(calls).toBe(0);
    web.close();
  });

  test('more than 6 MB', async () => {
    const answer = await upload({ imageData: dataUrl(Buffer.alloc(6_400_000)) });
    expect([answer.status, answer.body]).toEqual([
      413,
      { message: 'The photo is too large. It may have at most 6 MB.' },
    ]);
  });

  test.each([
    [
      'many beside the photo',
      (photo: string, deep: string) => `{"imageData":"${photo}","more":${deep}}`,
    ],
    ['no photo at all', (_: string, deep: string) => `{"imageData":${deep}}`],
    ['as a list', (_: string, deep: string) => deep],
    [
      'before a photo that does not end',
      (photo: string, deep: string) => `{"more":${deep},"imageData":"${photo}`,
    ],
  ])('brackets over brackets, %s: unread past what any other call may have', async (_, make) => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const answer = await api.call('POST', pathOf(dana), {
      token: dana.token,
      headers: { 'content-type': 'application/json' },
      body: make(dataUrl(bombPng(4, 4)), deep),
    });
    expect([answer.status, answer.body]).toEqual([413, { message: 'The request is too large.' }]);
  });

  test('many bombs at once, in flat memory', async () => {
    const imageData = dataUrl(bombPng(14_000, 14_000));
    const before = process.memoryUsage().rss;
    const answers = await Promise.all(Array.from({ length: 100 }, () => upload({ imageData })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]));
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});

test('texts of a photo that unpack to a thousand times their size are not unpacked', async () => {
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const imageData = dataUrl(pngWithTexts(png, 8, 50_000_000));
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  expect((await upload({ imageData })).status).toBe(200);
  clearInterval(watch);
  expect(most - before).toBeLessThan(64 * 1024 * 1024);
});

describe('an image is shown to its owner only', () => {
  const photo = sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } }).jpeg();

  // spec 7.73
  test('and for any other user, or under another record, it is not found', async () => {
    const { body } = await upload({ imageData: dataUrl(await photo.clone().toBuffer()) });
    expect((await show(body.id)).body).toEqual({
      id: body.id,
      imageData: expect.stringMatching(/^data:image\/jpeg;base64,/),
    });
    expect((await show(body.id.toUpperCase())).status).toBe(200);
    const missing = await show(randomUUID());
    expect([missing.status, missing.text]).toEqual([404, '{"message":"Not found."}']);
    for (const answer of [
      await show(body.id, lee),
      await show(body.id, lee, pathOf(lee, dana.tenantIds[0])),
      await show(body.id, dana, pathOf(dana, dana.tenantIds[1])),
      await show('1'),
      await show('..%2f..%2fetc'),
      await show(`${body.id},${body.id}`),
    ])
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    expect((await api.call('GET', `${pathOf(dana)}/${body.id}`)).status).toBe(401);
  });

  // asvs 3.2.1, 4.1.1, 5.4.1
  test('as an attachment that no browser sniffs, runs or caches', async () => {
    const { body } = await upload({
      imageData: dataUrl(await photo.clone().toBuffer()),
      file: '"; x="y.html',
    });
    expect((await show(body.id)).headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="image.json"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  test('none is added to another tenant’s record', async () => {
    const imageData = dataUrl(await photo.clone().toBuffer());
    expect((await upload({ imageData }, lee, pathOf(lee, dana.tenantIds[0]))).status).toBe(404);
    expect((await api.call('POST', pathOf(dana), { body: { imageData } })).status).toBe(401);
    expect(await rows()).toEqual([]);
  });
});

describe('20 photos a day', () => {
  // asvs 5.2.4
  test('is all that a tenant record may send, also when they come at once', async () => {
    const imageData = dataUrl(
      await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer(),
    );
    const answers = await Promise.all(Array.from({ length: 100 }, () => upload({ imageData })));
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([
      20, 80,
    ]);
    expect(await rows()).toHaveLength(20);
    expect(refused[0]!.body).toEqual({
      message: 'You can send 20 photos a day. Please try again tomorrow.',
    });
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(86_000);
    expect((await upload({ imageData }, dana, pathOf(dana, dana.tenantIds[1]))).status).toBe(200);
    await changeRows(api.owner, 'images', { created_at: fromNow(-24 * 3600_000) });
    expect((await upload({ imageData })).status).toBe(200);
  });
});

describe('files', () => {
  test('without an image are removed an hour later; those of images stay', async () => {
    const imageData = dataUrl(
      await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer(),
    );
    await upload({ imageData });
    const [kept] = await rows();
    const orphan = randomUUID();
    await api.ctx.files.put(orphan, Buffer.from('x'), 'image/jpeg');
    await removeUnkeptFiles(api.ctx, [kept!.file_key, orphan]);
    expect(await api.ctx.files.get(orphan)).toBeNull();
    expect(await api.ctx.files.get(kept!.file_key)).not.toBeNull();
    const jobs = await api.sql`
      SELECT extract(epoch FROM start_after - created_on)::int AS seconds FROM pgboss.job
      WHERE name = 'sweep-file' AND data ->> 'key' = ${kept!.file_key}`;
    expect(jobs).toEqual([{ seconds: 3600 }]);
  });

  test('of an unavailable store are a 503 with a sentence, and other calls go on (R26)', async () => {
    const photo = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const { body } = await upload({ imageData: dataUrl(photo) });
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'a file where the folder should be');
    const message = 'Photos cannot be stored or shown at the moment. Please try again later.';
    for (const answer of [await upload({ imageData: dataUrl(photo) }), await show(body.id)])
      expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([
        503,
        { message },
        '5',
      ]);
    expect(await rows()).toHaveLength(1);
    expect((await api.call('GET', dana.prefix, dana)).status).toBe(200);
    await rm(folder);
    await rename(`${folder}.away`, folder);
  });
});
