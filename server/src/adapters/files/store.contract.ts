import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FilesUnavailable, type FileStore } from './files.ts';

/** A store under test, the same store opened by another process, and a way to make it fail. */
export type StoreUnderTest = {
  files: FileStore;
  another(): Promise<FileStore>;
  /** Runs the work while the store is unavailable. */
  whileDown(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** The tests that every file store passes (R26). */
export function describeFileStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the ${name} file store`, () => {
    let under: StoreUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    test.each([0, 1, 3_000_000])('returns the same %i bytes that were stored', async (length) => {
      const [key, bytes] = [randomUUID(), randomBytes(length)];
      await under.files.put(key, bytes, 'image/jpeg');
      expect((await under.files.get(key))?.equals(bytes)).toBe(true);
    });

    test('returns the file to another process on the same store', async () => {
      const [key, bytes] = [randomUUID(), randomBytes(100)];
      await under.files.put(key, bytes, 'image/webp');
      expect(await (await under.another()).get(key)).toEqual(bytes);
    });

    test('replaces the bytes of a key that is stored again', async () => {
      const key = randomUUID();
      await under.files.put(key, Buffer.from('first'), 'image/jpeg');
      await under.files.put(key, Buffer.from('second'), 'image/jpeg');
      expect((await under.files.get(key))?.toString()).toBe('second');
    });

    test('has nothing under an unknown key', async () => {
      expect(await under.files.get(randomUUID())).toBeNull();
    });

    test('has nothing under a removed key, and removes it again without an error', async () => {
      const [key, other] = [randomUUID(), randomUUID()];
      await under.files.put(key, Buffer.from('x'), 'image/jpeg');
      await under.files.put(other, Buffer.from('y'), 'image/jpeg');
      await under.files.remove(key);
      await under.files.remove(key);
      expect(await under.files.get(key)).toBeNull();
      expect((await under.files.get(other))?.toString()).toBe('y');
    });

    test('stores many at once, each under its own key', async () => {
      const files = Array.from({ length: 20 }, () => ({
        key: randomUUID(),
        bytes: randomBytes(5000),
      }));
      await Promise.all(files.map(({ key, bytes }) => under.files.put(key, bytes, 'image/jpeg')));
      for (const { key, bytes } of files) expect(await under.files.get(key)).toEqual(bytes);
    });

    // asvs 5.3.2
    test.each([
      '../../etc/passwd',
      '..',
      '/etc/passwd',
      'a/b',
      '',
      'photo.jpg',
      `${randomUUID()}/../x`,
      `${randomUUID()}\0`,
    ])('rejects a key that is a path: %j', async (key) => {
      await expect(under.files.put(key, Buffer.from('x'), 'image/jpeg')).rejects.toThrow(
        'a file key must be a UUID',
      );
      await expect(under.files.get(key)).rejects.toThrow('a file key must be a UUID');
      await expect(under.files.remove(key)).rejects.toThrow('a file key must be a UUID');
    });

    test('throws FilesUnavailable while it is down, and works again afterwards', async () => {
      const [key, bytes] = [randomUUID(), Buffer.from('x')];
      await under.files.put(key, bytes, 'image/jpeg');
      await under.whileDown(async () => {
        await expect(under.files.put(randomUUID(), bytes, 'image/jpeg')).rejects.toBeInstanceOf(
          FilesUnavailable,
        );
        await expect(under.files.get(key)).rejects.toBeInstanceOf(FilesUnavailable);
        await expect(under.files.remove(key)).rejects.toBeInstanceOf(FilesUnavailable);
      });
      expect(await under.files.get(key)).toEqual(bytes);
    });
  });
}
