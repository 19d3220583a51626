import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import pg from 'pg';
import { WORK_ROLE } from '@gatehouse/server/src/db/reach.ts';
import type { Database } from '@gatehouse/server/src/db/database.ts';

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, Number);

type Answer = QueryResult<unknown>;

/**
 * One connection whose work is never committed: everything between `begin` and `rollback` is one
 * transaction, and the server's transactions are savepoints in it. The server's code runs on it
 * unchanged.
 */
export type Session = {
  begin(): Promise<void>;
  rollback(): Promise<void>;
  /** Runs a statement; one that fails outside of a savepoint takes nothing else with it. */
  run(text: string, values: readonly unknown[]): Promise<Answer>;
  /** Inside the transaction that is open, without a net: for savepoints. */
  raw(text: string): Promise<Answer>;
  /**
   * Does something as the owner of the tables, such as what staff do elsewhere; all else is done as
   * the server's role for work.
   */
  asOwner(work: () => Promise<void>): Promise<void>;
  isInSavepoint: boolean;
  end(): Promise<void>;
};

/**
 * Opens a session of the owner of the tables, which serves as the server's role for work. Without a
 * net no statement may fail outside of the server's transactions, and each costs one trip less.
 */
export async function openSession(url: string, { hasNet = true } = {}): Promise<Session> {
  const full = new URL(url);
  // Otherwise dead rows of rolled-back sequences would be scanned, and every plan made again.
  const settings = [
    'timezone=UTC',
    'enable_seqscan=off',
    'plan_cache_mode=force_generic_plan',
    'jit=off',
  ];
  full.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '));
  const client = new pg.Client({ connectionString: full.href, types });
  await client.connect();
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };
  const query = async (text: string, values: readonly unknown[]): Promise<Answer> => {
    const result = await client.query({ name: nameOf(text), text, values: values as unknown[] });
    const isChange =
      result.command === 'INSERT' || result.command === 'UPDATE' || result.command === 'DELETE';
    return {
      rows: result.rows,
      ...(isChange && { numAffectedRows: BigInt(result.rowCount ?? 0) }),
    };
  };
  const raw = async (text: string): Promise<Answer> => {
    const result = await client.query(text);
    return { rows: Array.isArray(result) ? [] : result.rows };
  };
  const session: Session = {
    isInSavepoint: false,
    raw,
    async begin() {
      await raw(`BEGIN; SET LOCAL ROLE ${WORK_ROLE}; SAVEPOINT net`);
    },
    async asOwner(work) {
      await raw('SET LOCAL ROLE NONE; RELEASE net; SAVEPOINT net');
      await work();
      await raw(`SET LOCAL ROLE ${WORK_ROLE}; RELEASE net; SAVEPOINT net`);
    },
    async rollback() {
      session.isInSavepoint = false;
      await raw('ROLLBACK');
    },
    async run(text, values) {
      if (session.isInSavepoint || !hasNet) return query(text, values);
      try {
        const answer = await query(text, values);
        if (!/^\s*select/i.test(text)) await raw('RELEASE net; SAVEPOINT net');
        return answer;
      } catch (error) {
        await raw('ROLLBACK TO net');
        throw error;
      }
    },
    end: () => client.end(),
  };
  return session;
}

export type Moment = 'begin' | 'statement' | 'commit' | 'rollback';

/** Whose turn it is on the session; each transaction is a separate object. */
export type Port = {
  /** Before a statement or transaction begins: waits until no other is at it. */
  acquire(): Promise<void>;
  release(): void;
  /** Does one thing when its turn comes. */
  turn<R>(
    transaction: object | null,
    moment: Moment,
    text: string,
    work: () => Promise<R>,
  ): Promise<R>;
};

/** One after the other, in the order in which they come. */
export function inTurn(): Port {
  let last = Promise.resolve();
  let free = () => {};
  return {
    acquire() {
      const before = last;
      let done = () => {};
      last = new Promise((resolve) => (done = resolve));
      return before.then(() => {
        free = done;
      });
    },
    release: () => free(),
    turn: (_transaction, _moment, _text, work) => work(),
  };
}

/** A database for the server's code on a session; several may share one. */
export function databaseOn(session: Session, port: Port): Database {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => driverOn(session, port),
  };
  return new Kysely({ dialect });
}

class Connection implements DatabaseConnection {
  transaction: object | null = null;
  readonly #session: Session;
  readonly #port: Port;

  constructor(session: Session, port: Port) {
    this.#session = session;
    this.#port = port;
  }

  executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const work = () => this.#session.run(text, parameters);
    return this.#port.turn(this.transaction, 'statement', text, work) as Promise<QueryResult<R>>;
  }

  streamQuery(): never {
    throw new Error('a session of the models streams nothing');
  }
}

function driverOn(session: Session, port: Port): Driver {
  const mine = (connection: DatabaseConnection) => {
    if (!(connection instanceof Connection)) throw new Error('a connection of another driver');
    return connection;
  };
  return {
    async init() {},
    async acquireConnection() {
      await port.acquire();
      return new Connection(session, port);
    },
    async beginTransaction(connection) {
      const transaction = {};
      mine(connection).transaction = transaction;
      await port.turn(transaction, 'begin', 'begin', async () => {
        await session.raw('SAVEPOINT trx');
        session.isInSavepoint = true;
      });
    },
    async commitTransaction(connection) {
      await port.turn(mine(connection).transaction, 'commit', 'commit', async () => {
        session.isInSavepoint = false;
        await session.raw('RELEASE trx; RELEASE net; SAVEPOINT net');
      });
    },
    async rollbackTransaction(connection) {
      await port.turn(mine(connection).transaction, 'rollback', 'rollback', async () => {
        // A commit whose answer was lost has left nothing to roll back.
        if (!session.isInSavepoint) return;
        session.isInSavepoint = false;
        await session.raw('ROLLBACK TO trx; RELEASE trx');
      });
    },
    async releaseConnection() {
      port.release();
      return Promise.resolve();
    },
    async destroy() {},
  };
}
