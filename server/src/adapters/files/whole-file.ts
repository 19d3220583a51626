import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file atomically and durably; only the server's user can read it. The new content is
 * written to a temporary file in the same folder; the next write replaces one that a crash left.
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

/** Without this, a power failure could undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
