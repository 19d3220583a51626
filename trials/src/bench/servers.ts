import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BareOrder } from './bare.ts';
import type { Call } from './calls.ts';
import type { Trace } from './record.ts';
import type { UnguardedOrder } from './unguarded.ts';

/** A server in a process of its own. */
export type Server = {
  address: string;
  /** Seconds of processor time that its process has used. */
  cpuSeconds(): Promise<number>;
  /** Megabytes that its process holds now; of the real server alone. */
  memoryMb(): Promise<number>;
  stop(): Promise<void>;
};

const START_MS = 30_000;
/** A bench asks for all that a process can do: that it turns the rest away is another question (R20). */
const TO_THE_LIMIT = { SHED_LOAD: 'off' };
const serverMain = fileURLToPath(import.meta.resolve('@gatehouse/server/src/main.ts'));

/** The real server: the process that `npm start` runs, on the bench's database; one of `duty` app works no job. */
export async function startReal(url: string, dataDir: string, duty: 'all' | 'app' = 'all'): Promise<Server> {
  return (await forkReal(url, dataDir, [], duty)).server;
}

/** The real server with a database of its own in `dataDir` and the demo world in it. */
export async function startDemo(dataDir: string): Promise<Server> {
  return (await forkReal(undefined, dataDir, [])).server;
}

/** The real server with the recorder in it, and how to send it one call and see its statements. */
export async function startRecorded(url: string, dataDir: string) {
  const recorder = import.meta.resolve('./record.ts');
  const { server, child } = await forkReal(url, dataDir, ['--import', recorder]);
  return {
    ...server,
    async record({ path, ...call }: Call): Promise<Trace> {
      const recorded = once(child, 'message') as Promise<[Trace]>;
      const answer = await fetch(`${server.address}${path}`, call);
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${call.method} ${path} was answered ${answer.status}: ${text}`);
      return (await recorded)[0];
    },
  };
}

async function forkReal(url: string | undefined, dataDir: string, execArgv: string[], duty = 'all') {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    PROCESS: duty,
    ...TO_THE_LIMIT,
    HOST: '127.0.0.1',
  };
  const child = fork(serverMain, {
    execArgv,
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const server = serverOf(child, port, metricsPort);
  const isReady = () =>
    fetch(`${server.address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const deadline = Date.now() + START_MS;
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('the server did not start');
    await delay(100);
  }
  return { server, child };
}

/** The baseline, which derives its statements from recordings. */
export async function startBare(order: BareOrder): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.resolve('./bare.ts')), { serialization: 'advanced' });
  child.send(order);
  const ended = once(child, 'exit').then(() => {
    throw new Error('the bare server did not start');
  });
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  ended.catch(() => {});
  return serverOf(child, port, port);
}

/** The server with the read without a guard. */
export async function startUnguarded(url: string, dataDir: string): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.resolve('./unguarded.ts')), {
    env: { ...process.env, ...TO_THE_LIMIT },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send({ url, dataDir } satisfies UnguardedOrder);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return serverOf(child, port, port);
}

function serverOf(child: ChildProcess, port: number, metricsPort: number): Server {
  const address = `http://127.0.0.1:${port}`;
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const kill = () => child.kill();
  process.on('exit', kill);
  return {
    address,
    async cpuSeconds() {
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(await metrics())![1]);
    },
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
