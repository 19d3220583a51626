import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stderr, stdout } from 'node:process';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '#config.ts';
import type { Context } from '#context.ts';
import { missingMigrations, openOwnerDatabase, type Database } from '#db/database.ts';
import { findEmbedded, startEmbedded } from '#db/embedded.ts';
import { describeError, openContext } from '#start.ts';
import { StartFault } from '#start-fault.ts';

/** How a command ended: `PARKED` says that it did its work, but left something that a person must look at. */
export const exitCodes = { DONE: 0, FAULT: 1, USAGE: 2, PARKED: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const PREPARE = 'Start this version of the server once, which prepares it.';

/** Where a command writes: its result, line by line, and how far it is, which a redirected result is free of. */
export type Terminal = { line: (text: string) => void; progress: (of: string, progress: Progress) => void };
type Progress = { done: number; total: number };

/** Runs a command's work with everything that it stands on; in tests with what they made. */
export type Runner = (work: (ctx: Context, terminal: Terminal) => Promise<ExitCode>) => Promise<void>;

/**
 * Runs work on the database that DATABASE_URL names, or on the embedded one: beside the server that runs on the data folder,
 * else it is started for the command. Throws a StartFault for a database that is not up to date.
 */
export const runOnDatabase: Runner = async (work) => {
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel, serializers: { err: describeError } }, pino.destination(2));
  const closers: (() => Promise<unknown>)[] = [];
  const stopping = new AbortController();
  try {
    const url = config.databaseUrl ?? (await findEmbedded(config.dataDir)) ?? (await startOwn(config.dataDir, closers));
    await checkMigrations(url);
    const { ctx } = await openContext(config, url, log, closers, stopping.signal);
    process.exitCode = await work(ctx, terminal());
  } finally {
    stopping.abort();
    for (const close of closers.reverse()) await close();
  }
};

async function startOwn(dataDir: string, closers: (() => Promise<unknown>)[]): Promise<string> {
  if (!existsSync(join(dataDir, 'postgres')))
    throw new StartFault(`There is no database in ${dataDir} yet. ${PREPARE}`);
  const embedded = await startEmbedded({ dataDir, log: (line) => stderr.write(`${line}\n`) });
  closers.push(() => embedded.stop());
  return embedded.url;
}

async function checkMigrations(url: string): Promise<void> {
  const owner = openOwnerDatabase(url);
  try {
    if ((await isEmpty(owner)) || (await missingMigrations(owner)).length > 0)
      throw new StartFault(`The database is not up to date. ${PREPARE}`);
  } finally {
    await owner.destroy();
  }
}

async function isEmpty(db: Database): Promise<boolean> {
  const { rows } = await sql<{ isEmpty: boolean }>`SELECT to_regclass('kysely_migration') IS NULL AS "isEmpty"`.execute(
    db,
  );
  return rows[0]!.isEmpty;
}

/** Progress goes to a line that is written over, or to one every ten seconds where nobody watches. */
function terminal(): Terminal {
  let shown = 0;
  let begun = { of: '', at: 0 };
  return {
    line: (text) => stdout.write(`${text}\n`),
    progress(of, progress) {
      const now = Date.now();
      if (of !== begun.of) begun = { of, at: now };
      const isOver = progress.done >= progress.total;
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
