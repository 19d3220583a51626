import { hash } from 'node:crypto';
import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import type { Refusal } from '#errors/refusal.ts';
import type { FairQueue } from '#sharing/fair-queue.ts';
import {
  reachStatement,
  type Reach,
  type Recheck,
  type RecheckStatus,
  type Statement,
} from './reach.ts';

/**
 * A pool of which no signed-in user has more than a third of the connections, rounded up: one that
 * sends many calls that wait for one lock would hold them all for as long. Statements for every row
 * are not limited.
 */
export type SharedPool = { pool: pg.Pool; users: FairQueue };

/**
 * For whom statements run: `recheck` is of a request whose guard has found a caller. With `first`
 * it is made at the beginning of a transaction, after the statement `lock`, not before the commit.
 */
export type Caller = {
  reach: Reach;
  recheck: Recheck | null;
  first?: { lock: string | undefined };
};

/**
 * Connects the query builder with a pool, for statements of one caller. Each statement of one with
 * a reach or a recheck runs in a transaction, its own or that of `db.transaction()`, which begins
 * by setting role and reach for itself; both are sent together with its first statement. A
 * transaction that has written is rechecked together with its commit. A statement by itself that
 * only reads, which the database enforces, is not.
 */
export class ReachDriver implements Driver {
  readonly #shared: SharedPool;
  readonly #caller: Caller;

  constructor(shared: SharedPool, caller: Caller) {
    this.#shared = shared;
    this.#caller = caller;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<LentConnection> {
    const leave = await enter(this.#shared, this.#caller.reach);
    try {
      const client = (await this.#shared.pool.connect()) as pg.Client & pg.PoolClient;
      return new LentConnection(client, this.#caller, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  beginTransaction(connection: LentConnection, settings: TransactionSettings): Promise<void> {
    connection.begin(settings);
    return Promise.resolve();
  }

  async commitTransaction(connection: LentConnection): Promise<void> {
    // What PostgreSQL makes of a commit after a statement that failed.
    if ((await connection.end('commit')) === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollbackTransaction(connection: LentConnection): Promise<void> {
    await connection.end('rollback');
  }

  releaseConnection(connection: LentConnection): Promise<void> {
    return connection.release();
  }

  async destroy(): Promise<void> {
    if (!this.#shared.pool.ending) await this.#shared.pool.end();
  }
}

/** PostgreSQL's error for a statement after one that failed in the same transaction. */
const IN_FAILED = '25P02';

/** PostgreSQL's error for a write on a standby or a read-only server. */
const READ_ONLY = '25006';

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** What a statement that only reads has no word of. */
const WRITES = /\b(insert|update|delete|merge)\b/i;

/** A connection of the pool for one statement or one transaction. */
class LentConnection implements DatabaseConnection {
  readonly #client: pg.Client & pg.PoolClient;
  readonly #caller: Caller;
  readonly #leave: () => void;
  /** The beginning of the transaction, sent with its first statement. */
  #opening: Statement[] = [];
  #isInTransaction = false;
  #hasFailed = false;
  #isGivenUp = false;
  #isReturned = false;

  constructor(client: pg.Client & pg.PoolClient, caller: Caller, leave: () => void) {
    this.#client = client;
    this.#caller = caller;
    this.#leave = leave;
  }

  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    const mode = accessMode === undefined ? '' : ` ${accessMode}`;
    this.#opening = this.#openingOf(`begin${level}${mode}`);
    this.#isInTransaction = true;
  }

  /** Answers how PostgreSQL ended the transaction. The connection is given up where that fails. */
  async end(by: 'commit' | 'rollback'): Promise<string> {
    const isSent = this.#opening.length === 0;
    this.#opening = [];
    this.#isInTransaction = false;
    if (!isSent) return by;
    try {
      const before = by === 'commit' ? this.#lastCheck() : [];
      const { command } = await this.#send(before, { text: by }, []);
      this.#hasFailed = false;
      return command;
    } catch (error) {
      this.#hasFailed = true;
      // A statement had failed before, and the commit after the check has rolled back.
      if ((error as { code?: string }).code === IN_FAILED) return 'ROLLBACK';
      const refusal = this.#refusalOf(error);
      this.#isGivenUp = refusal === null;
      throw refusal ?? error;
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // A query that was left behind must not run among another caller's.
    if (this.#isReturned) throw new Error('the connection was returned');
    const { reach, recheck } = this.#caller;
    const isSingle = !this.#isInTransaction && (reach !== null || recheck !== null);
    const isReading = isSingle && recheck !== null && !WRITES.test(query.sql);
    const before = isSingle ? this.#openingOf('begin', isReading) : this.#opening;
    this.#opening = [];
    try {
      const { command, rowCount, rows } = await this.#send(
        before,
        statementOf(query),
        isSingle ? [...(isReading ? [] : this.#lastCheck()), { text: 'commit' }] : [],
      );
      // A text of several statements has an array of results, which has none of these.
      const answer = { rows: (rows as Row[] | undefined) ?? [] };
      return CHANGES.has(command) ? { ...answer, numAffectedRows: BigInt(rowCount ?? 0) } : answer;
    } catch (error) {
      this.#hasFailed = true;
      if ((error as { code?: string }).code === READ_ONLY) this.#isGivenUp = true;
      const refusal = this.#refusalOf(error);
      if (refusal !== null) throw refusal;
      // The driver's error ends where the answer was read; this adds who asked.
      if (error instanceof Error) error.stack = `${error.stack ?? ''}\n${callersOf(new Error())}`;
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('the server reads without cursors');
  }

  /** Returns it to the pool; closes it where it was given up, or a transaction is still open. */
  async release(): Promise<void> {
    // An error arrives before the state of the transaction, which one more statement waits for: a
    // text of several statements that fails in the middle leaves a transaction open.
    if (this.#hasFailed && !this.#isGivenUp)
      await this.#client.query('').catch(() => (this.#isGivenUp = true));
    this.#isReturned = true;
    this.#client.release(this.#isGivenUp || this.#client.getTransactionStatus() !== 'I');
    this.#leave();
  }

  #openingOf(begin: string, isReading = false): Statement[] {
    const { reach, recheck, first } = this.#caller;
    const isChecked = first !== undefined && recheck !== null && !isReading;
    return [
      { text: isReading ? `${begin} read only` : begin },
      ...(reach === null ? [] : [reachStatement(reach)]),
      ...(isChecked && first.lock !== undefined ? [{ text: first.lock }] : []),
      ...(isChecked ? [recheck.statement(true)] : []),
    ];
  }

  /** What is sent before the commit of a transaction that may have written. */
  #lastCheck(): Statement[] {
    const { recheck, first } = this.#caller;
    return recheck === null || first !== undefined ? [] : [recheck.statement(false)];
  }

  /**
   * The refusal that a failed check means; null for any other error, and where the caller has sent
   * the check itself.
   */
  #refusalOf(error: unknown): Refusal | null {
    const status = /^GH(\d{3})$/.exec((error as { code?: string }).code ?? '')?.[1];
    if (status === undefined) return null;
    // Of our own functions only (migration 0019).
    return this.#caller.recheck?.refusalOf(Number(status) as RecheckStatus) ?? null;
  }

  /** Sends them in one write. The statement has a result only where none of them fails. */
  async #send(before: Statement[], statement: Statement, after: Statement[]) {
    const { stream } = this.#client.connection;
    stream.cork();
    const answers = [...before, statement, ...after].map((one) => this.#client.query(one));
    stream.uncork();
    return (await Promise.all(answers))[before.length]!;
  }
}

/**
 * One that is written as a whole (`sql`) is prepared, because planning one of a payment takes
 * longer than running it. It names its columns: `SELECT *` of a prepared statement fails once a
 * newer version adds one. What the query builder makes varies with its values and is planned each
 * time.
 */
function statementOf({ sql, parameters, query }: CompiledQuery): Statement {
  const statement = { text: sql, values: parameters as unknown[] };
  const isPrepared = query.kind === 'RawNode' && parameters.length > 0;
  return isPrepared ? { name: nameOf(sql), ...statement } : statement;
}

/** By text, which is hashed once. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = hash('sha256', text, 'base64url')));
  return name;
}

function callersOf({ stack = '' }: Error): string {
  return stack.slice(stack.indexOf('\n') + 1);
}

/**
 * Waits until the user may have one more connection, as long as for a connection and with the
 * pool's error at the end; returns a function for when it is released.
 */
async function enter({ pool, users }: SharedPool, reach: Reach): Promise<() => void> {
  if (reach === null) return () => {};
  const { promise, resolve, reject } = Promise.withResolvers<() => void>();
  const client = 'staffId' in reach ? reach.staffId : reach.userId;
  const call = {
    client,
    start() {
      clearTimeout(timer);
      resolve(() => users.end(client));
    },
  };
  const timer = setTimeout(() => {
    users.remove(call);
    reject(new Error('timeout exceeded when trying to connect'));
  }, pool.options.connectionTimeoutMillis);
  users.add(call);
  return promise;
}
