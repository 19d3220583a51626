import { sql } from 'kysely';
import { StartFault } from '#errors/start-fault.ts';
import {
  BrokenSeal,
  SEAL,
  SEAL_LENGTH,
  sealedColumns,
  type SealedColumn,
  type Vault,
} from '#crypto/vault.ts';
import { inBatches } from './batches.ts';
import type { Database } from './database.ts';

/**
 * Seals values that are still plain, in a database of an earlier version, and seals again those
 * under an older key, which rotates keys (D25). Each batch commits by itself, so an interrupted
 * start continues, and servers that run meanwhile read both. Throws a StartFault for a value that
 * no key opens.
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
    for (const { id, value } of await findUnsealed(owner, vault, column, 1))
      plainOf(vault, column, id, value);
  }
}

/** Seals up to a batch of values that are not under the first key; returns their number. */
async function sealBatch(
  owner: Database,
  vault: Vault,
  column: SealedColumn,
  limit: number,
): Promise<number> {
  const { table, column: name, row } = sealedColumns[column];
  const rows = await findUnsealed(owner, vault, column, limit);
  const sealed = rows.map(({ id, value }) =>
    vault.seal(column, id, plainOf(vault, column, id, value)),
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
 * Values that are plain or sealed under another key than the first. An unsent plain mail is left
 * out: a server of the version before, which sends what it reads, may be about to send it. Smaller
 * and greater seals are asked for apart, because the indexes of mails, which are many, serve one
 * range at a time.
 */
async function findUnsealed(
  owner: Database,
  { currentSeal }: Vault,
  column: SealedColumn,
  limit: number,
): Promise<{ id: string; value: string }[]> {
  const { table, column: name, row } = sealedColumns[column];
  const value = sql.ref(name);
  const isOurs =
    table === 'mails'
      ? sql`${value} <> '' AND (sent_at IS NOT NULL OR starts_with(${value}, ${SEAL}))`
      : sql`${value} <> ''`;
  const found = sql`SELECT ${sql.ref(row)} AS id, ${value} AS value FROM ${sql.table(table)}
    WHERE ${isOurs} AND left(${value}, ${sql.lit(SEAL_LENGTH)})`;
  const { rows } = await sql<{ id: string; value: string }>`
    ${found} < ${currentSeal} UNION ALL ${found} > ${currentSeal} LIMIT ${limit}`.execute(owner);
  return rows;
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
