import pg from 'pg';
import { SEAL, SEAL_LENGTH, sealedColumns } from '#crypto/vault.ts';

/** A table of a backup; `name` includes its schema, quoted for SQL. */
export type StoredTable = {
  name: string;
  columns: string[];
  isForced: boolean;
  hasTriggers: boolean;
};

/** Tables that the migrations fill, and the owner's bookkeeping: a restore replaces them. */
export const filledByMigrations = new Set([
  'public.gate_schedules',
  'public.envelope_statuses',
  'public.audit_chain',
  'public.known_keys',
  'public.backups',
]);

/**
 * An owner connection to read or write everything: without time limits, and with settings that make
 * the text of values the same on every server. Names include their schema.
 */
export async function connectAsOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // A pending statement rejects when the connection breaks; without a listener the event would end
  // the process.
  client.on('error', () => {});
  await client.connect();
  await client.query(`SET search_path = pg_catalog; SET timezone = 'UTC'; SET datestyle = 'ISO, YMD';
    SET intervalstyle = 'iso_8601'; SET bytea_output = 'hex'; SET extra_float_digits = 1; SET client_encoding = 'UTF8';
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s'`);
  return client;
}

/** Closes a connection at once, whatever it does; the database rolls back. */
export function hangUp(client: pg.Client): void {
  client.connection.stream.destroy();
}

/**
 * All our tables; those of the job queue belong to its package, and its jobs are stored separately.
 */
export async function readTables(client: pg.Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(`
    SELECT c.oid::regclass::text AS name, c.relforcerowsecurity AS "isForced",
      EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) AS "hasTriggers",
      ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
        AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'sandbox_gateway') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname NOT LIKE 'kysely\\_migration%'
    ORDER BY 1`);
  return rows;
}

/**
 * The tables whose row-level security hides rows from the owner, to which it applies too (decision
 * 25).
 */
export async function findHidden(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'sandbox_gateway') AND c.relkind IN ('r', 'p') AND row_security_active(c.oid)
      AND NOT EXISTS (SELECT FROM pg_policy p, unnest(p.polroles) AS role WHERE p.polrelid = c.oid AND p.polcmd IN ('*', 'r')
        AND pg_get_expr(p.polqual, p.polrelid) = 'true' AND (role = 0 OR pg_has_role(role, 'USAGE')))
    ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/**
 * The value of each sequence. Sequences are not transactional: the value is that of the snapshot or
 * a later one.
 */
export async function readSequences(
  client: pg.Client,
): Promise<{ name: string; last: string; isCalled: boolean }[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'sandbox_gateway') AND c.relkind = 'S' ORDER BY 1`);
  const sequences = [];
  for (const { name } of rows) {
    const { rows: standing } = await client.query<{ last: string; isCalled: boolean }>(
      `SELECT last_value::text AS last, is_called AS "isCalled" FROM ${name}`,
    );
    sequences.push({ name, ...standing[0]! });
  }
  return sequences;
}

/** The ids of the keys of the sealed values. */
export async function readSealIds(client: pg.Client): Promise<string[]> {
  const ids = new Set<string>();
  for (const { table, column } of Object.values(sealedColumns)) {
    const { rows } = await client.query<{ id: string }>(
      `SELECT DISTINCT split_part(left(${column}, ${SEAL_LENGTH}), ':', 3) AS id FROM public.${table}
       WHERE left(${column}, ${SEAL.length}) = '${SEAL}'`,
    );
    for (const { id } of rows) ids.add(id);
  }
  return [...ids].sort();
}

/** The migrations that have run, in order. */
export async function readMigrationNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM public.kysely_migration ORDER BY name',
  );
  return rows.map(({ name }) => name);
}
