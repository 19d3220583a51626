import { sql, type RawBuilder } from 'kysely';
import type { LeaseImport } from '#context/lease-import.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { IdKind } from './columns.ts';
import { columnsAsTheyAre, importFiles, type FileName } from './files.ts';
import { staged, type Staging } from './staging.ts';

/** The facility that is taken over, in its transaction. */
export type Place = {
  db: DatabaseTransaction;
  staging: Staging;
  facility: string;
  facilityId: string;
  now: Date;
  /** Before this day nothing is done because a rental is late; null for at once. */
  lateFrom: string | null;
  /** How many rentals have been posted to so far. */
  onPosted: (rentals: number) => void;
  /** Who imports in the office; undefined for the command. */
  by: LeaseImport['by'] | undefined;
};

/** How many rows of a file were made and how many were changed. */
export type Counts = { made: number; changed: number };

/**
 * A column of a table, what a staged row `s` gives it, and by which column of the file. Without one
 * it is set when the row is made and never again.
 */
export type Target = [column: string, value: RawBuilder<unknown>, from: string | null];

/**
 * Where staged rows go: `joins` and `where` see `s`; `id` is the table's key, and `kind` what their
 * ids are kept as.
 */
export type Destination = {
  file: FileName;
  table: string;
  id?: 'id' | 'ledger_id';
  kind?: IdKind;
  columns: Target[];
  joins?: RawBuilder<unknown>;
  where?: RawBuilder<unknown>;
  /** What else is set in a row `t` that is changed. */
  sets?: RawBuilder<unknown>;
};

/**
 * Takes the facility's staged rows over: changes what is there and differs, in the columns that the
 * file has, then makes the others and keeps their ids.
 */
export async function writeRows(place: Place, destination: Destination): Promise<Counts> {
  const { db, staging, facility, facilityId } = place;
  const { file, table, id = 'id', kind, columns, joins = sql``, where = sql`true` } = destination;
  const into = sql.table(table);
  const rows = sql`FROM ${staged(file)} s ${joins} WHERE s.facility = ${facility} AND ${where}`;
  const changing = columns.filter(
    ([, , from]) => from !== null && staging.columns.get(file)?.has(from),
  );
  let changed = 0;
  if (changing.length > 0) {
    const names = changing.map(([column]) => column);
    const list = (alias: string) => sql.join(names.map((name) => sql.ref(`${alias}.${name}`)));
    const changes = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`v.${name}`)}`);
    if (destination.sets !== undefined) changes.push(destination.sets);
    const update = await sql`
      UPDATE ${into} t SET ${sql.join(changes)}
      FROM (SELECT s.row_id, ${selected(changing)} ${rows} AND NOT s.is_new) v
      WHERE t.${sql.ref(id)} = v.row_id AND ROW(${list('t')}) IS DISTINCT FROM ROW(${list('v')})`.execute(
      db,
    );
    changed = Number(update.numAffectedRows ?? 0);
  }
  const insert = await sql`
    INSERT INTO ${into} (${sql.ref(id)}, ${sql.join(columns.map(([column]) => sql.ref(column)))})
    SELECT s.row_id, ${selected(columns)} ${rows} AND s.is_new`.execute(db);
  if (kind !== undefined)
    await sql`
      INSERT INTO external_ids (facility_id, kind, external_id, row_id)
      SELECT ${facilityId}::uuid, ${kind}::text, ${sql.ref(`s.${importFiles[file].key[0]!}`)}, s.row_id
      ${rows} AND s.is_new`.execute(db);
  return { made: Number(insert.numAffectedRows ?? 0), changed };
}

function selected(columns: Target[]): RawBuilder<unknown> {
  return sql.join(columns.map(([column, value]) => sql`${value} AS ${sql.ref(column)}`));
}

/** `s`'s own column, as it is, under the table's name for it; `otherwise` where it is empty. */
export function own(column: string, from = column, otherwise?: string): Target {
  const value = sql.ref(`s.${from}`);
  return [
    column,
    otherwise === undefined ? value : sql`coalesce(${value}, ${sql.raw(otherwise)})`,
    from,
  ];
}

/** Every column of a file that its table takes as it is. */
export function ownColumns(file: FileName): Target[] {
  return columnsAsTheyAre(file).map(({ name, into, otherwise }) => own(into, name, otherwise));
}

/** The row that `s` names in a column, by a join with `knownAs` under that alias. */
export function named(alias: string): RawBuilder<unknown> {
  return sql.ref(`${alias}.row_id`);
}

/** Joins the row of a kind that `s` names in a column. */
export function knownAs(
  alias: string,
  kind: IdKind,
  column: string,
  isOptional = false,
): RawBuilder<unknown> {
  const known = sql.ref(alias);
  return sql`${sql.raw(isOptional ? 'LEFT JOIN' : 'JOIN')} known_ids ${known}
    ON ${known}.kind = ${kind}::text AND ${known}.facility = s.facility AND ${known}.id = ${sql.ref(`s.${column}`)}`;
}

/** The middle of a day by the clock of the facility `f`, or now where that is still to come. */
export function atNoon(day: string, now: Date): RawBuilder<unknown> {
  return sql`least((${sql.ref(day)} + time '12:00') AT TIME ZONE f.time_zone, ${now}::timestamptz)`;
}
