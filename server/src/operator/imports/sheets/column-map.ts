import { holdsCardNumber } from '#telemetry/scrub.ts';
import { StartFault } from '#errors/start-fault.ts';
import { fieldOf, headings as known, plainHeading, type SheetField } from './headings.ts';
import type { Table } from './table.ts';

/** What each heading of a form holds; null for what is left out. */
export type KeptMap = Record<string, SheetField | null>;

/**
 * A column of a table: what it is taken for, null for nothing; whether the dictionary said so, the
 * map that was kept of this form, or the one who imports; and what is in it.
 */
export type MappedColumn = {
  heading: string;
  field: SheetField | null;
  by: 'dictionary' | 'kept' | 'given' | 'unknown';
  /** The first different values. */
  samples: string[];
  /** How many different values, and how many rows have one. */
  values: number;
  filled: number;
};

const SAMPLES = 4;

/**
 * Proposes what the columns of a table hold. A field that several columns would be is the first of
 * them. `given`, by heading, has the last word; a heading that is not there is a StartFault.
 */
export function mapColumns(table: Table, kept: KeptMap, given: KeptMap): MappedColumn[] {
  const plainGiven = byPlain(given);
  const plainKept = byPlain(kept);
  for (const heading of Object.keys(given))
    if (!table.headings.some((one) => plainHeading(one) === plainHeading(heading)))
      throw new StartFault(`${table.file} has no column "${heading}".`);
  const mapped = table.headings.map((heading, place): MappedColumn => {
    const plain = plainHeading(heading);
    const [field, by] = plainGiven.has(plain)
      ? [plainGiven.get(plain)!, 'given' as const]
      : plainKept.has(plain)
        ? [plainKept.get(plain)!, 'kept' as const]
        : byDictionary(heading);
    const cells = table.rows.map(({ cells: all }) => (all[place] ?? '').trim()).filter(Boolean);
    const different = new Set(cells);
    return {
      heading,
      field,
      by,
      samples: [...different]
        .slice(0, SAMPLES)
        .map((cell) => (holdsCardNumber(cell) ? '(a card number)' : cell.slice(0, 40))),
      values: different.size,
      filled: cells.length,
    };
  });
  const strength = { given: 2, kept: 1, dictionary: 0, unknown: 0 };
  const taken = new Map<SheetField, MappedColumn>();
  for (const column of mapped.toSorted((one, other) => strength[other.by] - strength[one.by])) {
    if (column.field === null) continue;
    if (taken.has(column.field)) Object.assign(column, { field: null, by: 'unknown' });
    else taken.set(column.field, column);
  }
  return mapped;
}

function byDictionary(heading: string): [SheetField | null, 'dictionary' | 'unknown'] {
  const field = fieldOf(heading);
  return [field, field === null ? 'unknown' : 'dictionary'];
}

function byPlain(map: KeptMap): Map<string, SheetField | null> {
  return new Map(Object.entries(map).map(([heading, field]) => [plainHeading(heading), field]));
}

/**
 * What `Rent Amt=rental_rate` says of a column, or `Notes=` to leave it out. Throws a StartFault
 * for a field that is none.
 */
export function readGiven(texts: string[]): KeptMap {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf('=');
      const field = text.slice(at + 1).trim();
      if (at < 1 || (field !== '' && !Object.hasOwn(known, field)))
        throw new StartFault(
          `--column ${text} must be a heading, = and one of ${Object.keys(known).join(', ')}, or nothing to leave it out.`,
        );
      return [text.slice(0, at), field === '' ? null : (field as SheetField)];
    }),
  );
}

/** What is understood by its headings, to be kept for the next file of this form. */
export function keptOf(columns: MappedColumn[]): KeptMap {
  const understood = columns.filter(({ by }) => by !== 'unknown');
  return Object.fromEntries(understood.map(({ heading, field }) => [heading, field]));
}

/** Which fields a lease cannot be without, in words, and that no column has. */
export function missingFields(columns: MappedColumn[]): string[] {
  const has = (...fields: SheetField[]) =>
    columns.some(({ field }) => field !== null && fields.includes(field));
  const needs: [boolean, string][] = [
    [has('unit'), 'the unit (unit)'],
    [has('name', 'last_name', 'company'), 'the tenant (name)'],
    [has('moved_in_on'), 'the move-in (moved_in_on)'],
    [has('rental_rate'), 'the rent (rental_rate)'],
    [has('paid_through', 'next_billing_on'), 'the day that rent is paid through (paid_through)'],
    [has('balance', 'rent_due'), 'the balance (balance)'],
  ];
  return needs.filter(([isThere]) => !isThere).map(([, says]) => says);
}
