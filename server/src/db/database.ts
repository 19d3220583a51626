import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import pg from 'pg';
import { StartFault } from '#start-fault.ts';
import { Connection, WORK_ROLE, type Reach } from './connection.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
/** An open transaction: functions that must run inside one take this type alone. */
export type DatabaseTransaction = Transaction<Tables>;

// Dates stay text and bigints become numbers: cents and counts are safe integers (D1, D16).
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * A pool for every row, with the time limits of D10; `reaching` narrows it.
 * `onError` hears of idle connections that broke; without it a database restart would end the process (safety finding 6).
 */
export function openDatabase(url: string, onError: (error: Error) => void, connections = 10): Database {
  return connect(url, onError, {
    max: connections,
    options: [
      `role=${WORK_ROLE}`,
      'statement_timeout=5000',
      'lock_timeout=2000',
      'idle_in_transaction_session_timeout=10000',
      'timezone=UTC',
    ]
      .map((setting) => `-c ${setting}`)
      .join(' '),
  });
}

/** A single connection as the owner, who migrates and seeds. */
export function openOwnerDatabase(url: string): Database {
  return connect(url, () => {}, { max: 1, options: '-c timezone=UTC' });
}

type Settings = { max: number; options: string };

function connect(url: string, onError: (error: Error) => void, { max, options }: Settings): Database {
  const connectionString = withOptions(url, options);
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 5000, types, max, Client: Connection });
  pool.on('error', onError);
  // The pool hears of idle clients only; one that breaks between two statements would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  return onPool(pool, null);
}

const pools = new WeakMap<Database, pg.Pool>();

/** The same connections for statements that see and write one caller's rows alone, whatever they ask for (D35). */
export function reaching(db: Database, reach: NonNullable<Reach>): Database {
  const pool = pools.get(db);
  if (pool === undefined) throw new Error('only an opened database can be narrowed');
  return onPool(pool, reach);
}

function onPool(pool: pg.Pool, reach: Reach): Database {
  const lend = async () => {
    const connection = await pool.connect();
    if (!(connection instanceof Connection)) throw new Error('the pool makes other connections than ours');
    connection.serve(reach);
    return connection;
  };
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: lend, end: () => pool.end(), options: pool.options } }),
  });
  pools.set(db, pool);
  return db;
}

/** Ours come last and so win: the role and the limits hold whatever options the operator's URL has. */
function withOptions(url: string, options: string): string {
  if (!/^postgres(ql)?:/.test(url) || !URL.canParse(url))
    throw new StartFault('DATABASE_URL is no address of a database; it reads postgresql://user:password@host/name.');
  const full = new URL(url);
  full.searchParams.set('options', `${full.searchParams.get('options') ?? ''} ${options}`.trim());
  return full.href;
}

const migrationsFolder = fileURLToPath(new URL('./migrations/', import.meta.url));

/** Brings the tables up to this version; safe when several processes start at once. `owner` must own the database. */
export async function migrate(owner: Database): Promise<void> {
  const migrator = new Migrator({ db: owner, provider: { getMigrations: readMigrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('the database could not be migrated', { cause: error });
}

/** The names of the migrations that this version has and the database has not; empty when it may serve. */
export async function missingMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db);
  const done = new Set(rows.map((row) => row.name));
  return Object.keys(await readMigrations()).filter((name) => !done.has(name));
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(migrationsFolder + file, 'utf8');
      return [
        file.replace('.sql', ''),
        {
          up: (db: Kysely<unknown>) =>
            sql
              .raw(text)
              .execute(db)
              .then(() => {}),
        },
      ];
    }),
  );
  return Object.fromEntries(migrations) as Record<string, Migration>;
}

/**
 * Refuses a database that may forget what it acknowledged (D10) or that is older than the migrations need.
 * Throws a StartFault with the sentence to print.
 */
export async function checkDatabase(owner: Database): Promise<void> {
  const { rows } = await sql<{ fsync: string; commit: string; version: number }>`
    SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
      current_setting('server_version_num')::int AS version`.execute(owner);
  const { fsync, commit, version } = rows[0]!;
  if (version < 150000) throw new StartFault('The database is older than PostgreSQL 15; Gatehouse needs 15 or newer.');
  if (fsync === 'off' || commit === 'off')
    throw new StartFault(
      'The database runs with fsync or synchronous_commit off and could lose payments; turn both on.',
    );
}
