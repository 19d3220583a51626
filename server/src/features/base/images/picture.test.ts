import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { pngWithTexts } from '#test/photos.ts';
import { pictureOf } from './picture.ts';

const red = { create: { width: 4, height: 4, channels: 3, background: 'red' } } as const;

describe('only the parts of a file that its first picture needs reach the decoder', () => {
  test('a PNG loses its texts and what follows its end, and keeps its colours and orientation', async () => {
    const plain = await sharp(red).withMetadata({ orientation: 6 }).png().toBuffer();
    const given = Buffer.concat([pngWithTexts(plain, 2, 1000), Buffer.from('<html>')]);
    const kept = pictureOf(given, 'image/png');
    for (const lost of ['zTXt', 'html'])
      expect([given.includes(lost), kept.includes(lost)]).toEqual([true, false]);
    expect(await sharp(kept).metadata()).toMatchObject({ orientation: 6, icc: expect.any(Buffer) });
    expect(await sharp(kept).raw().toBuffer()).toEqual(await sharp(given).raw().toBuffer());
  });

  test('a WebP animation loses all but its first picture', async () => {
    const pictures = await Promise.all(
      ['red', 'blue', 'lime'].map((background) =>
        sharp({ create: { ...red.create, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = await sharp(pictures, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer();
    expect((await sharp(animation).metadata()).pages).toBe(3);
    const first = pictureOf(animation, 'image/webp');
    expect((await sharp(first, { animated: true }).metadata()).pages ?? 1).toBe(1);
    expect(await sharp(first).raw().toBuffer()).toEqual(await sharp(animation).raw().toBuffer());
  });

  test('any other file is unchanged', async () => {
    for (const [type, bytes] of [
      ['image/webp', await sharp(red).webp().toBuffer()],
      ['image/jpeg', await sharp(red).jpeg().toBuffer()],
      ['image/gif', await sharp(red).gif().toBuffer()],
    ] as const)
      expect(pictureOf(bytes, type), type).toBe(bytes);
  });

  test.each(['image/png', 'image/webp'])(
    'a %s that ends anywhere is read to there',
    async (type) => {
      const whole = await sharp(red)
        .toFormat(type === 'image/png' ? 'png' : 'webp')
        .toBuffer();
      for (let bytes = 12; bytes < whole.length; bytes += 1)
        expect(pictureOf(whole.subarray(0, bytes), type).length).toBeLessThanOrEqual(bytes);
    },
  );
});
