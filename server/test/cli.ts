import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { expect, inject } from 'vitest';
import type { Runner } from '../src/cli/runner.ts';
import type { TestApp } from './app.ts';
import { childEnvironment } from './child-environment.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { databaseUrl } from './templates.ts';

/** Runs commands as a terminal would, on the app's database; each call returns the output. */
export function cliOf(api: () => TestApp, commandOf: (run: Runner) => Command) {
  return async (...args: string[]): Promise<string> => {
    const printed: string[] = [];
    const command = commandOf(async (work) => {
      expect(await work(api().ctx, { line: (text) => printed.push(text), progress: () => {} })).toBe(0);
    });
    const quiet = { writeErr: () => {}, writeOut: () => {} };
    for (const each of [command, ...command.commands]) each.exitOverride().configureOutput(quiet);
    await command.parseAsync(args, { from: 'user' });
    return printed.join('\n');
  };
}

/** Starts commands as processes of their own, with these settings beside the keys and folder of the tests. */
export function startCliOf(api: () => TestApp) {
  return (settings: Record<string, string>, ...args: string[]) => {
    const main = join(import.meta.dirname, '../src/cli/main.ts');
    const DATA_DIR = `${api().ctx.config.dataDir}/cli`;
    const env = { ...childEnvironment, DATA_KEYS: TEST_DATA_KEYS, DATA_DIR, ...settings };
    return spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
}

/** How such a process ended, and what it wrote to standard output (`out`) and standard error (`said`). */
export async function endOf(child: ReturnType<ReturnType<typeof startCliOf>>) {
  let out = '';
  let said = '';
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, said };
}

/** The DATABASE_URL of the app's database. */
export async function urlOf({ owner }: TestApp): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(owner);
  return databaseUrl(inject('clusterUrl'), rows[0]!.name);
}

/** The process of the app's database that waits for the table of ledgers; throws while there is none. */
export async function waitingForLedgers({ ctx }: TestApp): Promise<number> {
  // The tables of every test's database have the same ids.
  const { rows } = await sql<{ pid: number }>`
    SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
    WHERE NOT l.granted AND l.relation = 'ledgers'::regclass`.execute(ctx.db);
  expect(rows).toHaveLength(1);
  return rows[0]!.pid;
}
