import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startApp, type AppProcess } from '../harness/app-process.ts';
import { openClient, type Call } from '../harness/client.ts';
import { freePort } from '../harness/free-port.ts';
import { keys } from '../harness/world.ts';
import type { BareOrder } from './bare.ts';
import type { ByHandOrder } from './by-hand.ts';
import { postgresSeconds } from './processor.ts';
import type { Trace } from './record.ts';
import type { UnguardedOrder } from './unguarded.ts';

/** A server in a child process. */
export type Server = {
  address: string;
  /** Seconds of processor time that its process has used. */
  cpuSeconds(): Promise<number>;
  /** Those of the PostgreSQL behind it; NaN where the system does not say. */
  databaseSeconds(): Promise<number>;
  /** Megabytes that its process holds now; of the real server alone. */
  memoryMb(): Promise<number>;
  stop(): Promise<void>;
};

/**
 * A bench asks for all that a process can do: that it turns the rest away is another question
 * (R20).
 */
const TO_THE_LIMIT = { SHED_LOAD: 'off' };

type Options = { duty?: 'all' | 'app'; preload?: string };

/**
 * The real server: the process that `npm start` runs, on the bench's database; one of `duty` app
 * works no job.
 */
export async function startReal(url: string, dataDir: string, options?: Options): Promise<Server> {
  return serverOf(await startMeasured(url, dataDir, options), dataDir);
}

/** The real server with an embedded database in `dataDir` and the demo data. */
export async function startDemo(dataDir: string): Promise<Server> {
  return serverOf(await startMeasured(undefined, dataDir), dataDir);
}

/** The real server with the recorder in it, and how to send it one call and see its statements. */
export async function startRecorded(url: string, dataDir: string) {
  const app = await startMeasured(url, dataDir, { preload: import.meta.resolve('./record.ts') });
  const client = openClient(app.address);
  return {
    ...serverOf(app, dataDir),
    async record(call: Call): Promise<Trace> {
      const recorded = once(app.child, 'message') as Promise<[Trace]>;
      const { status, text } = await client.send(call);
      if (status !== 200)
        throw new Error(`${call.method} ${call.path} was answered ${status}: ${text}`);
      return (await recorded)[0];
    },
  };
}

/** Its output is not read: that would cost the bench time. */
async function startMeasured(
  url: string | undefined,
  dataDir: string,
  { duty = 'all', preload }: Options = {},
) {
  const [port, operatorPort] = [await freePort(), await freePort()];
  const env = { PROCESS: duty, ...TO_THE_LIMIT };
  const app = startApp({ databaseUrl: url, folder: dataDir, port, operatorPort, env, preload });
  if (!(await app.ready)) throw new Error('the server did not start');
  return app;
}

/** The baseline that derives its statements from recordings. */
export async function startBare(order: BareOrder, dataDir: string): Promise<Server> {
  return startForked('./bare.ts', order, dataDir);
}

/** The baseline whose statements are written by hand. */
export async function startByHand(order: ByHandOrder, dataDir: string): Promise<Server> {
  return startForked('./by-hand.ts', order, dataDir);
}

/** A server in a module beside this one, which takes an order and answers with its port. */
async function startForked(
  module: string,
  order: BareOrder | ByHandOrder,
  dataDir: string,
): Promise<Server> {
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

/** The server with the read without a guard. */
export async function startUnguarded(url: string, dataDir: string): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.resolve('./unguarded.ts')), {
    env: { ...process.env, ...keys, ...TO_THE_LIMIT },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send({ url, dataDir } satisfies UnguardedOrder);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
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
    async cpuSeconds() {
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(await metrics())![1]);
    },
    databaseSeconds: () => postgresSeconds(dataDir),
    async memoryMb() {
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(await metrics())![1]) / 1_000_000;
    },
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      kill();
      await ended;
    },
  };
}
