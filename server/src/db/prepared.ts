import { sql, type QueryResult } from 'kysely';
import { requestMode } from './connection.ts';
import type { Database } from './database.ts';

/** A whole statement, which cannot be part of another one. */
type Prepared<Row> = { execute(db: Database): Promise<QueryResult<Row>> };

/**
 * Like `sql`, for a statement that its connection prepares, so that PostgreSQL does not plan it
 * each time (decision 20). Meant for what a tenant's request, a payment or each ledger of a run
 * executes. The statement names its columns, because `SELECT *` fails once a newer version adds
 * one, and its text does not vary with its values: lists are arrays.
 */
export function prepared<Row>(text: TemplateStringsArray, ...values: unknown[]): Prepared<Row> {
  const statement = sql<Row>(text, ...values);
  return {
    execute(db) {
      const query = statement.compile(db);
      requestMode(query.parameters, 'prepared');
      return db.executeQuery(query);
    },
  };
}
