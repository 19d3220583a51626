import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startApp, type AppProcess } from '../harness/app-process.ts';
import { freePort } from '../harness/free-port.ts';
import type { ByHandOrder } from './by-hand.ts';
import { postgresSeconds } from './processor.ts';

/** A server in a child process. */
export type Server = {
  address: string;
  pid: number;
  /** Seconds of processor time that its process has used. */
  cpuSeconds(): Promise<number>;
  /** Those of the PostgreSQL behind it; NaN where the system does not say. */
  databaseSeconds(): Promise<number>;
  stop(): Promise<void>;
};

/**
 * A bench asks for all that a process can do: that it turns the rest away is another question
 * (R20).
 */
const TO_THE_LIMIT = { SHED_LOAD: 'off' };

type Options = { duty?: 'all' | 'app'; inspector?: number };

/**
 * The real server: the process that `npm start` runs, on the bench's database; one of `duty` app
 * works no job. A profiler can attach to the port `inspector`.
 */
export async function startReal(url: string, dataDir: string, options?: Options): Promise<Server> {
  return serverOf(await startMeasured(url, dataDir, options), dataDir);
}

/** The real server with an embedded database in `dataDir` and the demo data. */
export async function startDemo(dataDir: string): Promise<Server> {
  return serverOf(await startMeasured(undefined, dataDir), dataDir);
}

/** Its output is not read: that would cost the bench time. */
async function startMeasured(
  url: string | undefined,
  dataDir: string,
  { duty = 'all', inspector }: Options = {},
) {
  const [port, operatorPort] = [await freePort(), await freePort()];
  const env = {
    PROCESS: duty,
    ...TO_THE_LIMIT,
    ...(inspector !== undefined && { NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` }),
  };
  const app = startApp({ databaseUrl: url, folder: dataDir, port, operatorPort, env });
  if (!(await app.ready)) throw new Error('the server did not start');
  return app;
}

/** The baseline whose statements are written by hand. */
export async function startByHand(order: ByHandOrder, dataDir: string): Promise<Server> {
  return startForked('./by-hand.ts', order, dataDir);
}

/** A server in a module of this folder, which takes an order and answers with its port. */
async function startForked(module: string, order: ByHandOrder, dataDir: string): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.resolve(module)), {
    serialization: 'advanced',
  });
  child.send(order);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the server of ${module} did not start`);
  });
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  ended.catch(() => {});
  const address = `http://127.0.0.1:${port}`;
  return serverOf({ child, address, operatorAddress: address }, dataDir);
}

function serverOf(
  { child, address, operatorAddress }: Pick<AppProcess, 'child' | 'address' | 'operatorAddress'>,
  dataDir: string,
): Server {
  // Without keeping the connection, which the server may end as the next question comes.
  const metrics = async () =>
    (await fetch(`${operatorAddress}/metrics`, { headers: { connection: 'close' } })).text();
  const kill = () => child.kill();
  process.on('exit', kill);
  return {
    address,
    pid: child.pid!,
    async cpuSeconds() {
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(await metrics())![1]);
    },
    databaseSeconds: () => postgresSeconds(dataDir),
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      kill();
      await ended;
    },
  };
}
