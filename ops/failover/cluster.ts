import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chown, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/trials/src/harness/free-port.ts';
import pg from 'pg';
import type { Programs } from './packages.ts';

/** Three nodes, each with etcd, Patroni and PostgreSQL, and HAProxy before them. */
export type Cluster = {
  nodes: Node[];
  /** Where the owner reaches the primary, through HAProxy. */
  primaryUrl: string;
  /** Where the portal is reached, through HAProxy. */
  portalUrl: string;
  /** Opens HAProxy before the app processes, which serve on these ports. */
  openProxy(appPorts: number[]): void;
  leader(): Promise<Node>;
  /**
   * Waits until this many standbys stream from the primary, one of them synchronously; answers that
   * one's name.
   */
  untilStreaming(standbys: number): Promise<string>;
  /** Lets the primary hand over to the synchronous standby. */
  switchOver(): Promise<void>;
  stop(): Promise<void>;
};

export type Node = {
  name: string;
  port: number;
  restPort: number;
  start(): void;
  /** Ends etcd, Patroni and all of PostgreSQL at once, as the machine's power cut would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
};

const PATRONI_FILE = fileURLToPath(new URL('../patroni.yml', import.meta.url));
const HAPROXY_FILE = fileURLToPath(new URL('../haproxy.cfg', import.meta.url));
const PATIENCE_MS = 120_000;
const LOOK_MS = 5000;
const passwords = { superuser: secret(), replication: secret(), owner: secret() };

/**
 * Makes the cluster in the folder and the owner with the database in it; `closers` first gets the
 * function that stops it.
 */
export async function startCluster(
  programs: Programs,
  folder: string,
  closers: (() => Promise<unknown>)[],
): Promise<Cluster> {
  const names = ['pg1', 'pg2', 'pg3'];
  const plans = await Promise.all(
    names.map(async (name) => ({
      name,
      port: await freePort(),
      restPort: await freePort(),
      etcdPort: await freePort(),
      peerPort: await freePort(),
    })),
  );
  const nodes: Node[] = [];
  for (const plan of plans) nodes.push(await makeNode(programs, folder, plan, plans));
  const [portal, database] = [await freePort(), await freePort()];
  let proxy: ChildProcess | undefined;
  const cluster: Cluster = {
    nodes,
    primaryUrl: ownerUrl(database),
    portalUrl: `http://127.0.0.1:${portal}`,
    openProxy(appPorts) {
      const env = {
        PORTAL: `127.0.0.1:${portal}`,
        DATABASE: `127.0.0.1:${database}`,
        ...Object.fromEntries(
          appPorts.map((port, index) => [`APP${index + 1}`, `127.0.0.1:${port}`]),
        ),
        ...Object.fromEntries(
          nodes.map(({ port }, index) => [`PG${index + 1}`, `127.0.0.1:${port}`]),
        ),
        ...Object.fromEntries(
          nodes.map(({ restPort }, index) => [`PG${index + 1}_REST`, String(restPort)]),
        ),
      };
      proxy = run(
        programs,
        programs.haproxy,
        ['-db', '-f', HAPROXY_FILE],
        env,
        join(folder, 'haproxy.log'),
      );
    },
    leader: () => leaderOf(nodes),
    untilStreaming: (count) => untilStreaming(nodes, count),
    switchOver: () => switchOver(nodes),
    async stop() {
      await Promise.all([...nodes.map((node) => node.stop()), end(proxy, 'SIGTERM')]);
    },
  };
  closers.push(() => cluster.stop());
  for (const node of nodes) node.start();
  await untilStreaming(nodes, 2);
  await asSuperuser(await leaderOf(nodes), PATIENCE_MS, async (client) => {
    await client.query(
      `CREATE ROLE gatehouse_owner LOGIN CREATEDB CREATEROLE PASSWORD '${passwords.owner}'`,
    );
    await client.query('CREATE DATABASE gatehouse OWNER gatehouse_owner');
  });
  return cluster;
}

type Plan = { name: string; port: number; restPort: number; etcdPort: number; peerPort: number };

async function makeNode(
  programs: Programs,
  folder: string,
  plan: Plan,
  plans: Plan[],
): Promise<Node> {
  const { name, port, restPort, etcdPort, peerPort } = plan;
  const home = join(folder, name);
  const dataDir = join(home, 'postgres');
  await mkdir(home, { mode: 0o700 });
  if (programs.user !== undefined) await chown(home, programs.user.uid, programs.user.gid);
  const local = (of: number) => `http://127.0.0.1:${of}`;
  const etcdArgs = Object.entries({
    name,
    'data-dir': join(home, 'etcd'),
    'listen-client-urls': local(etcdPort),
    'advertise-client-urls': local(etcdPort),
    'listen-peer-urls': local(peerPort),
    'initial-advertise-peer-urls': local(peerPort),
    'initial-cluster': plans.map((each) => `${each.name}=${local(each.peerPort)}`).join(','),
    'heartbeat-interval': '200',
    'election-timeout': '2000',
  }).flatMap(([option, value]) => [`--${option}`, value]);
  const patroniEnv = {
    PATRONI_NAME: name,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
    PATRONI_ETCD3_HOSTS: plans.map((each) => `127.0.0.1:${each.etcdPort}`).join(','),
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: dataDir,
    PATRONI_POSTGRESQL_BIN_DIR: programs.postgresBin,
    PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: passwords.replication,
  };
  let etcd: ChildProcess | undefined;
  let patroni: ChildProcess | undefined;
  return {
    name,
    port,
    restPort,
    start() {
      etcd = run(programs, programs.etcd, etcdArgs, {}, join(folder, `${name}-etcd.log`));
      patroni = run(
        programs,
        programs.patroni,
        [PATRONI_FILE],
        patroniEnv,
        join(folder, `${name}-patroni.log`),
      );
    },
    async kill() {
      const postmaster = Number.parseInt(await readFile(join(dataDir, 'postmaster.pid'), 'utf8'));
      const family = [postmaster, ...(await childrenOf(postmaster))];
      patroni?.kill('SIGKILL');
      for (const pid of family) process.kill(pid, 'SIGKILL');
      await Promise.all([end(etcd, 'SIGKILL'), end(patroni, 'SIGKILL')]);
      while ((await Promise.all(family.map(isRunning))).includes(true)) await delay(10);
    },
    async stop() {
      // It ends its PostgreSQL in order, for which it asks etcd.
      await end(patroni, 'SIGTERM');
      await end(etcd, 'SIGTERM');
    },
  };
}

/** Runs a program of the cluster, its output in a file. */
function run(
  { user }: Programs,
  program: string,
  args: string[],
  env: Record<string, string>,
  log: string,
): ChildProcess {
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    ...user,
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C.UTF-8', HOME: '/tmp', ...env },
    cwd: '/',
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  return child;
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function leaderOf(nodes: Node[]): Promise<Node> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    for (const node of nodes) {
      const answer = await fetch(`http://127.0.0.1:${node.restPort}/primary`).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return node;
    }
    await delay(100);
  }
  throw new Error('no node is the primary: see the logs of Patroni');
}

async function untilStreaming(nodes: Node[], count: number): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const leader = await leaderOf(nodes);
    const standbys = await asSuperuser(leader, LOOK_MS, async (client) => {
      const { rows } = await client.query<{ name: string; state: string; sync: string }>(
        'SELECT application_name AS name, state, sync_state AS sync FROM pg_stat_replication',
      );
      return rows.filter(({ state }) => state === 'streaming');
    }).catch(() => []);
    const synchronous = standbys.find(({ sync }) => sync === 'sync');
    if (standbys.length >= count && synchronous !== undefined) return synchronous.name;
    await delay(100);
  }
  throw new Error(
    `${count} standbys do not stream within ${PATIENCE_MS / 1000} s: see the logs of Patroni`,
  );
}

async function switchOver(nodes: Node[]): Promise<void> {
  const candidate = await untilStreaming(nodes, 2);
  const leader = await leaderOf(nodes);
  const answer = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ leader: leader.name, candidate }),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`Patroni refused to switch over: ${said}`);
}

async function asSuperuser<T>(
  { port }: Node,
  patience: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...{
      host: '127.0.0.1',
      port,
      database: 'postgres',
      user: 'postgres',
      password: passwords.superuser,
    },
    connectionTimeoutMillis: patience,
    query_timeout: patience,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function ownerUrl(port: number): string {
  return `postgresql://gatehouse_owner:${passwords.owner}@127.0.0.1:${port}/gatehouse`;
}

function secret(): string {
  return randomBytes(16).toString('hex');
}

/** The processes whose parent this one is. */
async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, index) => parents[index] === parent);
}

async function parentOf(pid: number): Promise<number> {
  // After the name, which may hold anything, come the state and the parent.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) Z /.test(stat);
}
