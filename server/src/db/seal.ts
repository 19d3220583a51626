import { sql } from 'kysely';
import { StartFault } from '#errors/start-fault.ts';
import {
  BrokenSeal,
  SEAL_LENGTH,
  sealedColumns,
  type SealedColumn,
  type Vault,
} from '#crypto/vault.ts';
import { inBatches } from './batches.ts';
import type { Database } from './database.ts';

/**
 * Seals values under the first key again that are under an older one, which rotates keys. Each
 * batch commits by itself, so an interrupted start continues, and servers that run meanwhile read
 * both. Throws a StartFault for a value that no key opens.
 */
export async function sealStoredValues(owner: Database, vault: Vault): Promise<void> {
  for (const column of Object.keys(sealedColumns) as SealedColumn[]) {
    await inBatches(500, (limit) => sealBatch(owner, vault, column, limit));
  }
}

/**
 * Throws a StartFault where a sealed value opens with none of the keys, which then belong to
 * another database.
 */
export async function checkSeals(owner: Database, vault: Vault): Promise<void> {
  for (const column of Object.keys(sealedColumns) as SealedColumn[]) {
    for (const { id, value } of await findOlder(owner, vault, column, 1))
      open(vault, column, id, value);
  }
}

/** Seals up to a batch of values again; returns their number. */
async function sealBatch(
  owner: Database,
  vault: Vault,
  column: SealedColumn,
  limit: number,
): Promise<number> {
  const { table, column: name, row } = sealedColumns[column];
  const rows = await findOlder(owner, vault, column, limit);
  const sealed = rows.map(({ id, value }) =>
    vault.seal(column, id, open(vault, column, id, value)),
  );
  // Only unchanged values: a server may have written meanwhile.
  await sql`
    UPDATE ${sql.table(table)} t SET ${sql.ref(name)} = s.sealed
    FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ value }) => value)}::text[], ${sealed}::text[])
      AS s (id, value, sealed)
    WHERE t.${sql.ref(row)} = s.id AND t.${sql.ref(name)} = s.value`.execute(owner);
  return rows.length;
}

/**
 * Values that are sealed under another key than the first. Smaller and greater seals are asked for
 * apart, because the indexes of mails, which are many, serve one range at a time.
 */
async function findOlder(
  owner: Database,
  { currentSeal }: Vault,
  column: SealedColumn,
  limit: number,
): Promise<{ id: string; value: string }[]> {
  const { table, column: name, row } = sealedColumns[column];
  const value = sql.ref(name);
  const found = sql`SELECT ${sql.ref(row)} AS id, ${value} AS value FROM ${sql.table(table)}
    WHERE ${value} <> '' AND left(${value}, ${sql.lit(SEAL_LENGTH)})`;
  const { rows } = await sql<{ id: string; value: string }>`
    ${found} < ${currentSeal} UNION ALL ${found} > ${currentSeal} LIMIT ${limit}`.execute(owner);
  return rows;
}

function open(vault: Vault, column: SealedColumn, id: string, value: string): string {
  try {
    return vault.open(column, id, value);
  } catch (error) {
    if (!(error instanceof BrokenSeal)) throw error;
    const { table, column: name } = sealedColumns[column];
    throw new StartFault(
      `A sealed value in ${table}.${name} opens with none of the keys; add the key that sealed it to the end of DATA_KEYS.`,
    );
  }
}
