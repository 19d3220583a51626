import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDiskFiles } from './disk.ts';
import { FilesUnavailable } from './files.ts';
import { describeFileStore } from './store.contract.ts';

describeFileStore('disk', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
  const folder = join(parent, 'files');
  return {
    files: createDiskFiles(folder),
    another: () => Promise.resolve(createDiskFiles(folder)),
    async whileDown(work) {
      await rename(folder, `${folder}.away`);
      await writeFile(folder, 'a file where the folder should be');
      await work();
      await rm(folder);
      await rename(`${folder}.away`, folder);
    },
    close: () => rm(parent, { recursive: true, force: true }),
  };
});

// asvs 5.3.1
test('files on the disk are readable by their owner only, and no temporary file remains', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
  const files = createDiskFiles(join(folder, 'new', 'files'));
  const key = randomUUID();
  await files.put(key, Buffer.from('x'), 'image/jpeg');
  const inside = join(folder, 'new', 'files');
  expect(await readdir(inside)).toEqual([key]);
  expect((await stat(inside)).mode & 0o777).toBe(0o700);
  expect((await stat(join(inside, key))).mode & 0o777).toBe(0o600);
  await rm(folder, { recursive: true });
});

test('removing a key removes the temporary file that a crash left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
  const key = randomUUID();
  await writeFile(join(folder, `${key}.part`), 'half');
  const files = createDiskFiles(folder);
  expect(await files.get(key)).toBeNull();
  await files.remove(key);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

test.runIf(existsSync('/dev/full'))(
  'a full disk is a fault of the store and leaves nothing behind (R26)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
    const key = randomUUID();
    await symlink('/dev/full', join(folder, `${key}.part`));
    await expect(
      createDiskFiles(folder).put(key, Buffer.from('x'), 'image/jpeg'),
    ).rejects.toBeInstanceOf(FilesUnavailable);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  },
);
