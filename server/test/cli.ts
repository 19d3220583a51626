import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, inject, vi } from 'vitest';
import { testClockShift } from './test-day.ts';
import { databaseCommands } from '../src/operator/cli/commands.ts';
import type { ExitCode, Terminal } from '../src/operator/cli/runner.ts';
import type { TestApp } from './app.ts';
import { childEnvironment } from './child-environment.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { patience } from './patience.ts';
import { databaseUrl } from './templates.ts';

/** Runs a command of a subject as a terminal would: its lines, how it ended and how far it was. */
export async function runCli(api: Pick<TestApp, 'ctx' | 'owner'>, subject: string, args: string[]) {
  const lines: string[] = [];
  const progress: unknown[] = [];
  let code: ExitCode | undefined;
  const log = pino({ level: 'silent' });
  const terminal: Terminal = {
    line: (text) => lines.push(text),
    progress: (...said) => progress.push(said),
  };
  const commands = databaseCommands(
    async (work) => {
      code = await work(api.ctx, terminal);
    },
    async (work) => {
      code = await work({ ...api.ctx, db: api.owner, log }, terminal);
    },
  );
  const command = commands.find((one) => one.name() === subject)!;
  silence(command);
  await command.parseAsync(args, { from: 'user' });
  return { lines, code, progress };
}

function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  command.commands.forEach(silence);
}

/** The commands of a subject on the app's database; each call succeeds and returns the output. */
export function cliOf(api: TestApp, subject: string) {
  return async (...args: string[]): Promise<string> => {
    const { lines, code } = await runCli(api, subject, args);
    expect(code).toBe(0);
    return lines.join('\n');
  };
}

/** The words of a long command, as a terminal splits them; each value is a word of its own. */
export function words(texts: TemplateStringsArray, ...values: string[]): string[] {
  return texts.flatMap((text, index) => [
    ...text.split(/\s+/).filter((word) => word !== ''),
    ...values.slice(index, index + 1),
  ]);
}

/**
 * Starts commands as processes of their own, with these settings along with the keys and folder of
 * the tests.
 */
export function startCliOf(api: () => TestApp) {
  return (settings: Record<string, string>, ...args: string[]) => {
    const main = join(import.meta.dirname, '../src/operator/cli/main.ts');
    const DATA_DIR = `${api().ctx.config.dataDir}/cli`;
    const env = {
      ...childEnvironment,
      DATA_KEYS: TEST_DATA_KEYS,
      DATA_DIR,
      CLOCK_SHIFT_MS: String(testClockShift()),
      ...settings,
    };
    return spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
}

/**
 * Interrupts a command while it waits for the table of ledgers, locked here, and answers how
 * it ended. One whose wait came to its limit first is started again.
 */
export async function interruptAtWork(
  api: TestApp,
  start: () => ReturnType<ReturnType<typeof startCliOf>>,
) {
  return api.owner.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ledgers IN ACCESS EXCLUSIVE MODE`.execute(trx);
    for (;;) {
      const child = start();
      const ended = endOf(child);
      await Promise.race([ended, vi.waitFor(() => expectWaiting(api), patience)]);
      child.kill('SIGINT');
      const end = await ended;
      if (end.code !== 1) return { ...end, signal: child.signalCode };
    }
  });
}

/**
 * How such a process ended, and what it wrote to standard output (`out`) and standard error
 * (`said`).
 */
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

/** Passes once a process of the app's database waits for the table of ledgers. */
async function expectWaiting({ ctx }: TestApp): Promise<void> {
  // The tables of every test's database have the same ids.
  const { rows } = await sql`
    SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
    WHERE NOT l.granted AND l.relation = 'ledgers'::regclass`.execute(ctx.db);
  expect(rows).toHaveLength(1);
}
