import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { sql } from 'kysely';
import type { AppProcess } from './app-process.ts';
import { Caller } from './caller.ts';

/** What a server holds at one moment: of the kernel's word, its own and the database's. */
export type Holding = {
  /** When, in milliseconds since the watch began. */
  at: number;
  rssMib: number;
  files: number;
  sockets: number;
  /** What keeps Node's event loop alive. */
  handles: number;
  /** Connections to the database. */
  connections: number;
};

/** Looks at what a server holds every so often until it is ended. */
export class ProcessWatch {
  readonly #app: AppProcess;
  readonly #owner: Database;
  readonly #caller = new Caller();
  readonly #stopping = new AbortController();
  readonly #begun = performance.now();
  readonly #ended: Promise<void>;
  readonly seen: Holding[] = [];

  constructor(app: AppProcess, owner: Database, everyMs: number) {
    this.#app = app;
    this.#owner = owner;
    this.#ended = this.#watch(everyMs);
  }

  async look(): Promise<Holding> {
    const { pid } = this.#app;
    const [status, links, metrics, connections] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      openFiles(pid),
      this.#caller.call(this.#app.operatorAddress, { method: 'GET', path: '/metrics' }),
      connectionsTo(this.#owner),
    ]);
    return {
      at: performance.now() - this.#begun,
      rssMib: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024,
      files: links.length,
      sockets: links.filter((link) => link.startsWith('socket:')).length,
      handles: Number(/^nodejs_active_handles_total (\d+)$/m.exec(metrics.text)?.[1]),
      connections,
    };
  }

  async end(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
    this.#caller.close();
  }

  async #watch(everyMs: number): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.seen.push(await this.look());
      await delay(everyMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
  }
}

/** What the process has open, as the kernel names it; a file that is closed meanwhile is none. */
async function openFiles(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(
    names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => null)),
  );
  return links.filter((link) => link !== null);
}

async function connectionsTo(owner: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(
    owner,
  );
  return rows[0]!.count;
}
