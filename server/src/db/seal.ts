import { sql } from 'kysely';
import { StartFault } from '#start-fault.ts';
import { BrokenSeal, SEAL, sealedColumns, type SealedColumn, type Vault } from '#vault.ts';
import type { Database } from './database.ts';

const BATCH = 500;

/**
 * Seals values that are still plain, in a database of an earlier version, and seals again those
 * under an older key, which rotates keys (D25). Each batch commits by itself, so an interrupted
 * start continues, and servers that run meanwhile read both. Throws a StartFault for a value that
 * no key opens.
 */
export async function sealStoredValues(owner: Database, vault: Vault): Promise<void> {
  for (const column of Object.keys(sealedColumns) as SealedColumn[]) {
    while ((await sealBatch(owner, vault, column)) === BATCH);
  }
}

/**
 * Throws a StartFault where a sealed value opens with none of the keys, which then belong to
 * another database.
 */
export async function checkSeals(owner: Database, vault: Vault): Promise<void> {
  for (const column of Object.keys(sealedColumns) as SealedColumn[]) {
    const { table, column: name, row } = sealedColumns[column];
    const { rows } = await sql<{ id: string; value: string }>`
      SELECT ${sql.ref(row)} AS id, ${sql.ref(name)} AS value FROM ${sql.table(table)}
      WHERE NOT starts_with(${sql.ref(name)}, ${vault.currentSeal}) LIMIT 1`.execute(owner);
    for (const { id, value } of rows) plainOf(vault, column, id, value);
  }
}

/** Seals up to a batch of values that are not under the first key; returns their number. */
async function sealBatch(owner: Database, vault: Vault, column: SealedColumn): Promise<number> {
  const { table, column: name, row } = sealedColumns[column];
  const { rows } = await sql<{ id: string; value: string }>`
    SELECT ${sql.ref(row)} AS id, ${sql.ref(name)} AS value FROM ${sql.table(table)}
    WHERE NOT starts_with(${sql.ref(name)}, ${vault.currentSeal}) LIMIT ${BATCH}`.execute(owner);
  const sealed = rows.map(({ id, value }) => vault.seal(column, id, plainOf(vault, column, id, value)));
  // Only unchanged values: a server may have written meanwhile.
  await sql`
    UPDATE ${sql.table(table)} t SET ${sql.ref(name)} = s.sealed
    FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ value }) => value)}::text[], ${sealed}::text[])
      AS s (id, value, sealed)
    WHERE t.${sql.ref(row)} = s.id AND t.${sql.ref(name)} = s.value`.execute(owner);
  return rows.length;
}

function plainOf(vault: Vault, column: SealedColumn, id: string, value: string): string {
  if (!value.startsWith(SEAL)) return value;
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
