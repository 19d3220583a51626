import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import type { Tables } from '#db/tables.ts';

/** The owner's connection, the app's, or a transaction of one of them. */
type Db = Kysely<Tables>;
type Row<T extends keyof Tables> = Selectable<Tables[T]>;
type Column<T extends keyof Tables> = keyof Row<T> & string;
/** What the rows have: a column's value, one of several, or null. */
type Where<T extends keyof Tables> = {
  [C in keyof Row<T>]?: Row<T>[C] | readonly Row<T>[C][] | undefined;
};

/** These columns of a table's rows, in no order. */
export function findRows<T extends keyof Tables, C extends Column<T>>(
  db: Db,
  table: T,
  columns: C | readonly C[],
  where: Where<T> = {},
): Promise<Pick<Row<T>, C>[]> {
  const query = db.selectFrom(table as 'tenants').select(columns as 'id');
  return fitting(query, where).execute() as unknown as Promise<Pick<Row<T>, C>[]>;
}

/** These columns of one row, which is there. */
export async function getRow<T extends keyof Tables, C extends Column<T>>(
  db: Db,
  table: T,
  columns: C | readonly C[],
  where: Where<T> = {},
): Promise<Pick<Row<T>, C>> {
  const [row] = await findRows(db, table, columns, where);
  if (row === undefined) throw new Error(`there is no row of ${table} as ${JSON.stringify(where)}`);
  return row;
}

/** Writes these values into the rows. */
export async function changeRows<T extends keyof Tables>(
  db: Db,
  table: T,
  values: Updateable<Tables[T]>,
  where: Where<T> = {},
): Promise<void> {
  const query = db.updateTable(table as 'tenants').set(values as Updateable<Tables['tenants']>);
  await fitting(query, where).execute();
}

/** Inserts a row, or several. */
export async function addRows<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: Insertable<Tables[T]> | readonly Insertable<Tables[T]>[],
): Promise<void> {
  const query = db.insertInto(table as 'tenants');
  await query.values(rows as Insertable<Tables['tenants']>).execute();
}

type Filter<Query> = { where(column: 'id', operator: '=' | 'in' | 'is', value: never): Query };

/** The query of the rows that have these values. */
function fitting<Query extends Filter<Query>>(query: Query, where: object): Query {
  return Object.entries(where).reduce(
    (narrowed, [column, value]) =>
      narrowed.where(column as 'id', operatorOf(value), value as never),
    query,
  );
}

function operatorOf(value: unknown): '=' | 'in' | 'is' {
  if (value === null) return 'is';
  return Array.isArray(value) ? 'in' : '=';
}
