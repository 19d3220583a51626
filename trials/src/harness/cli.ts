import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@gatehouse/server/test/child-environment.ts';
import { testClockShift } from '@gatehouse/server/test/test-day.ts';
import { keys } from './world.ts';

const cliMain = fileURLToPath(import.meta.resolve('@gatehouse/server/src/operator/cli/main.ts'));

/** How a command ended and what it said. */
export type CliEnd = { code: number | null; out: string; err: string; seconds: number };

/** Runs a command as an operator does, in a child process, with the keys of the proofs. */
export async function runCli(args: string[], env: Record<string, string>): Promise<CliEnd> {
  const begun = performance.now();
  const child = spawn(process.execPath, [cliMain, ...args], {
    env: {
      ...childEnvironment,
      ...keys,
      CLOCK_SHIFT_MS: String(testClockShift()),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (err += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err, seconds: (performance.now() - begun) / 1000 };
}
