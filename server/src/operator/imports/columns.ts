import type { Schema } from '@gatehouse/contract/endpoint';
import { z } from 'zod/mini';
import type { SealedColumn } from '#crypto/vault.ts';

/**
 * What a column holds; `values.ts` reads each. Money becomes cents, percent basis points, a day
 * `YYYY-MM-DD`.
 */
export type Kind =
  | 'text'
  | 'id'
  | 'email'
  | 'phone'
  | 'state'
  | 'zip'
  | 'zone'
  | 'address'
  | 'contents'
  | 'gateCode'
  | 'day'
  | 'month'
  | 'money'
  | 'percent'
  | 'count'
  | 'yesNo';

/**
 * A column of a file: its name in the header, what it holds, and what it says, for docs/import.md.
 */
export type Column = {
  name: string;
  kind: Kind;
  says: string;
  isRequired: boolean;
  /** The most characters of a text, or the largest number. */
  most: number;
  /** The smallest number; 0 unless it is named. */
  least: number;
  /** The only texts that it may hold. */
  choices?: readonly string[];
  /**
   * The column of the table that takes it as it is; null where `apply.ts` says what becomes of it.
   */
  into: string | null;
  /** What an empty cell is in the table, in SQL; null unless it is named. */
  otherwise?: string;
  /** Sealed before it reaches the database, and exported only when that is asked for. */
  sealed?: SealedColumn;
};

/** What an id of another file is looked up as; null for what is found by its own columns. */
export type IdKind =
  | 'facility'
  | 'unit'
  | 'discount_plan'
  | 'protection_plan'
  | 'tenant'
  | 'ledger'
  | 'charge'
  | 'payment'
  | 'plan_term'
  | 'private_policy'
  | 'document'
  | 'payment_method';

/**
 * A file of the folder. Every one begins with `facility`; `key` identifies its rows within
 * a facility.
 */
export type ImportFile = {
  name: `${string}.csv`;
  says: string;
  key: string[];
  columns: Column[];
  /** Columns that name a row of another file, and of what kind. */
  refers: Record<string, IdKind>;
};

type Options = Partial<Omit<Column, 'name' | 'kind' | 'says' | 'isRequired'>>;

/** The largest sum that a cell may hold, in cents. */
export const LARGEST_SUM = 100_000_000_00;

function column(
  name: string,
  kind: Kind,
  says: string,
  isRequired: boolean,
  options: Options,
): Column {
  const into = name + (suffixes[kind] ?? '');
  return { name, kind, says, isRequired, most: mostOf(kind), least: 0, into, ...options };
}

/** A table's columns name their smallest part. */
const suffixes: Partial<Record<Kind, string>> = { money: '_cents', percent: '_basis_points' };

function mostOf(kind: Kind): number {
  switch (kind) {
    case 'money':
      return LARGEST_SUM;
    case 'percent':
      return 10_000;
    case 'count':
      return 1_000_000;
    case 'address':
      return 500;
    default:
      return 100;
  }
}

/** At most as many characters as the field of a form takes. */
export const asLongAs = (field: Schema) => ({
  most: z.toJSONSchema(field, { io: 'input' }).maxLength!,
});

/** A column that every row fills. */
export const must = (name: string, kind: Kind, says: string, options: Options = {}) =>
  column(name, kind, says, true, options);
/** A column that may be empty, or missing. */
export const may = (name: string, kind: Kind, says: string, options: Options = {}) =>
  column(name, kind, says, false, options);

/** Positions of entries are those of the database: they are compared separately. */
export const postingOrder = (name: string, says: string) =>
  may(name, 'count', says, { most: Number.MAX_SAFE_INTEGER });

/** A setting of a facility that an empty cell leaves off, or on where `isOn`. */
export const setting = (name: string, says: string, isOn = false) =>
  may(name, 'yesNo', `${says} (default ${isOn ? 'yes' : 'no'})`, { otherwise: String(isOn) });
