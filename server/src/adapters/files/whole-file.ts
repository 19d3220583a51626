import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that is whole whenever it is read, and outlives a power cut once this returns; our user's alone. It is
 * written aside in the same folder, where a crash may leave it and the next write replaces it.
 */
export async function writeWholeFile(path: string, aside: string, bytes: Buffer): Promise<void> {
  await writeAside(aside, bytes);
  await rename(aside, path);
  await syncFolder(dirname(path));
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

/** Else a power cut could take the new name back. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
