import { sql, type RawBuilder } from 'kysely';
import type { FileName } from './files.ts';

/**
 * A query that answers `facility`, `line` and `says` of each staged row that it is about; all are
 * of its file, so it has nothing to ask where that did not come.
 */
export type Check = { file: FileName; column: string | null; query: RawBuilder<unknown> };

/** A check by its query, as a template of `sql`. */
export const check =
  (file: FileName, column: string) =>
  (query: TemplateStringsArray, ...values: unknown[]): Check => ({
    file,
    column,
    query: sql(query, ...values),
  });

/** Cents, as a sentence says them. */
export const dollars = (cents: RawBuilder<unknown>) => sql`(${cents} / 100.0)::numeric(14, 2)`;
