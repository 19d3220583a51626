import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from './child-environment.ts';
import { testClockShift } from './test-day.ts';

/** The server as `npm start` runs it, in its own process. */
export type ServerProcess = { process: ChildProcess; url: string; metricsUrl: string };

const main = join(import.meta.dirname, '../src/main.ts');

function spawnServer(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [main], {
    env: {
      ...childEnvironment,
      PORT: '0',
      METRICS_PORT: '0',
      SHED_LOAD: 'off',
      LOG_LEVEL: 'silent',
      // The live profile has the machine's time.
      ...(env['PROFILE'] !== 'live' && { CLOCK_SHIFT_MS: String(testClockShift()) }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts it and waits until it is ready. */
export async function startServer(env: Record<string, string>): Promise<ServerProcess> {
  const child = spawnServer(env);
  let errors = '';
  child.stderr?.on('data', (part: Buffer) => (errors += part.toString()));
  let metricsUrl = '';
  for await (const line of createInterface(child.stdout!)) {
    metricsUrl = /^Metrics for the operator: (\S+)$/.exec(line)?.[1] ?? metricsUrl;
    const url = /^Gatehouse (?:is ready|works on its jobs): (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { process: child, url, metricsUrl };
  }
  throw new Error(`the server ended before it was ready: ${errors}`);
}

/** Starts it where the start fails: returns its exit code and output. */
export async function refuseToStart(
  env: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const child = spawnServer(env);
  let said = '';
  child.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  child.stdout?.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

/** Stops it and waits until it has ended; returns its exit code. */
export async function endServer(
  { process: child }: ServerProcess,
  signal: 'SIGTERM' | 'SIGKILL' | 'SIGHUP',
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await ended)[0];
}
