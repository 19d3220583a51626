import { MOST_ROWS, USUAL_ROWS } from '@gatehouse/contract/office/lists';
import { sql, type RawBuilder } from 'kysely';
import { Refusal } from '#errors/refusal.ts';

/** An expression to sort by, never null, and the type as which it comes back. */
export type SortKey = {
  by: RawBuilder<unknown>;
  as: 'text' | 'bigint' | 'date' | 'timestamptz' | 'uuid' | 'boolean';
};

/**
 * The keys of each sort, the last of which no two rows share, and its order where none is named.
 * `isReversed` is for keys that fall while what the sort is named after rises.
 */
export type Sorts<Name extends string> = Record<
  Name,
  { keys: SortKey[]; order: 'asc' | 'desc'; isReversed?: true }
>;

type ListQuery = {
  after?: string | undefined;
  limit?: string | undefined;
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
};

/** How many rows are read, in the text of the statement: of a value the planner knows nothing. */
const PAGE_SIZES = [25, 50, 100, MOST_ROWS];

/** The parts of a statement that reads one page of a list, and what makes a page of its rows. */
export type Keyset = {
  /** The cursor of a row, a column of the statement. */
  cursor: RawBuilder<unknown>;
  /**
   * Whether a row comes after the page before; it says of the first key by itself what follows from
   * all, for the planner, who sees no more of a comparison of several.
   */
  isAfter: RawBuilder<unknown>;
  orderBy: RawBuilder<unknown>;
  /** The order by the first key only, and by the others. */
  direction: RawBuilder<unknown>;
  orderByRest: RawBuilder<unknown>;
  /** At least one more than are shown: a page is read in few sizes, each of which is a text. */
  limit: RawBuilder<unknown>;
  page<Row extends { cursor: (string | null)[] }>(
    rows: Row[],
  ): { rows: Omit<Row, 'cursor'>[]; next: string | null };
};

/**
 * The page of a list that a query asks for, by the keys of its sort: the next page begins after the
 * last row of this one, so that rows that come or go meanwhile neither repeat nor hide others.
 * Refuses with 422 an `after` that is of no page of this list.
 */
export function keysetOf<Name extends string>(query: ListQuery, sorts: Sorts<Name>): Keyset {
  const [first] = Object.keys(sorts) as Name[];
  const sort = (query.sort as Name | undefined) ?? first!;
  const { keys, order: usual, isReversed = false } = sorts[sort];
  const order = query.order ?? usual;
  const most = query.limit === undefined ? USUAL_ROWS : Math.min(Number(query.limit), MOST_ROWS);
  const read = PAGE_SIZES.find((size) => size >= most) ?? MOST_ROWS;
  const after =
    query.after === undefined ? null : readCursor(query.after, sort, order, keys.length);
  const isRising = (order === 'asc') !== isReversed;
  const direction = isRising ? sql`ASC` : sql`DESC`;
  const compared = isRising ? sql`>` : sql`<`;
  const tuple = sql.join(keys.map(({ by }) => by));
  const values = keys.map(({ as }, place) => sql`${after?.[place]}::${sql.raw(as)}`);
  return {
    cursor: sql`json_build_array(${sql.join(keys.map(({ by }) => sql`(${by})::text`))})`,
    isAfter:
      after === null
        ? sql`true`
        : sql`(${tuple}) ${compared} (${sql.join(values)}) AND ${keys[0]!.by} ${compared}= ${values[0]!}`,
    orderBy: sql.join(keys.map(({ by }) => sql`${by} ${direction}`)),
    direction,
    orderByRest: sql.join(keys.slice(1).map(({ by }) => sql`${by} ${direction}`)),
    limit: sql.lit(read + 1),
    page(rows) {
      const shown = rows.slice(0, most);
      const last = rows.length > most ? shown.at(-1) : undefined;
      return {
        rows: shown.map(({ cursor: _, ...row }) => row),
        next: last === undefined ? null : writeCursor([sort, order, ...last.cursor]),
      };
    },
  };
}

function writeCursor(parts: (string | null)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function readCursor(text: string, sort: string, order: string, count: number): string[] {
  const parts = parse(text);
  const [ofSort, ofOrder, ...values] = Array.isArray(parts) ? (parts as unknown[]) : [];
  const isFit =
    ofSort === sort &&
    ofOrder === order &&
    values.length === count &&
    values.every((value) => typeof value === 'string' && !value.includes('\0'));
  if (!isFit) throw notOfList();
  return values as string[];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
  } catch {
    return null;
  }
}

function notOfList(): Refusal {
  return new Refusal(422, 'After is of another list, sort or order.');
}

/** A value of a forged cursor that has not the type of its key. */
export function refuseForged(error: unknown): never {
  const { code } = error as { code?: string };
  if (code === '22P02' || code === '22007' || code === '22008' || code === '22003')
    throw notOfList();
  throw error;
}
