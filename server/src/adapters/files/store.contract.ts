import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FilesUnavailable, type FileStore } from './files.ts';

/** A store under test, the same store as another process sees it, and a way to make it fail. */
export type StoreUnderTest = {
  files: FileStore;
  another(): Promise<FileStore>;
  /** Runs the work while the store cannot be used. */
  whileDown(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** The tests that every file store passes (design section 3, adapters; R26). */
export function describeFileStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the ${name} file store`, () => {
    let under: StoreUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    test.each([0, 1, 3_000_000])('gives back the very %i bytes that it keeps', async (length) => {
      const [key, bytes] = [randomUUID(), randomBytes(length)];
      await under.files.put(key, bytes, 'image/jpeg');
      expect((await under.files.get(key))?.equals(bytes)).toBe(true);
    });

    test('shows a file to another process on the same store', async () => {
      const [key, bytes] = [randomUUID(), randomBytes(100)];
      await under.files.put(key, bytes, 'image/webp');
      expect(await (await under.another()).get(key)).toEqual(bytes);
    });

    test('keeps the newer bytes of a key that is put again', async () => {
      const key = randomUUID();
      await under.files.put(key, Buffer.from('first'), 'image/jpeg');
      await under.files.put(key, Buffer.from('second'), 'image/jpeg');
      expect((await under.files.get(key))?.toString()).toBe('second');
    });

    test('has nothing under a key that was never put', async () => {
      expect(await under.files.get(randomUUID())).toBeNull();
    });

    test('has nothing under a key that was removed, and removes it again without a fault', async () => {
      const [key, other] = [randomUUID(), randomUUID()];
      await under.files.put(key, Buffer.from('x'), 'image/jpeg');
      await under.files.put(other, Buffer.from('y'), 'image/jpeg');
      await under.files.remove(key);
      await under.files.remove(key);
      expect(await under.files.get(key)).toBeNull();
      expect((await under.files.get(other))?.toString()).toBe('y');
    });

    test('keeps many at once, each under its own key', async () => {
      const files = Array.from({ length: 20 }, () => ({ key: randomUUID(), bytes: randomBytes(5000) }));
      await Promise.all(files.map(({ key, bytes }) => under.files.put(key, bytes, 'image/jpeg')));
      for (const { key, bytes } of files) expect(await under.files.get(key)).toEqual(bytes);
    });

    test.each([
      '../../etc/passwd',
      '..',
      '/etc/passwd',
      'a/b',
      '',
      'photo.jpg',
      `${randomUUID()}/../x`,
      `${randomUUID()}\0`,
    ])('takes no path for a key: %j', async (key) => {
      await expect(under.files.put(key, Buffer.from('x'), 'image/jpeg')).rejects.toThrow('a file key must be a UUID');
      await expect(under.files.get(key)).rejects.toThrow('a file key must be a UUID');
      await expect(under.files.remove(key)).rejects.toThrow('a file key must be a UUID');
    });

    test('says so when it cannot be used, and works again afterwards', async () => {
      const [key, bytes] = [randomUUID(), Buffer.from('x')];
      await under.files.put(key, bytes, 'image/jpeg');
      await under.whileDown(async () => {
        await expect(under.files.put(randomUUID(), bytes, 'image/jpeg')).rejects.toBeInstanceOf(FilesUnavailable);
        await expect(under.files.get(key)).rejects.toBeInstanceOf(FilesUnavailable);
        await expect(under.files.remove(key)).rejects.toBeInstanceOf(FilesUnavailable);
      });
      expect(await under.files.get(key)).toEqual(bytes);
    });
  });
}
