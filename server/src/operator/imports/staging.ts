import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { Vault } from '#crypto/vault.ts';
import type { Kind } from './columns.ts';
import { importFiles, type FileName } from './files.ts';
import type { Row } from './read.ts';

/**
 * Where the rows of the files lie until they are taken over: temporary tables of one connection,
 * which no other connection sees and which are gone with it. Secrets lie there sealed, for this
 * import only.
 */
export type Staging = {
  add: (file: FileName, rows: Row[]) => Promise<void>;
  /** Which columns the header of a file had; empty for a file that was not there. */
  columns: Map<FileName, Set<string>>;
  /** Opens what lies sealed in a staged row. */
  sealId: string;
};

/** Files that were there. */
export function fileNames(): FileName[] {
  return Object.keys(importFiles) as FileName[];
}

/**
 * The staged rows of a file: its columns, and `line`, `is_sound`, `row_id` and `is_new`, which
 * `identity.ts` sets.
 */
export function staged(file: FileName): RawBuilder<unknown> {
  return sql.table(tableOf(file));
}

function tableOf(file: FileName): string {
  return `staged_${file.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

const types: Record<Kind, string> = {
  text: 'text',
  id: 'text',
  email: 'text',
  phone: 'text',
  state: 'text',
  zone: 'text',
  address: 'text',
  contents: 'text',
  gateCode: 'text',
  day: 'date',
  month: 'text',
  zip: 'text',
  money: 'bigint',
  percent: 'integer',
  count: 'bigint',
  yesNo: 'boolean',
};

/**
 * Ids of what else is made of a row: the attempt that a payment came of and what takes it back, and
 * the consent to autopay.
 */
const furtherIds: Partial<Record<FileName, string>> = {
  payments:
    'intent_id uuid NOT NULL DEFAULT gen_random_uuid(), back_id uuid NOT NULL DEFAULT gen_random_uuid(),',
  autopay: 'mandate_id uuid NOT NULL DEFAULT gen_random_uuid(),',
};

/** Makes the tables, empty. `db` must keep to one connection. */
export async function openStaging(db: Database, vault: Vault): Promise<Staging> {
  const sealId = randomUUID();
  for (const file of fileNames()) {
    const columns = importFiles[file].columns.map(
      ({ name, kind }) => sql`${sql.ref(name)} ${sql.raw(types[kind])}`,
    );
    await sql`
      CREATE TEMPORARY TABLE ${staged(file)} (line integer NOT NULL, is_sound boolean NOT NULL,
        row_id uuid NOT NULL DEFAULT gen_random_uuid(), is_new boolean NOT NULL DEFAULT true,
        ${sql.raw(furtherIds[file] ?? '')} ${sql.join(columns)})`.execute(db);
  }
  return {
    columns: new Map(),
    sealId,
    async add(file, rows) {
      const { columns } = importFiles[file];
      const lists = columns.map(({ kind, sealed }, place) => {
        const values = rows.map(({ values: all }) => all[place] ?? null);
        const kept =
          sealed === undefined
            ? values
            : values.map((value) =>
                value === null ? null : vault.seal(sealed, sealId, String(value)),
              );
        return sql`${kept}::${sql.raw(types[kind])}[]`;
      });
      await sql`
        INSERT INTO ${staged(file)} (line, is_sound, ${sql.join(columns.map(({ name }) => sql.ref(name)))})
        SELECT * FROM unnest(${rows.map(({ line }) => line)}::integer[], ${rows.map(({ isSound }) => isSound)}::boolean[],
          ${sql.join(lists)})`.execute(db);
    },
  };
}

/**
 * Once all rows are there: what is asked of them by facility and by ledger is found, and the
 * planner knows how many.
 */
export async function settleStaging(db: Database): Promise<void> {
  for (const file of fileNames()) {
    const isByLedger = importFiles[file].columns.some(({ name }) => name === 'ledger_id');
    await sql`CREATE INDEX ON ${staged(file)} (facility${sql.raw(isByLedger ? ', ledger_id' : '')})`.execute(
      db,
    );
    await sql`ANALYZE ${staged(file)}`.execute(db);
  }
}
