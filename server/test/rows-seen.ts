import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll } from 'vitest';

/**
 * The columns of a result by their names: the type that PostgreSQL described, by its id, and
 * whether a row had null there.
 */
export type SeenColumns = Record<string, { type: number; hadNull: boolean }>;

type Result = pg.QueryResult<Record<string, unknown>>;

const folder = process.env['ROWS_SEEN'];
const seen = new Map<string, SeenColumns>();

// A run of all tests names the folder; `row-types.ts` reads what is noted there.
if (folder !== undefined) {
  const client = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const { query } = client;
  client.query = function (...given) {
    const answer = query.apply(this, given);
    const [first] = given as [string | { text?: string }];
    const text = typeof first === 'string' ? first : first.text;
    if (text !== undefined && answer instanceof Promise)
      answer.then(
        // Several statements in one text have several results.
        (result: Result | Result[]) => Array.isArray(result) || note(text, result),
        () => {},
      );
    return answer;
  };
  const file = join(folder, `${process.pid}-${Math.random()}.json`);
  afterAll(() => writeFileSync(file, JSON.stringify([...seen])));
}

function note(text: string, { fields, rows }: Result): void {
  if (fields.length === 0) return;
  const columns = seen.get(text) ?? {};
  seen.set(text, columns);
  for (const { name, dataTypeID } of fields)
    columns[name] = {
      type: dataTypeID,
      hadNull: columns[name]?.hadNull || rows.some((row) => row[name] === null),
    };
}
