import { constants } from 'node:fs';
import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartFault } from '#errors/start-fault.ts';
import { exists, findBinaries, isCode, type Binaries } from './embedded-binaries.ts';
import {
  asFault,
  diskFull,
  giveTo,
  isAlive,
  isRunning,
  ownerOf,
  portInName,
  removeUnlessWritten,
  socketDirFor,
  syncFolder,
  worksIn,
} from './embedded-folder.ts';

/** A running embedded PostgreSQL. */
export type EmbeddedPostgres = {
  /** The URL of the database `gatehouse` for `gatehouse_owner`, through the unix socket. */
  url: string;
  /** True when the PostgreSQL was already running, orphaned by a killed server. */
  adopted: boolean;
  /** Ends all connections and the PostgreSQL; resolves when its process is gone. */
  stop(): Promise<void>;
};

/**
 * `settings` of PostgreSQL, such as `shared_buffers`, override ours, and `env` adds to its
 * environment: only for benches and tests.
 */
type Options = {
  dataDir: string;
  log: (line: string) => void;
  settings?: Record<string, string>;
  env?: Record<string, string>;
};
type Hold = { client: pg.Client; pid: number };
type Answer = Hold | 'in use' | 'not ready' | 'down';

const holdKey = 0x67617465;
const patience = { inUse: 1_500, notReady: 120_000, stop: 30_000 };
const largestLog = 5_000_000;
const foldersInTheMaking = new Set<string>();

/**
 * Starts PostgreSQL on `dataDir/postgres`, or adopts the one that a killed server left running
 * there. One server may use a data folder: it claims it by an advisory lock in that PostgreSQL on
 * one connection, which ends with the process in every case. Throws a `StartFault` where it cannot
 * start.
 */
export async function startEmbedded({
  dataDir,
  log,
  settings = {},
  env = {},
}: Options): Promise<EmbeddedPostgres> {
  const cluster = new Cluster(resolve(dataDir), log, settings, env);
  try {
    return await cluster.start();
  } catch (error) {
    await cluster.stop();
    throw asFault(error, resolve(dataDir));
  }
}

/**
 * The address of the PostgreSQL of a server that runs on `dataDir`; null where none runs. Owns and
 * starts nothing.
 */
export async function findEmbedded(dataDir: string): Promise<string | null> {
  const folder = join(resolve(dataDir), 'postgres');
  if (!(await exists(folder))) return null;
  const socketDir = await socketDirFor(folder);
  const client = new pg.Client({
    host: socketDir,
    port: portInName,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // If the folder could be claimed, no server runs: the PostgreSQL is orphaned and left to
    // startEmbedded.
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1) as held',
      [holdKey],
    );
    return rows[0]?.held === false ? urlOf(socketDir) : null;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ECONNREFUSED')) return null;
    throw asFault(error, resolve(dataDir));
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlOf(socketDir: string): string {
  return `postgresql://gatehouse_owner@localhost:${portInName}/gatehouse?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}

class Cluster {
  readonly #dataDir: string;
  readonly #folder: string;
  readonly #log: (line: string) => void;
  readonly #settings: Record<string, string>;
  readonly #env: Record<string, string>;
  #binaries: Binaries | undefined;
  #socketDir = '';
  #launched = false;
  #ownPid: number | undefined;
  #hold: Hold | undefined;
  #stopping: Promise<void> | undefined;
  readonly #endWithProcess = () => this.#signal('SIGINT');

  constructor(
    dataDir: string,
    log: (line: string) => void,
    settings: Record<string, string>,
    env: Record<string, string>,
  ) {
    this.#dataDir = dataDir;
    this.#folder = join(dataDir, 'postgres');
    this.#log = log;
    this.#settings = settings;
    this.#env = env;
  }

  async start(): Promise<EmbeddedPostgres> {
    await mkdir(this.#dataDir, { recursive: true, mode: 0o700 });
    this.#binaries = await findBinaries(this.#dataDir, await ownerOf(this.#folder), this.#env);
    await this.#prepareFolder(this.#binaries);
    await this.#claim();
    process.on('exit', this.#endWithProcess);
    await this.#createDatabase();
    return {
      url: urlOf(this.#socketDir),
      adopted: !this.#launched,
      stop: () => this.stop(),
    };
  }

  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  /**
   * Creates the data folder under a temporary name and renames it, so that an interrupted initdb
   * leaves nothing that looks finished.
   */
  async #prepareFolder(binaries: Binaries): Promise<void> {
    if (await exists(join(this.#folder, 'PG_VERSION'))) {
      await this.#checkMajor(binaries);
    } else {
      await this.#initialise(binaries);
    }
    const { owner } = binaries;
    if (owner && (await stat(this.#folder)).uid !== owner.uid) await giveTo(owner, this.#folder);
  }

  async #checkMajor(binaries: Binaries): Promise<void> {
    const found = (await readFile(join(this.#folder, 'PG_VERSION'), 'utf8')).trim();
    const ours = binaries.version.split('.')[0];
    if (found === ours) return;
    throw new StartFault(
      `The data folder ${this.#dataDir} was made by PostgreSQL ${found} and this is PostgreSQL ${ours}: move it away, or run the Gatehouse that made it.`,
    );
  }

  async #initialise(binaries: Binaries): Promise<void> {
    if (await exists(this.#folder)) {
      const content = await readdir(this.#folder);
      if (content.length > 0)
        throw new StartFault(
          `The folder ${this.#folder} holds something that is not a database: move it away and start again.`,
        );
    }
    await this.#removeAbandoned();
    this.#log('Making a new database');
    const fresh = await mkdtemp(join(this.#dataDir, `postgres.init-${process.pid}-`));
    foldersInTheMaking.add(fresh);
    try {
      if (binaries.owner) await chown(fresh, binaries.owner.uid, binaries.owner.gid);
      await this.#initdb(binaries, fresh);
      await rename(fresh, this.#folder);
      await syncFolder(this.#dataDir);
    } catch (error) {
      await removeUnlessWritten(fresh);
      // Another server created it at the same time; the claim decides which of them may use it.
      if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    } finally {
      foldersInTheMaking.delete(fresh);
    }
  }

  async #removeAbandoned(): Promise<void> {
    for (const name of await readdir(this.#dataDir)) {
      const pid = Number(/^postgres\.init-(\d+)-/.exec(name)?.[1]);
      if (!pid) continue;
      const path = join(this.#dataDir, name);
      // In a container the process id of the killed process is often our own.
      const inTheMaking = pid === process.pid ? foldersInTheMaking.has(path) : isAlive(pid);
      if (!inTheMaking) await removeUnlessWritten(path);
    }
  }

  async #initdb(binaries: Binaries, cwd: string): Promise<void> {
    // The built-in locale does not depend on the system and sorts alike on every machine and after
    // every system update.
    const locale = [
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--encoding=UTF8',
    ];
    const args = [
      '-D',
      binaries.here,
      '-U',
      'postgres',
      '--auth-local=trust',
      '--auth-host=reject',
      ...locale,
    ];
    const child = binaries.run('initdb', args, { cwd, output: 'pipe' });
    let output = '';
    child.stdout?.on('data', (part: Buffer) => (output += part.toString()));
    child.stderr?.on('data', (part: Buffer) => (output += part.toString()));
    const code = await new Promise((done) => child.on('error', done).on('close', done));
    if (code !== 0) throw await this.#failure(`initdb failed (${String(code)})`, output);
  }

  /**
   * Claims the folder for this process: connects to its PostgreSQL, starting it if needed, and
   * holds the lock.
   */
  async #claim(): Promise<void> {
    const begun = Date.now();
    let starting: Promise<unknown> | undefined;
    let failure: Error | undefined;
    let isLogged = false;
    for (;;) {
      const answer = await this.#ask();
      if (typeof answer === 'object') {
        if (!(await this.#isOutdated(answer))) {
          this.#keep(answer);
          return;
        }
        continue;
      }
      if (failure !== undefined) throw failure;
      if (this.#stopping) return;
      if (answer === 'down' && !starting && !(await this.#someoneIsStarting())) {
        starting = this.#launch()
          .catch((error: unknown) => (failure = error as Error))
          .then(() => (starting = undefined));
      }
      const waited = Date.now() - begun;
      if (answer === 'in use' && waited > patience.inUse)
        throw new StartFault(this.#inUseSentence());
      if (answer !== 'in use' && waited > patience.notReady) {
        throw new StartFault(
          `PostgreSQL in ${this.#folder} does not answer: see ${this.#logFile}.`,
        );
      }
      if (answer !== 'in use' && waited > 3_000 && !isLogged) {
        isLogged = true;
        this.#log('Waiting for PostgreSQL to be ready');
      }
      await Promise.race([delay(25), ...(starting ? [starting] : [])]);
    }
  }

  async #ask(): Promise<Answer> {
    this.#socketDir = await socketDirFor(this.#folder);
    const client = new pg.Client({
      host: this.#socketDir,
      port: portInName,
      user: 'postgres',
      database: 'postgres',
      password: '',
      ssl: false,
      application_name: 'gatehouse data folder',
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ held: boolean; file: string }>(
        `select pg_try_advisory_lock($1) as held, pg_read_file('postmaster.pid') as file`,
        [holdKey],
      );
      if (rows[0]?.held) return { client, pid: Number.parseInt(rows[0].file) };
      await client.end();
      return 'in use';
    } catch (error) {
      await client.end().catch(() => undefined);
      if (isCode(error, 'EACCES', 'EPERM')) throw error;
      return isCode(error, 'ENOENT', 'ECONNREFUSED') ? 'down' : 'not ready';
    }
  }

  /** An orphaned PostgreSQL of another version of Gatehouse is stopped and replaced by ours. */
  async #isOutdated({ client, pid }: Hold): Promise<boolean> {
    const { rows } = await client.query<{ cluster_name: string }>('show cluster_name');
    if (rows[0]?.cluster_name === this.#clusterName) return false;
    this.#log('Ending the PostgreSQL of another version');
    this.#signal('SIGINT', pid);
    await client.end().catch(() => undefined);
    await this.#gone(pid);
    return true;
  }

  #keep(hold: Hold): void {
    this.#hold = hold;
    if (this.#stopping) {
      this.#signal('SIGINT');
      return;
    }
    hold.client.once('end', () => {
      if (this.#stopping) return;
      this.#hold = undefined;
      this.#log('The database went away; connecting again');
      this.#claim().catch((error: unknown) =>
        this.#log(`The data folder was lost: ${asFault(error, this.#dataDir).message}`),
      );
    });
  }

  async #someoneIsStarting(): Promise<boolean> {
    if (process.platform !== 'linux') return false;
    for (const name of ['postmaster.pid', `.s.PGSQL.${portInName}.lock`]) {
      const file = join(this.#folder, name);
      const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''));
      if (!pid || !isAlive(pid)) continue;
      if (await worksIn(pid, this.#folder)) return true;
      // The lock files of a crash. PostgreSQL would refuse to start where their process id now
      // belongs to another process, as in a restarted container.
      await rm(file, { force: true });
    }
    return false;
  }

  /** Starts PostgreSQL; settles when it has ended, and rejects when that was a failure to start. */
  async #launch(): Promise<void> {
    const binaries = this.#binaries;
    if (!binaries) throw new Error('findBinaries comes first');
    const settings = {
      cluster_name: this.#clusterName,
      listen_addresses: '',
      port: portInName,
      unix_socket_directories: '.',
      unix_socket_permissions: '0700',
      max_connections: 100,
      shared_buffers: '64MB',
      max_wal_size: '256MB',
      io_method: 'sync',
      jit: 'off',
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      timezone: 'UTC',
      log_timezone: 'UTC',
      log_checkpoints: 'off',
      // The log must not contain tenants' data: neither statements nor the keys in a detail line.
      log_error_verbosity: 'terse',
      log_min_error_statement: 'panic',
      ...this.#settings,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    const log = await open(this.#logFile, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
    const { size } = await log.stat();
    if (size > largestLog) await log.truncate();
    const child = binaries.run('postgres', ['-D', binaries.here, ...args], {
      cwd: this.#folder,
      output: log.fd,
    });
    const ended = new Promise((done) =>
      child.on('error', done).on('exit', (code, signal) => done(code ?? signal)),
    );
    await log.close();
    this.#launched = true;
    this.#ownPid = child.pid;
    const how = await ended;
    this.#ownPid = undefined;
    if (this.#hold) return;
    const output = (await readFile(this.#logFile))
      .subarray(size > largestLog ? 0 : size)
      .toString();
    // Another server was faster, or the last backends of a killed PostgreSQL are still exiting.
    if (
      output.includes('postmaster.pid" already exists') ||
      output.includes('pre-existing shared memory block')
    )
      return;
    throw await this.#failure(`PostgreSQL could not start (${String(how)})`, output);
  }

  async #failure(what: string, output: string): Promise<Error> {
    const { bavail, bsize } = await statfs(this.#dataDir);
    // A short write has neither code nor cause, only its length.
    const saysFull =
      /No space left on device|Check free disk space|wrote only \d+ of|cannot abort transaction 1/.test(
        output,
      );
    if (saysFull || bavail * bsize < 2 ** 20) return diskFull(this.#dataDir);
    const reason =
      output.split('\n').findLast((line) => /FATAL|PANIC|error:/.test(line)) ??
      output.trim().split('\n').at(-1) ??
      '';
    return new StartFault(
      `${what} in ${this.#folder}: ${reason.replace(/^.*?(FATAL|PANIC|error):\s*/, '')}.`,
    );
  }

  async #createDatabase(): Promise<void> {
    const client = this.#hold?.client;
    if (!client) throw new Error('The claim comes first');
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = 'gatehouse_owner') as role,
              exists (select from pg_database where datname = 'gatehouse') as database`,
    );
    // The rights that a managed PostgreSQL grants its customer, and no more: never a superuser.
    if (!rows[0]?.role) await client.query('create role gatehouse_owner login createdb createrole');
    if (!rows[0]?.database) await client.query('create database gatehouse owner gatehouse_owner');
  }

  async #stop(): Promise<void> {
    process.off('exit', this.#endWithProcess);
    const pid = this.#hold?.pid ?? this.#ownPid;
    if (!pid) return;
    this.#signal('SIGINT', pid);
    await this.#hold?.client.end().catch(() => undefined);
    await this.#gone(pid);
    if (this.#socketDir !== '' && this.#socketDir !== this.#folder)
      await rm(resolve(this.#socketDir, '..'), { recursive: true, force: true });
  }

  #signal(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL', pid = this.#hold?.pid): void {
    try {
      if (pid) process.kill(pid, signal);
    } catch (error) {
      if (!isCode(error, 'ESRCH')) throw error;
    }
  }

  /**
   * Waits until a PostgreSQL has stopped. One that hangs is killed, and recovers its commits from
   * its log.
   */
  async #gone(pid: number): Promise<void> {
    const signaledAt = Date.now();
    while (await isRunning(pid)) {
      if (Date.now() - signaledAt > patience.stop)
        this.#signal(Date.now() - signaledAt > 2 * patience.stop ? 'SIGKILL' : 'SIGQUIT', pid);
      await delay(10);
    }
  }

  get #logFile(): string {
    return join(this.#dataDir, 'postgres.log');
  }

  get #clusterName(): string {
    return `gatehouse ${this.#binaries?.version ?? ''}`;
  }

  #inUseSentence(): string {
    return `The data folder ${this.#dataDir} is in use by another Gatehouse server: stop that one, or give this one another folder with DATA_DIR.`;
  }
}
