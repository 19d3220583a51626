import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { childEnvironment } from '#test/child-environment.ts';
import { findEmbedded, startEmbedded } from './embedded.ts';
import type { EmbeddedPostgres } from './embedded.ts';

let made: string;
let dataDir: string;
let running: EmbeddedPostgres[];
let servers: ChildProcess[];

beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'gh-made-'));
  await (await startEmbedded({ dataDir: made, log: () => undefined })).stop();
});

afterAll(() => rm(made, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gh-'));
  running = [];
  servers = [];
});

afterEach(async () => {
  for (const server of servers) server.kill('SIGKILL');
  await Promise.all(running.map((postgres) => postgres.stop()));
  const orphan = await postmasterOf(dataDir);
  if (orphan) process.kill(orphan, 'SIGQUIT');
  await until(async () => (await postmasterOf(dataDir)) === undefined);
  // The initdb of a killed server may write a moment longer.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

test('the first start makes a database that the owner role can use, and it is no superuser', async () => {
  const postgres = await start(dataDir);
  const [row] = await query(
    postgres,
    'select current_user, current_database(), rolsuper from pg_roles where rolname = current_user',
  );
  expect(row).toEqual({
    current_user: 'gatehouse_owner',
    current_database: 'gatehouse',
    rolsuper: false,
  });
  expect(postgres.adopted).toBe(false);
});

test('it listens on no network address and syncs every commit to disk', async () => {
  await begin();
  const postgres = await start(dataDir);
  const [row] = await query(
    postgres,
    `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as commit, current_setting('data_checksums') as checksums`,
  );
  expect(row).toEqual({ addresses: '', fsync: 'on', commit: 'on', checksums: 'on' });
});

test('a second start finds what the first one wrote', async () => {
  await begin();
  const first = await start(dataDir);
  await query(first, 'create table kept as select 7 as n');
  await first.stop();
  const second = await start(dataDir);
  expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }]);
  expect(second.adopted).toBe(false);
});

test('a command finds the database of a server that runs, and none where none does', async () => {
  expect(await findEmbedded(dataDir)).toBeNull();
  await begin();
  expect(await findEmbedded(dataDir)).toBeNull();
  const postgres = await start(dataDir);
  expect(await findEmbedded(dataDir)).toBe(postgres.url);
  await postgres.stop();
  expect(await findEmbedded(dataDir)).toBeNull();
});

test('stop leaves no process running, and may be called twice', async () => {
  await begin();
  const postgres = await start(dataDir);
  const pid = await postmasterOf(dataDir);
  await Promise.all([postgres.stop(), postgres.stop()]);
  expect(pid).toBeGreaterThan(0);
  expect(isAlive(pid)).toBe(false);
});

test('after SIGKILL of a server the next start adopts its PostgreSQL and finds every committed row', async () => {
  await begin();
  const server = await startServer(dataDir);
  expect(server.said).toBe('wrote 1 adopted false');
  const before = await postmasterOf(dataDir);
  await end(server.process, 'SIGKILL');
  const postgres = await start(dataDir);
  expect(postgres.adopted).toBe(true);
  expect(await postmasterOf(dataDir)).toBe(before);
  expect(await query(postgres, 'select id from kept')).toEqual([{ id: 1 }]);
  await postgres.stop();
  expect(isAlive(before)).toBe(false);
});

test('after SIGKILL of a server and its PostgreSQL the next start recovers every committed row', async () => {
  await begin();
  const server = await startServer(dataDir);
  process.kill((await postmasterOf(dataDir)) ?? 0, 'SIGKILL');
  await end(server.process, 'SIGKILL');
  const postgres = await start(dataDir);
  expect(postgres.adopted).toBe(false);
  expect(await query(postgres, 'select id from kept')).toEqual([{ id: 1 }]);
});

test('lock files whose process number now belongs to another process do not keep it from starting', async () => {
  await begin();
  await (await start(dataDir)).stop();
  await writeFile(
    join(dataDir, 'postgres', 'postmaster.pid'),
    `${process.ppid}\n/elsewhere\n1\n5432\n.\n\n  1 1\nready\n`,
  );
  await writeFile(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), `${process.ppid}\n`);
  await start(dataDir);
});

test('a second server on the folder is refused in one sentence, and the first is not disturbed', async () => {
  await begin();
  const postgres = await start(dataDir);
  const server = await startServer(dataDir);
  expect(server.said).toBe(
    `StartFault: The data folder ${dataDir} is in use by another Gatehouse server: stop that one, or give this one another folder with DATA_DIR.`,
  );
  expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of two servers that start at the same moment on a new folder exactly one gets it', async () => {
  const both = await Promise.all([startServer(dataDir), startServer(dataDir)]);
  expect(both.map(({ said }) => said.slice(0, 10)).sort()).toEqual(['StartFault', 'wrote 1 ad']);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.init'))).toEqual([]);
});

test('SIGTERM to a server leaves no process behind', async () => {
  await begin();
  const server = await startServer(dataDir);
  const pid = await postmasterOf(dataDir);
  expect(await end(server.process, 'SIGTERM')).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

test('a PostgreSQL that dies while its server runs is started again', async () => {
  await begin();
  const postgres = await start(dataDir);
  await query(postgres, 'create table kept as select 7 as n');
  process.kill((await postmasterOf(dataDir)) ?? 0, 'SIGKILL');
  await until(() =>
    query(postgres, 'select n from kept').then(
      () => true,
      () => false,
    ),
  );
});

test('a path with a space, a percent sign and an umlaut works', async () => {
  const postgres = await start(join(dataDir, 'my data 100%20 übung'));
  expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  await postgres.stop();
});

test('a path too long for a socket address works, and its PostgreSQL is found again', async () => {
  const long = join(dataDir, 'a-very-long-folder-name'.repeat(5));
  await begin(long);
  const server = await startServer(long);
  expect(server.said).toBe('wrote 1 adopted false');
  await end(server.process, 'SIGKILL');
  const postgres = await start(long);
  expect(postgres.adopted).toBe(true);
  expect(await query(postgres, 'select id from kept')).toEqual([{ id: 1 }]);
  await postgres.stop();
});

test('an initdb that was cut short is done again', async () => {
  const server = runServer(dataDir);
  await until(async () =>
    (await readdir(dataDir)).some((name) => name.startsWith('postgres.init-')),
  );
  await end(server, 'SIGKILL');
  const postgres = await start(dataDir);
  expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the files that an orphaned initdb still writes do not prevent a start', async () => {
  const left = join(dataDir, 'postgres.init-999999999-left');
  await mkdir(left);
  const writer = spawn('sh', ['-c', 'while : > "$0/$$.$(date +%N)"; do :; done', left], {
    stdio: 'ignore',
  });
  const ended = once(writer, 'exit');
  try {
    const postgres = await start(dataDir);
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    writer.kill('SIGKILL');
    await ended;
  }
});

test('a folder made by another major version is refused in one sentence', async () => {
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '16\n');
  await expect(start(dataDir)).rejects.toThrow(
    `The data folder ${dataDir} was made by PostgreSQL 16 and this is PostgreSQL 18: move it away, or run the Gatehouse that made it.`,
  );
});

test('a data folder that is a file is refused in one sentence', async () => {
  const file = join(dataDir, 'file');
  await writeFile(file, '');
  await expect(start(file)).rejects.toThrow(`DATA_DIR must name a folder, and ${file} is not one.`);
});

/** Copies a folder that was used before, because creating a database takes seconds. */
async function begin(folder = dataDir): Promise<void> {
  await cp(join(made, 'postgres'), join(folder, 'postgres'), { recursive: true });
}

async function start(folder: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbedded({ dataDir: folder, log: () => undefined });
  running.push(postgres);
  return postgres;
}

async function query(postgres: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  } finally {
    await client.end();
  }
}

function runServer(folder: string): ChildProcess {
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, 'embedded.fixture.ts'), folder],
    {
      env: childEnvironment,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  servers.push(server);
  return server;
}

async function startServer(folder: string): Promise<{ process: ChildProcess; said: string }> {
  const server = runServer(folder);
  const said = await new Promise<string>((resolve) =>
    server.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim())),
  );
  return { process: server, said };
}

function end(server: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  return new Promise((resolve) => {
    server.once('exit', resolve);
    server.kill(signal);
  });
}

async function postmasterOf(folder: string): Promise<number | undefined> {
  const file = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(file);
  return isAlive(pid) ? pid : undefined;
}

/** A zombie process does not count. */
function isAlive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? Number.NaN, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('It did not come true in time');
    await delay(20);
  }
}
