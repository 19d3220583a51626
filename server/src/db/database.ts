import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type Transaction,
} from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import pg from 'pg';
import { StartFault } from '#errors/start-fault.ts';
import { FairQueue } from '#sharing/fair-queue.ts';
import { ReachDriver, type Caller, type SharedPool } from './driver.ts';
import { WORK_ROLE, type Reach, type Recheck } from './reach.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
/** An open transaction: functions that must run inside one take only this type. */
export type DatabaseTransaction = Transaction<Tables>;

/** Works in the transaction given, or in one of its own. */
export function inTransaction<Answer>(
  db: Database,
  work: (trx: DatabaseTransaction) => Promise<Answer>,
): Promise<Answer> {
  return isTransaction(db) ? work(db) : db.transaction().execute(work);
}

function isTransaction(db: Database): db is DatabaseTransaction {
  return db.isTransaction;
}

// Dates stay text and bigints become numbers: cents and counts are safe integers.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * How long, in milliseconds, a call may wait for a connection, a statement may run and wait for a
 * lock, a transaction may idle, and an answer may take.
 */
export type TimeLimits = {
  connectMs: number;
  statementMs: number;
  lockMs: number;
  idleMs: number;
  /**
   * Ends what PostgreSQL does not end within the others: a commit that waits for a lost standby,
   * and a server that disappeared.
   */
  answerMs: number;
};

/** The limits of a serving process. */
export const TIME_LIMITS: TimeLimits = {
  connectMs: 5_000,
  statementMs: 5_000,
  lockMs: 2_000,
  idleMs: 10_000,
  answerMs: 15_000,
};

/**
 * A pool for every row; `reaching` narrows it. `onError` gets errors of idle connections, which
 * would otherwise end the process (safety finding 6).
 */
export function openDatabase(
  url: string,
  onError: (error: Error) => void,
  { connections = 10, limits = TIME_LIMITS }: { connections?: number; limits?: TimeLimits } = {},
): Database {
  return connect(url, onError, {
    max: connections,
    options: servingOptions(limits),
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.answerMs,
  });
}

function servingOptions({ statementMs, lockMs, idleMs }: TimeLimits): string {
  return [
    `role=${WORK_ROLE}`,
    `statement_timeout=${statementMs}`,
    `lock_timeout=${lockMs}`,
    `idle_in_transaction_session_timeout=${idleMs}`,
    // Compiling takes longer than the server's statements do.
    'jit=off',
    'timezone=UTC',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ');
}

/** A single connection as the owner, for migrations and seeds. */
export function openOwnerDatabase(url: string, connectMs = TIME_LIMITS.connectMs): Database {
  const options = '-c timezone=UTC';
  return connect(url, () => {}, { max: 1, options, connectionTimeoutMillis: connectMs });
}

type Settings = Pick<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout'> & {
  max: number;
  options: string;
};

function connect(url: string, onError: (error: Error) => void, settings: Settings): Database {
  const pool = makePool(url, onError, settings);
  const users = new FairQueue({ each: Math.ceil(pool.options.max / 3) });
  return onPool({ pool, users }, { reach: null, recheck: null });
}

/** How long a connection is used. */
const LIFETIME_SECONDS = 3600;

function makePool(url: string, onError: (error: Error) => void, settings: Settings): pg.Pool {
  const { options, ...rest } = settings;
  const pool = new pg.Pool({
    connectionString: withOptions(url, options),
    types,
    pipeline: true,
    // What a session has prepared ends with it.
    maxLifetimeSeconds: LIFETIME_SECONDS,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it
    onConnect: expectPrimary,
    ...rest,
  });
  pool.on('error', onError);
  // The pool handles errors of idle connections only; an error between two statements would end the
  // process.
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/**
 * After a failover an address may lead for a moment to the former primary, or to a standby, whose
 * data may be stale.
 */
async function expectPrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>(
    'SELECT pg_is_in_recovery() AS "isStandby"',
  );
  if (rows[0]!.isStandby)
    throw Object.assign(new Error('The server is a standby, which takes no writes'), {
      code: '25006',
    });
}

const opened = new WeakMap<Database, { shared: SharedPool; caller: Caller }>();

/**
 * The same pool for statements that see and write only one caller's rows, whatever the query; a
 * member of staff sees those of the own facilities and writes none. Every row with null: for the
 * verbs of staff. Each write is checked by `recheck`, or that of `db`, before its commit, and fails
 * with its refusal.
 */
export function reaching(db: Database, reach: Reach, recheck?: Recheck): Database {
  const { shared, caller } = openedOf(db);
  return onPool(shared, { reach, recheck: recheck ?? caller.recheck });
}

/**
 * The same for transactions that end the caller's own session or change the own account, which a
 * check before the commit would find ended: each is checked by its first statement, under the lock
 * that ending takes. `lock` is a statement that takes a lock which comes before that one.
 */
export function checkedFirst(db: Database, lock?: string): Database {
  const one = opened.get(db);
  if (!one?.caller.recheck) return db;
  return onPool(one.shared, { ...one.caller, first: { lock } });
}

/**
 * The same without a check, for what must be written although the caller's session has ended
 * meanwhile: what follows a charge or refund that was sent, and taking back what the same request
 * has claimed.
 */
export function unchecked(db: Database): Database {
  const one = opened.get(db);
  return one?.caller.recheck ? onPool(one.shared, { ...one.caller, recheck: null }) : db;
}

/** The number of connections in use and idle, and of waiting requests. */
export function connectionsOf(db: Database): { used: number; idle: number; waiting: number } {
  const { pool } = openedOf(db).shared;
  return {
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  };
}

function openedOf(db: Database): { shared: SharedPool; caller: Caller } {
  const one = opened.get(db);
  if (one === undefined) throw new Error('only an opened database has connections');
  return one;
}

function onPool(shared: SharedPool, caller: Caller): Database {
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new ReachDriver(shared, caller),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (one) => new PostgresIntrospector(one),
    },
  });
  opened.set(db, { shared, caller });
  return db;
}

/** Our options come last and so override those of the operator's URL: the role and the limits. */
function withOptions(url: string, options: string): string {
  if (!/^postgres(ql)?:/.test(url) || !URL.canParse(url))
    throw new StartFault(
      'DATABASE_URL is no address of a database; it reads postgresql://user:password@host/name.',
    );
  const full = new URL(url);
  full.searchParams.set('options', `${full.searchParams.get('options') ?? ''} ${options}`.trim());
  return full.href;
}

/** Where the migrations are. */
export const migrationsFolder = fileURLToPath(new URL('./migrations/', import.meta.url));

/**
 * The names of migrations that build indexes concurrently, each statement outside of a transaction.
 */
const CONCURRENT = /_concurrently$/;
const TURN_MS = 200;
/**
 * How long a migration waits for a table lock at a time: less than the calls behind it wait.
 */
const LOCK_MS = 1000;

/**
 * Waits for the advisory lock of migrations, which ends with the connection of `owner`. Polls,
 * because a concurrent index build would wait for a statement that is blocked on the lock.
 */
export async function takeTurn(owner: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isOurs: boolean }>`
      SELECT pg_try_advisory_lock(hashtext('gatehouse prepares')) AS "isOurs"`.execute(owner);
    if (rows[0]!.isOurs) return;
    await pause(TURN_MS);
  }
}

/**
 * Migrates the tables to this version, or to the migration `last` of it, each migration in its own
 * transaction. `owner` must own the database, use one connection and hold the lock. Concurrent
 * migrations must be repeatable, because a kill leaves them half done. `folder` has the migrations,
 * for tests of ones to come.
 */
export async function migrate(
  owner: Database,
  { last, folder = migrationsFolder }: { last?: string | undefined; folder?: string } = {},
): Promise<void> {
  // As at nearly every start: Kysely would read the columns of all tables to find the same.
  if (last === undefined && (await isMigrated(owner, folder))) return;
  const provider = { getMigrations: () => readMigrations(folder) };
  const migrator = (disableTransactions: boolean) =>
    new Migrator({ db: owner, provider, disableTransactions });
  const all = (await migrator(false).getMigrations()).filter(
    ({ name }) => last === undefined || name <= last,
  );
  const missing = all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
  // Without a missing migration, still checks for a database of a newer version.
  for (const to of missing.length === 0 ? [all.at(-1)!.name] : missing) {
    const isConcurrent = CONCURRENT.test(to);
    // The version before still serves, and its statements queue behind a table lock that waits.
    await sql.raw(`SET lock_timeout = ${isConcurrent ? 0 : LOCK_MS}`).execute(owner);
    for (;;) {
      const { error } = await migrator(isConcurrent).migrateTo(to);
      if (error === undefined) break;
      if (!isLockConflict(error))
        throw new Error('the database could not be migrated', { cause: error });
      await pause(TURN_MS);
    }
  }
  await sql`SET lock_timeout = 0`.execute(owner);
}

/**
 * Whether a migration met another transaction's lock for too long, or a deadlock; nothing of it is
 * done.
 */
function isLockConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');
}

/** Whether no migration has run in the database yet. */
export async function isUnmigrated(db: Database): Promise<boolean> {
  const { rows } = await sql<{ isUnmigrated: boolean }>`
    SELECT to_regclass('kysely_migration') IS NULL AS "isUnmigrated"`.execute(db);
  return rows[0]!.isUnmigrated;
}

/** Whether exactly these migrations have run. */
async function isMigrated(owner: Database, folder: string): Promise<boolean> {
  if (await isUnmigrated(owner)) return false;
  return isDeepStrictEqual(await doneMigrations(owner), await allMigrations(folder));
}

/** The names of the migrations of this version that the database lacks; empty when it may serve. */
export async function missingMigrations(db: Database): Promise<string[]> {
  const done = new Set(await doneMigrations(db));
  return (await allMigrations()).filter((name) => !done.has(name));
}

/** The names of the migrations that have run in the database, in order. */
async function doneMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}

/** The names of all migrations of this version, in order. */
export async function allMigrations(folder = migrationsFolder): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace('.sql', ''))
    .toSorted();
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const migrations = await Promise.all(
    (await allMigrations(folder)).map(async (name) => {
      const text = await readFile(join(folder, `${name}.sql`), 'utf8');
      // Several statements in one text run in a transaction.
      const parts = CONCURRENT.test(name)
        ? text.split(/;\s*$/m).filter((part) => part.trim() !== '')
        : [text];
      const up = async (db: Kysely<unknown>) => {
        for (const part of parts) await sql.raw(part).execute(db);
      };
      return [name, { up }];
    }),
  );
  return Object.fromEntries(migrations) as Record<string, Migration>;
}

/**
 * Refuses a database that may lose acknowledged commits or that is older than the migrations
 * need. Throws a StartFault with the sentences to print.
 */
export async function checkDatabase(owner: Database): Promise<void> {
  const { rows } = await sql<{ fsync: string; pages: string; commit: string; version: number }>`
    SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
      current_setting('synchronous_commit') AS commit, current_setting('server_version_num')::int AS version`.execute(
    owner,
  );
  const { fsync, pages, commit, version } = rows[0]!;
  const faults: string[] = [];
  if (version < 150000)
    faults.push('The database is older than PostgreSQL 15; Gatehouse needs 15 or newer.');
  if (fsync === 'off' || commit === 'off')
    faults.push(
      'The database runs with fsync or synchronous_commit off and could lose payments; turn both on.',
    );
  if (pages === 'off')
    faults.push(
      'The database runs with full_page_writes off and could be damaged by a power cut; turn it on.',
    );
  const type = await findAsciiType(owner);
  if (type !== null) faults.push(asciiTypeSentence(type));
  if (faults.length > 0) throw new StartFault(faults.join(' '));
}

/**
 * The character type of a database that folds no letters but those of ASCII, in which JOSÉ is found
 * by no other spelling; null for one that knows them all.
 */
export async function findAsciiType(db: Database): Promise<string | null> {
  const { rows } = await sql<{ type: string; isWhole: boolean }>`
    SELECT datctype AS type, getdatabaseencoding() = 'UTF8' AND lower(U&'\\00C9') = U&'\\00E9' AS "isWhole"
    FROM pg_database WHERE datname = current_database()`.execute(db);
  const { type, isWhole } = rows[0]!;
  return isWhole ? null : type;
}

/** The sentence about it at the start and by the doctor. */
export function asciiTypeSentence(type: string): string {
  return `The character type of the database is ${type}, which is not UTF-8: JOSÉ is not found by José. Make the database with ENCODING 'UTF8' and a LC_CTYPE such as en_US.UTF-8 or C.UTF-8.`;
}

/**
 * Refuses a pooler that drops the startup options of connections: without the role only the queries
 * would separate tenants, and without the time limits a lock could block for ever. Throws a
 * StartFault with the sentence to print.
 */
export async function checkServing(db: Database): Promise<void> {
  const { rows } = await sql<{ role: string; patience: string }>`
    SELECT current_user::text AS role, current_setting('lock_timeout') AS patience`.execute(db);
  const { role, patience } = rows[0]!;
  if (role !== WORK_ROLE || patience !== '2s')
    throw new StartFault(
      'The database’s connections do not keep the role and time limits that they begin with; a pooler in between, such as PgBouncer in its transaction mode, must be in its session mode and pass start-up options on.',
    );
}
