import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { StartFault } from '#errors/start-fault.ts';
import type { OnProgress } from './make.ts';
import { readManifest, type Content, type Manifest } from './manifest.ts';
import { meterFile } from './synced-files.ts';

/** A verified backup. `isUnderOurSecret`: its MAC matches the SECRET_KEY. */
export type Verified = {
  manifest: Manifest;
  isUnderOurSecret: boolean;
  rows: number;
  bytes: number;
};

type Reading = { secret: Buffer; signal: AbortSignal; onProgress: OnProgress };

/**
 * Reads a whole backup and compares it with its manifest: every byte of its tables, and the size of
 * each photo. Throws a StartFault that names the first file that is truncated, altered or missing.
 */
export async function verifyBackup(
  folder: string,
  { secret, signal, onProgress }: Reading,
): Promise<Verified> {
  const { manifest, isUnderOurSecret } = await readManifest(folder, secret);
  const files = contentsOf(manifest);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const onBytes = (bytes: number) =>
    onProgress('Bytes of the backup', { done: (done += bytes), total });
  for (const content of files) await verifyFile(folder, content, { signal, onBytes });
  if (manifest.photos.store === 'disk')
    await verifyPhotos(folder, manifest.photos.list, onProgress);
  return {
    manifest,
    isUnderOurSecret,
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    bytes: total,
  };
}

function contentsOf({ tables, jobs, photos }: Manifest): Content[] {
  return [...tables, jobs, ...(photos.store === 'disk' ? [photos.list] : [])];
}

async function verifyFile(
  folder: string,
  { file, bytes, sha256 }: Content,
  reading: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<void> {
  const found = await meterFile(join(folder, file), reading).catch((error: unknown) => {
    const { code, name } = error as NodeJS.ErrnoException;
    if (code === undefined || name === 'AbortError') throw error;
    throw new StartFault(
      `The file ${file} of the backup cannot be read (${code}): the backup is not whole.`,
    );
  });
  if (found.bytes < bytes)
    throw new StartFault(`The file ${file} of the backup is cut off: the backup is not whole.`);
  if (found.sha256 !== sha256)
    throw new StartFault(
      `The file ${file} of the backup is not as it was written: the backup cannot be trusted.`,
    );
}

async function verifyPhotos(folder: string, list: Content, onProgress: OnProgress): Promise<void> {
  let done = 0;
  for await (const { key, bytes } of readPhotoList(folder, list)) {
    const size = await stat(join(folder, 'photos', key)).then(
      (found) => found.size,
      () => -1,
    );
    if (size !== bytes)
      throw new StartFault(
        `The photo ${key} of the backup is ${size < 0 ? 'missing' : 'not in its size'}: the backup is not whole.`,
      );
    onProgress('Photos', { done: (done += 1), total: list.rows });
  }
}

/** The photos of a backup: the key of each, which is its name in `photos`, and its size. */
export async function* readPhotoList(
  folder: string,
  list: Content,
): AsyncGenerator<{ key: string; bytes: number }> {
  const lines = createInterface(createReadStream(join(folder, list.file)).pipe(createGunzip()));
  for await (const line of lines) {
    const [, key, bytes] = /^([0-9a-f-]{36})\t(\d+)$/.exec(line) ?? [];
    if (key === undefined) throw new Error('the list of photos has a line that is none of ours');
    yield { key, bytes: Number(bytes) };
  }
}
