import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@gatehouse/server/test/child-environment.ts';
import { WIDE_LIMITS } from '@gatehouse/server/test/wide-limits.ts';
import type { FailpointName } from '@gatehouse/server/src/config/failpoints.ts';
import { testClockShift } from '@gatehouse/server/test/test-day.ts';
import { keys } from './world.ts';

/** A server process as `npm start` runs it. */
export type AppProcess = {
  child: ChildProcess;
  pid: number;
  /** Where it serves, once `ready` has resolved. */
  address: string;
  /** The operator's port, with metrics. */
  operatorAddress: string;
  /** Resolves true when it serves, and false when it ended before that. */
  ready: Promise<boolean>;
  /** Resolves when its process is gone. */
  gone: Promise<void>;
  isReady: boolean;
  isGone: boolean;
  /** How it ended; null while it runs, and where a signal ended it. */
  exitCode: number | null;
  /** Kills it with SIGKILL. */
  kill(): void;
  /** Stops it gracefully and waits for its end. */
  stop(): Promise<void>;
};

/** Settings of the servers, which have the clock of the run. */
export type AppSettings = {
  /** Without it the server starts an embedded PostgreSQL in the folder, with the demo data. */
  databaseUrl: string | undefined;
  /** Without it the gateway is the sandbox. */
  simulatorUrl?: string;
  folder: string;
  /**
   * The log file in the folder; without it the output is discarded, and both ports must be given.
   */
  logName?: string;
  failpoint?: FailpointName;
  /** The ports, where they must be certain ones. */
  port?: number;
  operatorPort?: number;
  /** Further settings, such as LIMITS. */
  env?: Record<string, string> | undefined;
};

const serverMain = fileURLToPath(import.meta.resolve('@gatehouse/server/src/main.ts'));
const logs = new Map<string, WriteStream>();

/** The settings of a server that a proxy passes requests on to, with the host it listens on. */
export const BEHIND_PROXY = {
  TRUSTED_HOPS: '1',
  ALLOW_SANDBOX: '1',
  PUBLIC_URL: 'http://127.0.0.1',
};

export function startApp(settings: AppSettings): AppProcess {
  const { databaseUrl, simulatorUrl, folder, failpoint, env } = settings;
  const { port = 0, operatorPort = 0 } = settings;
  const log = logOf(settings);
  const output = log === null ? 'ignore' : 'pipe';
  const child = fork(serverMain, {
    serialization: 'advanced',
    env: {
      ...childEnvironment,
      PORT: String(port),
      METRICS_PORT: String(operatorPort),
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      PAYMENTS: simulatorUrl,
      ...keys,
      LIMITS: WIDE_LIMITS,
      // As in every documented way to start it (docs/protection.md).
      MALLOC_ARENA_MAX: '2',
      // The machine is busy with other work too.
      SHED_LOAD: 'off',
      CLOCK_SHIFT_MS: String(testClockShift()),
      ...env,
      ...(failpoint !== undefined && { FAILPOINT: failpoint }),
    },
    stdio: ['ignore', output, log === null ? 'inherit' : 'pipe', 'ipc'],
  });
  if (log !== null) child.stderr!.pipe(log, { end: false });
  const app: AppProcess = {
    child,
    pid: child.pid!, // a process that could not be started has none, and then nothing here continues
    address: `http://127.0.0.1:${port}`,
    operatorAddress: `http://127.0.0.1:${operatorPort}`,
    isReady: false,
    isGone: false,
    exitCode: null,
    ready: Promise.resolve(false),
    gone: once(child, 'exit').then(() => {
      app.isGone = true;
      app.exitCode = child.exitCode;
      app.isReady = false;
    }),
    kill: () => child.kill('SIGKILL'),
    async stop() {
      child.kill('SIGTERM');
      await app.gone;
    },
  };
  app.ready = Promise.race([
    log === null ? answers(app) : serves(child, app, log),
    app.gone.then(() => false),
  ]);
  return app;
}

/** The log file of the servers. */
export function appLogOf({ folder, logName = '' }: AppSettings): string {
  return join(folder, logName);
}

function logOf(settings: AppSettings): WriteStream | null {
  if (settings.logName === undefined) return null;
  const path = appLogOf(settings);
  const log = logs.get(path) ?? createWriteStream(path, { flags: 'a' });
  log.setMaxListeners(0);
  logs.set(path, log);
  return log;
}

function serves(child: ChildProcess, app: AppProcess, log: WriteStream): Promise<boolean> {
  return new Promise((resolve) => {
    createInterface(child.stdout!).on('line', (line) => {
      const operator = /^Metrics for the operator: (\S+)\/metrics$/.exec(line)?.[1];
      if (operator !== undefined) app.operatorAddress = operator.replace('localhost', '127.0.0.1');
      const url = /^Gatehouse (?:is ready|works on its jobs): (\S+)$/.exec(line)?.[1];
      if (url !== undefined) {
        app.address = url.replace('localhost', '127.0.0.1');
        app.isReady = true;
        resolve(true);
      } else if (line.startsWith('{')) log.write(`${line}\n`);
    });
  });
}

/** Asks until it is ready, where its output is not read. */
async function answers(app: AppProcess): Promise<boolean> {
  const isReady = () =>
    fetch(`${app.address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!app.isGone && !(await isReady())) await delay(100);
  app.isReady = !app.isGone;
  return app.isReady;
}
