import {
  AbortedTransactionError,
  CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type ConnectionProvider,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import type { Connection } from './connection.ts';

/** Lends a connection of a pool that serves one reach, or fails as the pool does. */
export type Lend = () => Promise<LentConnection>;

/** A connection of the pool for one statement, one transaction or one pipeline. */
export class LentConnection implements DatabaseConnection {
  readonly #connection: Connection;
  readonly #giveBack: (isGivenUp: boolean) => void;
  #isGivenUp = false;

  /** `giveBack` returns it to the pool, or closes it. */
  constructor(connection: Connection, giveBack: (isGivenUp: boolean) => void) {
    this.#connection = connection;
    this.#giveBack = giveBack;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isGivenUp) throw new Error('the connection was given up');
    try {
      const { command, rowCount, rows } = (await this.#connection.query(
        sql,
        parameters as unknown[],
      )) as AnyResult;
      // Kysely reads of it whether a commit was none.
      if (command === 'ROLLBACK' || command === 'COMMIT') return { rows: [{ command } as Row] };
      return isChange(command)
        ? { numAffectedRows: BigInt(rowCount ?? 0), rows: rows as Row[] }
        : { rows: (rows ?? []) as Row[] };
    } catch (error) {
      // The driver's error ends where the answer was read; this adds who asked.
      if (error instanceof Error) error.stack = `${error.stack ?? ''}\n${linesOf(new Error())}`;
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('a connection that is pipelined has no cursors');
  }

  /** Has it closed when it is returned. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  giveBack(): void {
    this.#giveBack(this.#isGivenUp);
  }
}

/** A text of several statements has an array of results, which has none of these. */
type AnyResult = Partial<Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>>;

function isChange(command: string | undefined): boolean {
  return (
    command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE'
  );
}

function linesOf({ stack = '' }: Error): string {
  return stack.slice(stack.indexOf('\n') + 1);
}

/** Begins and ends the transactions of a pool, on connections that `KyselyPool` provides. */
class PoolDriver implements Driver {
  readonly #pool: pg.Pool;
  #ending: Promise<void> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<never> {
    return noPool();
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    const mode = accessMode === undefined ? '' : ` ${accessMode}`;
    const settings = level + mode;
    const begin = settings === '' ? 'begin' : `start transaction${settings}`;
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { rows } = await connection.executeQuery<{ command: string }>(
      CompiledQuery.raw('commit'),
    );
    // What PostgreSQL makes of a commit after a statement that failed.
    if (rows[0]?.command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    } catch (error) {
      if (connection instanceof LentConnection) connection.giveUp();
      throw error;
    }
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    this.#ending ??= this.#pool.end();
    return this.#ending;
  }
}

/** Begins no transaction: the statements of others on its connection would be part of it. */
class PipelineDriver extends DummyDriver {
  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error('the statements of a pipeline are each by themselves'));
  }
}

const noPool = () => Promise.reject(new Error('a connection is lent for one reach'));
const executor = new DefaultQueryExecutor(new PostgresQueryCompiler(), new PostgresAdapter(), {
  provideConnection: noPool,
});
const dialect = new PostgresDialect({ pool: noPool });

function databaseOn<Tables>(driver: Driver, provider: ConnectionProvider): Kysely<Tables> {
  return new Kysely<Tables>({
    config: { dialect },
    dialect,
    driver,
    executor: executor.withConnectionProvider(provider),
  });
}

/**
 * A pool as the query builder uses it. What belongs to the pool is made once, so that a database
 * for one request costs two small objects.
 */
export class KyselyPool {
  readonly #driver: PoolDriver;

  constructor(pool: pg.Pool) {
    this.#driver = new PoolDriver(pool);
  }

  /** A database each of whose statements and transactions uses a connection that `lend` lends. */
  serve<Tables>(lend: Lend): Kysely<Tables> {
    return databaseOn(this.#driver, {
      async provideConnection(consumer) {
        const connection = await lend();
        try {
          return await consumer(connection);
        } finally {
          connection.giveBack();
        }
      },
    });
  }
}

const pipelineDriver = new PipelineDriver();

/**
 * Does some work on a connection: its statements are sent without waiting for each other's answers,
 * and no transaction can be begun. Resolves when every statement is answered.
 */
export async function pipelineOn<Tables, Answer>(
  connection: DatabaseConnection,
  work: (db: Kysely<Tables>) => Promise<Answer>,
): Promise<Answer> {
  const underWay = new Set<Promise<unknown>>();
  const provider: ConnectionProvider = {
    async provideConnection(consumer) {
      const answer = consumer(connection);
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
  };
  try {
    return await work(databaseOn(pipelineDriver, provider));
  } finally {
    await Promise.allSettled(underWay);
  }
}
