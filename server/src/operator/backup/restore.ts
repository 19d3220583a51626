import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Config } from '#config/config.ts';
import { batchesById } from '#db/batches.ts';
import { allMigrations, migrate, openOwnerDatabase, type Database } from '#db/database.ts';
import { verifyAuditTrail } from '#features/base/audit/chain.ts';
import { migrateQueue } from '#jobs/queue.ts';
import { putBackJobs } from '#jobs/waiting-jobs.ts';
import { checkUsable } from '#app/prepare.ts';
import { StartFault } from '#errors/start-fault.ts';
import {
  BrokenSeal,
  keyId,
  openVault,
  SEAL,
  sealedColumns,
  type SealedColumn,
} from '#crypto/vault.ts';
import type { OnProgress } from './make.ts';
import { checkKeys, type Manifest } from './manifest.ts';
import {
  connectAsOwner,
  filledByMigrations,
  hangUp,
  readMigrationNames,
  readTables,
  type StoredTable,
} from './stored.ts';
import { readLines, syncFolder } from './synced-files.ts';
import { readPhotoList, verifyBackup } from './verify.ts';

type Settings = {
  url: string;
  config: Config;
  folder: string;
  /** Accepts a backup that was made under another SECRET_KEY, which is lost. */
  takesOtherSecret: boolean;
  /** Checks everything and writes nothing. */
  isDry: boolean;
  signal: AbortSignal;
  onProgress: OnProgress;
};

/** The result of a restore; `faults` are sentences about faults from before the backup was made. */
export type Restored = {
  madeAt: string;
  rows: number;
  jobs: number;
  photos: number;
  faults: string[];
};

/**
 * Restores a backup into a database without data, in one transaction. First the whole backup is
 * compared with its manifest, and the keys with those it was sealed under; before the commit, row
 * counts, references and all sealed values are checked. A backup of an earlier version is restored
 * into that version's tables; the server's next start migrates them. Throws a StartFault for a
 * backup that is damaged, foreign or newer, for missing keys, and for a database with data.
 */
export async function restoreBackup(settings: Settings): Promise<Restored> {
  const { url, config, folder, takesOtherSecret, signal, onProgress } = settings;
  const { manifest, isUnderOurSecret, rows } = await verifyBackup(folder, {
    secret: config.secret,
    signal,
    onProgress,
  });
  checkKeys(manifest, config);
  if (!isUnderOurSecret && !takesOtherSecret)
    throw new StartFault(
      `The backup was made under the SECRET_KEY with the id ${manifest.keys.secret}, and this one has the id ${keyId(config.secret, 'secret')}. Give the right one; where it is lost, --other-secret takes the backup all the same.`,
    );
  await checkVersion(manifest);
  checkPhotoStore(manifest, config);
  const owner = openOwnerDatabase(url);
  try {
    const client = await reach(owner, url);
    try {
      const faults = await restoreInto(owner, client, manifest, settings);
      await client.end();
      const restored = {
        madeAt: manifest.madeAt,
        rows,
        jobs: manifest.jobs.rows,
        photos: photosOf(manifest),
      };
      return { ...restored, faults: [...faults, ...missingOf(manifest)] };
    } catch (error) {
      hangUp(client);
      throw faultOf(error) ?? error;
    }
  } finally {
    await owner.destroy();
  }
}

/** Returns sentences about faults from before the backup was made. */
async function restoreInto(
  owner: Database,
  client: pg.Client,
  manifest: Manifest,
  settings: Settings,
): Promise<string[]> {
  // The lock of the server's preparation: a server that starts meanwhile waits, and finds a
  // database with data.
  await client.query("SELECT pg_advisory_lock(hashtext('gatehouse prepares'))");
  const isNew = await isWithoutTables(client);
  if (!isNew) await checkFits(client, manifest);
  if (settings.isDry) return [];
  if (isNew) {
    await migrate(owner, { last: manifest.migrations.at(-1) });
    await migrateQueue(owner);
  }
  const broken = await inTransaction(client, () => load(owner, client, manifest, settings));
  await client.query('ANALYZE');
  const { fault } = await verifyAuditTrail(owner);
  return fault === null ? broken : [...broken, `The audit trail: ${fault}`];
}

async function reach(owner: Database, url: string): Promise<pg.Client> {
  await checkUsable(owner);
  return connectAsOwner(url);
}

/** The backup's migrations must be a prefix of ours. */
async function checkVersion({ migrations, version, madeAt }: Manifest): Promise<void> {
  const ours = await allMigrations();
  const unknown = migrations.filter((name) => !ours.includes(name));
  if (unknown.length > 0)
    throw new StartFault(
      `The backup of ${madeAt} was made by a newer version of Gatehouse or another one (${version}): this one does not know the migration ${unknown[0]!}. Restore it with that version.`,
    );
  const missing = ours.slice(0, migrations.length).find((name) => !migrations.includes(name));
  if (missing !== undefined)
    throw new StartFault(
      `The backup of ${madeAt} comes from another Gatehouse: it lacks the migration ${missing}.`,
    );
}

function checkPhotoStore({ photos }: Manifest, { files }: Config): void {
  if (photos.store === 'disk' && files.kind !== 'disk' && photos.list.rows > 0)
    throw new StartFault(
      'The photos of the backup lie in it as files: restore it with FILES=disk.',
    );
  if (photos.store === 's3' && photos.rows > 0) {
    const isSame =
      files.kind === 's3' && files.bucket === photos.bucket && files.prefix === photos.prefix;
    if (!isSame)
      throw new StartFault(
        `The photos of the backup lie in the bucket ${photos.bucket} under ${photos.prefix || 'no prefix'}: set FILES to it.`,
      );
  }
}

async function isWithoutTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isEmpty: boolean }>(
    `SELECT to_regclass('public.kysely_migration') IS NULL AND to_regclass('pgboss.version') IS NULL AS "isEmpty"`,
  );
  return rows[0]!.isEmpty;
}

/** A migrated database must have exactly the backup's migrations, and no data. */
async function checkFits(client: pg.Client, manifest: Manifest): Promise<void> {
  await checkWithoutData(client, await readTables(client));
  const names = await readMigrationNames(client);
  if (names.join() !== manifest.migrations.join())
    throw new StartFault(
      'The database is migrated to another point than the backup: give a new, empty database, and the restore migrates it.',
    );
}

async function checkWithoutData(client: pg.Client, tables: StoredTable[]): Promise<void> {
  for (const { name } of tables) {
    if (filledByMigrations.has(name)) continue;
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`);
    if (rowCount !== 0)
      throw new StartFault(
        `The database holds data already (in ${name}): a backup is restored into an empty database alone. Rename it and make a new one in its place, or name a new one in DATABASE_URL.`,
      );
  }
}

/** An error rolls it back, because the connection is closed then. */
async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  const done = await work();
  await client.query('COMMIT');
  return done;
}

async function load(
  owner: Database,
  client: pg.Client,
  manifest: Manifest,
  settings: Settings,
): Promise<string[]> {
  const tables = await readTables(client);
  checkShape(tables, manifest);
  await client.query(`SET LOCAL maintenance_work_mem = '256MB'`);
  await client.query(
    `LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN ACCESS EXCLUSIVE MODE`,
  );
  await checkWithoutData(client, tables);
  const references = await dropReferences(client);
  // COPY is not allowed under forced row-level security, and triggers would record the restored
  // rows as new.
  for (const { name, isForced, hasTriggers } of tables) {
    if (isForced) await client.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
    if (hasTriggers) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    if (filledByMigrations.has(name)) await client.query(`DELETE FROM ${name}`);
  }
  await fill(client, manifest, settings);
  for (const { table, name, definition } of references)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const { name, last, isCalled } of manifest.sequences)
    await client.query('SELECT setval($1::regclass, $2, $3)', [name, last, isCalled]);
  const broken = await openSeals(client, manifest, settings);
  await restoreJobs(owner, client, manifest, settings.folder);
  for (const { name, isForced, hasTriggers } of tables) {
    if (hasTriggers) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    if (isForced) await client.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
  }
  // Before the rows exist, so that no row is ever without its file.
  await restorePhotos(manifest, settings);
  settings.signal.throwIfAborted();
  return broken;
}

function checkShape(tables: StoredTable[], manifest: Manifest): void {
  const shapeOf = (list: { name: string; columns: string[] }[]) =>
    list.map(({ name, columns }) => `${name}(${[...columns].sort().join()})`).sort();
  const [theirs, ours] = [shapeOf(manifest.tables), shapeOf(tables)];
  const other =
    theirs.find((shape) => !ours.includes(shape)) ?? ours.find((shape) => !theirs.includes(shape));
  if (other !== undefined)
    throw new StartFault(
      `The backup has other tables than this version at its migration: see ${other}.`,
    );
}

type Reference = { table: string; name: string; definition: string };

/** References are checked at the end, because tables refer to each other in cycles. */
async function dropReferences(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(c.oid) AS definition
    FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace
    WHERE n.nspname IN ('public', 'sandbox_gateway') AND contype = 'f' AND conparentid = 0`);
  for (const { table, name } of rows)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}

async function fill(
  client: pg.Client,
  { tables }: Manifest,
  { folder, signal, onProgress }: Settings,
): Promise<void> {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const { name, columns, file, rows } of tables) {
    const into = client.query(copyFrom(`COPY ${name} (${columns.join(', ')}) FROM STDIN`));
    const onRows = (lines: number) => onProgress('Rows', { done: done + lines, total });
    const lines = await readLines(join(folder, file), into, { signal, onRows });
    if (lines !== rows || into.rowCount !== rows)
      throw new StartFault(
        `${name} has ${lines} rows in the backup and should have ${rows}: it cannot be trusted.`,
      );
    done += rows;
  }
}

const SEALS_AT_ONCE = 5000;

/**
 * Opens every sealed value. Throws a StartFault where a key is missing; returns sentences about
 * damaged values.
 */
async function openSeals(
  client: pg.Client,
  { tables }: Manifest,
  { config, onProgress }: Settings,
): Promise<string[]> {
  const vault = openVault(config.dataKeys);
  const known = new Set(config.dataKeys.map((key) => keyId(key)));
  const sentences: string[] = [];
  for (const column of Object.keys(sealedColumns) as SealedColumn[]) {
    const { table, column: name, row } = sealedColumns[column];
    let broken = 0;
    let checked = 0;
    const total = tables.find((each) => each.name === `public.${table}`)?.rows ?? 0;
    for await (const { id, value } of readSealed(client, column)) {
      onProgress(`Sealed values of ${table}`, { done: (checked += 1), total });
      if (!known.has(value.slice(SEAL.length).split(':')[0]!))
        throw new StartFault(
          `A sealed value in ${table}.${name} needs a key that DATA_KEYS does not have.`,
        );
      try {
        vault.open(column, id, value);
      } catch (error) {
        if (!(error instanceof BrokenSeal)) throw error;
        broken += 1;
      }
    }
    if (broken > 0)
      sentences.push(
        `${broken} sealed values of ${table}.${name} (by ${row}) were changed or moved.`,
      );
  }
  return sentences;
}

async function* readSealed(
  client: pg.Client,
  column: SealedColumn,
): AsyncGenerator<{ id: string; value: string }> {
  const { table, column: name, row } = sealedColumns[column];
  const batches = batchesById(
    async (after) => {
      const { rows } = await client.query<{ id: string; value: string }>(
        `SELECT ${row}::text AS id, ${name} AS value FROM public.${table} WHERE ${name} <> '' AND ${row} > $1
         ORDER BY ${row} LIMIT ${SEALS_AT_ONCE}`,
        [after],
      );
      return rows;
    },
    ({ id }) => id,
  );
  for await (const rows of batches) yield* rows;
}

const JOBS_AT_ONCE = 1000;

async function restoreJobs(
  owner: Database,
  client: pg.Client,
  { jobs }: Manifest,
  folder: string,
): Promise<void> {
  const lines = createInterface(createReadStream(join(folder, jobs.file)).pipe(createGunzip()));
  let batch: unknown[] = [];
  for await (const line of lines) {
    // COPY doubles the backslashes of a text.
    batch.push(JSON.parse(line.replaceAll('\\\\', '\\')));
    if (batch.length < JOBS_AT_ONCE) continue;
    await putBackJobs(owner, client, batch);
    batch = [];
  }
  if (batch.length > 0) await putBackJobs(owner, client, batch);
}

async function restorePhotos(
  manifest: Manifest,
  { folder, config, onProgress }: Settings,
): Promise<void> {
  if (manifest.photos.store !== 'disk' || manifest.photos.list.rows === 0) return;
  const { list } = manifest.photos;
  const into = join(config.dataDir, 'files');
  await mkdir(into, { recursive: true, mode: 0o700 });
  let done = 0;
  for await (const { key, bytes } of readPhotoList(folder, list)) {
    const path = join(into, key);
    const size = await stat(path).then(
      (found) => found.size,
      () => -1,
    );
    if (size !== bytes) {
      await copyFile(join(folder, 'photos', key), path);
      const file = await open(path, 'r+');
      await file.chmod(0o600);
      await file.sync();
      await file.close();
    }
    onProgress('Photos', { done: (done += 1), total: list.rows });
  }
  await syncFolder(into);
}

function photosOf({ photos }: Manifest): number {
  return photos.store === 'disk' ? photos.list.rows : photos.rows;
}

function missingOf({ photos }: Manifest): string[] {
  if (photos.store !== 'disk' || photos.missing.length === 0) return [];
  return [`${photos.missing.length} photos were missing when the backup was made.`];
}

function faultOf(error: unknown): StartFault | null {
  const { code, message } = error as { code?: string; message: string };
  if (code === '53100' || code === 'ENOSPC' || code === 'EDQUOT')
    return new StartFault(
      'The disk is full: nothing was restored. Free some space and restore again.',
    );
  if (code === '55P03')
    return new StartFault(
      'Something else uses the database: stop the servers on it and restore again.',
    );
  if (code === '42501')
    return new StartFault(`The role of DATABASE_URL may not do that: ${message}.`);
  // A row that violates a constraint, which is possible only in a backup altered together with its
  // manifest.
  if (code !== undefined && /^(22|23)/.test(code))
    return new StartFault(
      `The backup holds rows that the tables refuse (${message}): nothing was restored.`,
    );
  return null;
}
