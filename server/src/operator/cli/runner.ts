import { stderr, stdout } from 'node:process';
import { pino, type Logger } from 'pino';
import { clockOf, type Clock } from '#adapters/clock.ts';
import { readConfig, type Config } from '#config/config.ts';
import { dataDirOf, isDatabaseGiven, noDatabaseFault } from '#config/data-folder.ts';
import { checkEnvironment } from '#config/environment-faults.ts';
import type { Context } from '#context/context.ts';
import { isUnmigrated, missingMigrations, openOwnerDatabase, type Database } from '#db/database.ts';
import { findEmbedded, startEmbedded } from '#db/embedded.ts';
import { checkSeals } from '#db/seal.ts';
import { openLog } from '#telemetry/log.ts';
import { checkUsable } from '#app/prepare.ts';
import { openContext } from '#app/start.ts';
import { StartFault } from '#errors/start-fault.ts';
import { openVault, type Vault } from '#crypto/vault.ts';

/**
 * How a command ended: `PARKED` says that it did its work, but left something that a person must
 * look at; `STOPPED` that a signal ended it before it was through.
 */
export const exitCodes = { DONE: 0, FAULT: 1, USAGE: 2, PARKED: 3, STOPPED: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const PREPARE = 'Start this version of the server once, which prepares it.';

/**
 * Where a command writes: its result, line by line, and how far it is, which a redirected result is
 * free of.
 */
export type Terminal = {
  line: (text: string) => void;
  progress: (of: string, progress: Progress) => void;
};
type Progress = { done: number; total: number };

/**
 * Runs a command's work with its dependencies; in tests with what they made. `again` says in the
 * imperative how a command that was stopped is run again.
 */
export type Runner = (
  work: (ctx: Context, terminal: Terminal) => Promise<ExitCode>,
  options?: { again?: string },
) => Promise<void>;

/**
 * Runs work on the database that DATABASE_URL names, or on the embedded one: along with the server
 * that runs on the data folder, else it is started for the command. SIGINT and SIGTERM end it in
 * order, as if it had been killed there; a second one at once. Throws a StartFault for a database
 * that cannot be used, is not up to date, or was sealed under other keys.
 */
export const runOnDatabase: Runner = (work, options) =>
  runPrepared(async ({ config, url, log, closers, stopping }) => {
    const { ctx } = await openContext(config, url, log, closers, stopping);
    return (terminal) => work(ctx, terminal);
  }, options);

/**
 * The dependencies of an owner's work: the database as its owner, one connection without time
 * limits, and how it seals.
 */
export type OwnerContext = {
  db: Database;
  config: Config;
  vault: Vault;
  clock: Clock;
  log: Logger;
};

/**
 * Runs work that only the owner of the tables may do, such as making tenants; else as
 * `runOnDatabase`.
 */
export type OwnerRunner = (
  work: (context: OwnerContext, terminal: Terminal) => Promise<ExitCode>,
) => Promise<void>;

/** The same as the database's owner. */
export const runAsOwner: OwnerRunner = (work) =>
  runPrepared(({ config, url, log, closers }) => {
    const db = openOwnerDatabase(url);
    // Stopped, it would wait for its statement; the database undoes that one once the process is
    // gone.
    closers.push(async () => process.exitCode !== exitCodes.STOPPED && db.destroy());
    const clock = clockOf(config);
    return (terminal) =>
      work({ db, config, vault: openVault(config.dataKeys), clock, log }, terminal);
  });

type Work = (terminal: Terminal) => Promise<ExitCode>;
type Prepared = {
  config: Config;
  url: string;
  log: Logger;
  closers: (() => Promise<unknown>)[];
  stopping: AbortSignal;
};

async function runPrepared(
  begin: (prepared: Prepared) => Work | Promise<Work>,
  { again = 'run it again for the rest' }: { again?: string } = {},
): Promise<void> {
  const config = readConfigOfDatabase();
  const log = openLog(config.logLevel, pino.destination(2));
  const closers: (() => Promise<unknown>)[] = [];
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const url = await openUrl(config, closers);
    await checkPrepared(url, config);
    const work = await begin({ config, url, log, closers, stopping: stopping.signal });
    process.exitCode = await unlessStopped(() => work(terminal()), stopping.signal);
    if (process.exitCode === exitCodes.STOPPED) {
      // What is still under way fails as its connections end.
      log.level = 'silent';
      stderr.write(`Stopped. What was done stays done; ${again}.\n`);
    }
  } finally {
    stopping.abort();
    for (const close of closers.reverse()) await close();
  }
  // A call of the gateway would be waited for: what becomes of it the server looks up.
  if (process.exitCode === exitCodes.STOPPED) process.exit();
}

/** The context of a command for a whole database: its owner's URL, and when to stop. */
export type WholeScene = { config: Config; url: string; signal: AbortSignal };

/** Runs a command's work on a whole database, as its owner; in tests with what they made. */
export type WholeRunner = (
  work: (scene: WholeScene, terminal: Terminal) => Promise<ExitCode>,
  options?: WholeOptions,
) => Promise<void>;
/**
 * `prepared`: up to date, which is the rule; `new`: it may be empty, and the embedded one is made
 * where there is none; `none`: the work asks none, and gets no URL.
 */
type WholeOptions = { database?: 'prepared' | 'new' | 'none' };

/**
 * Runs work as the owner of the database that DATABASE_URL names, or of the embedded one. SIGINT
 * and SIGTERM abort `signal`, and the work undoes what is half done. Throws a StartFault for a
 * database that cannot be used, or is not up to date where it must be.
 */
export const runOnWhole: WholeRunner = async (work, { database = 'prepared' } = {}) => {
  const config = database === 'prepared' ? readConfigOfDatabase() : readConfig(process.env);
  const closers: (() => Promise<unknown>)[] = [];
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const url = database === 'none' ? '' : await openUrl(config, closers);
    if (database === 'prepared') await checkPrepared(url, config);
    process.exitCode = await work({ config, url, signal: stopping.signal }, terminal());
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    stderr.write('Stopped: nothing is left half done.\n');
    process.exitCode = exitCodes.STOPPED;
  } finally {
    for (const close of closers.reverse()) await close();
  }
};

/** The settings where there is a database; where there is none, nothing is made either. */
function readConfigOfDatabase(): Config {
  const { faults, given } = checkEnvironment(process.env);
  if (faults.length === 0 && !isDatabaseGiven(given))
    throw noDatabaseFault(dataDirOf(given.DATA_DIR));
  return readConfig(process.env);
}

/** How the work ended; STOPPED on a signal, without waiting for the work. */
async function unlessStopped(
  work: () => Promise<ExitCode>,
  stopping: AbortSignal,
): Promise<ExitCode> {
  if (stopping.aborted) return exitCodes.STOPPED;
  const { promise: stopped, resolve } = Promise.withResolvers<ExitCode>();
  stopping.addEventListener('abort', () => resolve(exitCodes.STOPPED), { once: true });
  return Promise.race([work(), stopped]);
}

async function openUrl(config: Config, closers: (() => Promise<unknown>)[]): Promise<string> {
  return (
    config.databaseUrl ??
    (await findEmbedded(config.dataDir)) ??
    (await startOwn(config.dataDir, closers))
  );
}

async function startOwn(dataDir: string, closers: (() => Promise<unknown>)[]): Promise<string> {
  const embedded = await startEmbedded({ dataDir, log: (line) => stderr.write(`${line}\n`) });
  closers.push(() => embedded.stop());
  return embedded.url;
}

async function checkPrepared(url: string, config: Config): Promise<void> {
  const owner = openOwnerDatabase(url);
  try {
    await checkUsable(owner);
    if ((await isUnmigrated(owner)) || (await missingMigrations(owner)).length > 0)
      throw new StartFault(`The database is not up to date. ${PREPARE}`);
    await checkSeals(owner, openVault(config.dataKeys));
  } finally {
    await owner.destroy();
  }
}

/**
 * Progress is one line that is overwritten, or a line every ten seconds if there is no terminal.
 */
function terminal(): Terminal {
  let shown = stderr.isTTY ? 0 : Date.now();
  let begun = { of: '', at: 0 };
  return {
    line: (text) => stdout.write(`${text}\n`),
    progress(of, progress) {
      const now = Date.now();
      if (of !== begun.of) begun = { of, at: now };
      const isOver = progress.done >= progress.total;
      if (progress.total === 0) return;
      if (now - shown < (stderr.isTTY ? 200 : 10_000) && !(isOver && stderr.isTTY)) return;
      shown = now;
      const text = `${of}: ${progressText(progress, (now - begun.at) / 1000)}`;
      stderr.write(stderr.isTTY ? `\r\x1b[K${text}${isOver ? '\n' : ''}` : `${text}\n`);
    },
  };
}

/** Such as `12,000 of 100,000, 1,850 a second, 48 s left`. */
export function progressText({ done, total }: Progress, seconds: number): string {
  const number = (value: number) => Math.round(value).toLocaleString('en-US');
  const counted = `${number(done)} of ${number(total)}`;
  if (done === 0 || seconds <= 0 || done >= total) return counted;
  const rate = done / seconds;
  return `${counted}, ${number(rate)} a second, ${number(Math.ceil((total - done) / rate))} s left`;
}
