import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Config } from '#config/config.ts';
import { batchesById } from '#db/batches.ts';
import { WAITING_JOBS } from '#jobs/waiting-jobs.ts';
import { StartFault } from '#errors/start-fault.ts';
import { keyId } from '#crypto/vault.ts';
import { VERSION } from '#config/version.ts';
import { MANIFEST_FORMAT, writeManifest, type Content, type Manifest } from './manifest.ts';
import {
  connectAsOwner,
  findHidden,
  hangUp,
  readMigrationNames,
  readSealIds,
  readSequences,
  readTables,
  type StoredTable,
} from './stored.ts';
import { syncFolder, writeLines } from './synced-files.ts';

/** The progress of a long task. */
export type OnProgress = (of: string, progress: { done: number; total: number }) => void;

type Settings = {
  url: string;
  config: Config;
  folder: string;
  signal: AbortSignal;
  onProgress: OnProgress;
};

/** A finished backup; `missing` are photos whose row exists and whose file does not. */
export type Made = { path: string; rows: number; bytes: number; photos: number; missing: string[] };

/** The content of a backup, by the database's own estimate, and the free space of its folder. */
export type Planned = {
  tables: number;
  rows: number;
  databaseBytes: number;
  photos: number;
  freeBytes: number;
};

const NAME = /^gatehouse-\d{8}T\d{6}Z$/;
const UNFINISHED = /^gatehouse-\d{8}T\d{6}Z\.part$/;
const DAY_MS = 86_400_000;

/**
 * Makes a backup as a new folder in `folder`: a snapshot of every table, the unfinished jobs, the
 * values of the sequences, and the photos of a disk. The folder gets its name once it is complete
 * and synced. Nothing is locked, and servers go on. Throws a StartFault that the operator can fix.
 */
export async function makeBackup({
  url,
  config,
  folder,
  signal,
  onProgress,
}: Settings): Promise<Made> {
  const parent = resolve(folder);
  const client = await connectAsOwner(url);
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await removeUnfinished(parent);
    const at = new Date();
    const path = join(parent, nameOf(at));
    const part = `${path}.part`;
    await mkdir(join(part, 'tables'), { recursive: true, mode: 0o700 });
    try {
      const made = await write(client, part, at, { config, signal, onProgress });
      await rename(part, path);
      await syncFolder(parent);
      await client.query(
        'INSERT INTO public.backups (made_at, place, rows, bytes) VALUES ($1, $2, $3, $4)',
        [at, path, made.rows, made.bytes],
      );
      await client.end();
      return { path, ...made };
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    hangUp(client);
    throw faultOf(error, parent) ?? error;
  }
}

/** Estimates a backup; writes nothing. */
export async function planBackup({
  url,
  config,
  folder,
}: Omit<Settings, 'signal' | 'onProgress'>): Promise<Planned> {
  const client = await connectAsOwner(url);
  try {
    const { rows } = await client.query<Omit<Planned, 'photos' | 'freeBytes'>>(`
      SELECT count(*)::int AS tables, coalesce(sum(greatest(c.reltuples, 0)), 0)::float AS rows,
        coalesce(sum(pg_table_size(c.oid)), 0)::float AS "databaseBytes"
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('public', 'sandbox_gateway') AND c.relkind = 'r' AND c.relname NOT LIKE 'kysely\\_migration%'`);
    const photos = config.files.kind === 's3' ? 0 : await countPhotos(client);
    const { bavail, bsize } = await statfs(await nearestFolder(resolve(folder)));
    return { ...rows[0]!, photos, freeBytes: bavail * bsize };
  } finally {
    await client.end();
  }
}

/**
 * Removes all finished backups in a folder but the newest `keep`; returns the names of the removed
 * ones. Throws a StartFault for one that cannot be removed.
 */
export async function forgetBackups(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old)
    await rm(join(folder, name), { recursive: true }).catch((error: unknown) => {
      const { code = 'unknown fault' } = error as NodeJS.ErrnoException;
      throw new StartFault(
        `The new backup is made, but the old one ${name} cannot be removed (${code}).`,
      );
    });
  return old;
}

async function write(
  client: pg.Client,
  part: string,
  at: Date,
  { config, signal, onProgress }: Pick<Settings, 'config' | 'signal' | 'onProgress'>,
): Promise<Omit<Made, 'path'>> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const hidden = await findHidden(client);
  if (hidden.length > 0)
    throw new StartFault(
      `The role of DATABASE_URL does not see every row of ${hidden.join(', ')}; give the one that owns the tables.`,
    );
  const tables = await readTables(client);
  const total = await estimate(client);
  let done = 0;
  const written = {
    signal,
    onRows: (rows: number) => onProgress('Rows', { done: done + rows, total }),
  };
  const contents: Manifest['tables'] = [];
  for (const table of tables) {
    const content = await writeTable(client, table, part, written);
    contents.push({ name: table.name, columns: table.columns, ...content });
    done += content.rows;
  }
  const jobs = await writeQuery(client, WAITING_JOBS, part, 'jobs.gz', { signal });
  const photos = await writePhotos(client, part, { config, signal, onProgress });
  const manifest: Manifest = {
    product: 'gatehouse',
    format: MANIFEST_FORMAT,
    version: VERSION,
    madeAt: at.toISOString(),
    migrations: await readMigrationNames(client),
    keys: { data: await readSealIds(client), secret: keyId(config.secret, 'secret') },
    tables: contents,
    jobs,
    sequences: await readSequences(client),
    photos,
  };
  await client.query('COMMIT');
  if (photos.store === 'disk') photos.missing = await stillKept(client, photos.missing);
  await syncFolder(join(part, 'tables'));
  await writeManifest(part, manifest, config.secret);
  await syncFolder(part);
  onProgress('Rows', { done: total, total });
  const files = [...contents, jobs];
  return {
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    photos: photos.store === 'disk' ? photos.list.rows : 0,
    missing: photos.store === 'disk' ? photos.missing : [],
  };
}

type Writing = Parameters<typeof writeLines>[2];

function writeTable(
  client: pg.Client,
  { name, columns }: StoredTable,
  part: string,
  writing: Writing,
) {
  const query = `SELECT ${columns.join(', ')} FROM ${name}`;
  return writeQuery(client, query, part, `tables/${name}.gz`, writing);
}

async function writeQuery(
  client: pg.Client,
  query: string,
  part: string,
  file: string,
  writing: Writing,
) {
  const lines = client.query(copyTo(`COPY (${query}) TO STDOUT`));
  return { file, ...(await writeLines(lines, join(part, file), writing)) } satisfies Content;
}

/** Stored photos never change, so a hard link is a copy; on another disk they are copied. */
async function writePhotos(
  client: pg.Client,
  part: string,
  { config, signal, onProgress }: Pick<Settings, 'config' | 'signal' | 'onProgress'>,
): Promise<Manifest['photos']> {
  const total = await countPhotos(client);
  if (config.files.kind === 's3') {
    const { bucket, prefix } = config.files;
    return { store: 's3', bucket, prefix, rows: total };
  }
  const from = join(config.dataDir, 'files');
  const folder = join(part, 'photos');
  await mkdir(folder, { mode: 0o700 });
  const missing: string[] = [];
  let done = 0;
  async function* listed(): AsyncGenerator<string> {
    for await (const { key, bytes } of readPhotos(client)) {
      onProgress('Photos', { done: (done += 1), total });
      if (await keepPhoto(join(from, key), join(folder, key))) yield `${key}\t${bytes}\n`;
      else missing.push(key);
    }
  }
  const list = await writeLines(Readable.from(listed()), join(part, 'photos.gz'), { signal });
  await syncFolder(folder);
  return { store: 'disk', list: { file: 'photos.gz', ...list }, missing };
}

/** Returns false where there is no such file. */
async function keepPhoto(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    // Another disk, or one without hard links or at their limit.
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'EMLINK' && code !== 'ENOTSUP')
      throw error;
  }
  await copyFile(from, to, constants.COPYFILE_EXCL);
  const file = await open(to, 'r');
  await file.sync();
  await file.close();
  return true;
}

const PHOTOS_AT_ONCE = 1000;

async function* readPhotos(client: pg.Client): AsyncGenerator<{ key: string; bytes: string }> {
  const batches = batchesById(
    async (after) => {
      const { rows } = await client.query<{ key: string; bytes: string }>(
        'SELECT file_key::text AS key, bytes::text FROM public.kept_files WHERE file_key > $1 ORDER BY file_key LIMIT $2',
        [after, PHOTOS_AT_ONCE],
      );
      return rows;
    },
    ({ key }) => key,
  );
  for await (const rows of batches) yield* rows;
}

async function countPhotos(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM public.kept_files',
  );
  return rows[0]!.count;
}

/**
 * The missing photos whose row still exists: the others were deleted meanwhile under the retention
 * rules.
 */
async function stillKept(client: pg.Client, keys: string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    'SELECT file_key::text AS key FROM public.kept_files WHERE file_key = ANY($1::uuid[]) ORDER BY 1',
    [keys],
  );
  return rows.map(({ key }) => key);
}

async function estimate(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(`
    SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::float AS rows FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('public', 'sandbox_gateway') AND c.relkind = 'r'`);
  return rows[0]!.rows;
}

/** Such as gatehouse-20261121T214826Z: the names sort by time. */
function nameOf(at: Date): string {
  return `gatehouse-${at.toISOString().replace(/[-:]|\.\d+/g, '')}`;
}

/** The folders that killed backups left; one in progress is younger. */
async function removeUnfinished(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!UNFINISHED.test(name)) continue;
    const { mtimeMs } = await stat(join(parent, name));
    if (Date.now() - mtimeMs > DAY_MS)
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function nearestFolder(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || path === '/' ? path : nearestFolder(join(path, '..'));
}

function faultOf(error: unknown, folder: string): StartFault | null {
  const { code } = error as { code?: string };
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartFault(
      `The disk of ${folder} is full: there is no new backup. Free some space and make it again.`,
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new StartFault(
      `The folder ${folder} cannot be written by this user (${code}): there is no new backup.`,
    );
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new StartFault(`${folder} is no folder that a backup can be made in (${code}).`);
  if (code === '42501')
    return new StartFault('The role of DATABASE_URL may not read every table; give their owner.');
  return null;
}
