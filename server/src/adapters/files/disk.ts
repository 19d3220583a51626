import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkKey, FilesUnavailable, type FileStore } from './files.ts';
import { writeWholeFile } from './whole-file.ts';

/**
 * Files in one folder, which the first write creates, named by their keys and readable by the
 * server's user only.
 */
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
        await writeWholeFile(path, asideOf(path), bytes);
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

/**
 * The temporary name of a file that is being written; a crash leaves it, and removing the key
 * removes it too.
 */
function asideOf(path: string): string {
  return `${path}.part`;
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
