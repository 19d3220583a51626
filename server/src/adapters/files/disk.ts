import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkKey, FilesUnavailable, type FileStore } from './files.ts';

/** Files in a folder of their own, which is made at the first one: its owner's alone, named by their keys. */
export function createDiskFiles(folder: string): FileStore {
  const pathOf = (key: string) => {
    checkKey(key);
    return join(folder, key);
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await orUnavailable(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeAside(asideOf(path), bytes);
        await rename(asideOf(path), path);
        await syncFolder(folder);
      });
    },

    async get(key) {
      const path = pathOf(key);
      return orUnavailable(() => readFile(path).catch(nullIfMissing));
    },

    async remove(key) {
      const path = pathOf(key);
      await orUnavailable(async () => {
        await rm(asideOf(path), { force: true });
        await rm(path, { force: true });
      });
    },
  };
}

/** A file being written: a crash leaves it, and removing its key removes it too. */
function asideOf(path: string): string {
  return `${path}.part`;
}

async function writeAside(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Else a power cut could take the new name back after its row was committed. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new FilesUnavailable('the folder of the files cannot be used', { cause: error });
  }
}
