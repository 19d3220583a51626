import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { sql } from 'kysely';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import type { Random } from '../harness/random.ts';

/**
 * From here on `randomUUID` of this process draws from `random`, in the server's code too: what is
 * locked and swept in id order is then the same for the same seed.
 */
export function drawIdsFrom(random: Random): void {
  crypto.randomUUID = () => random.uuid() as ReturnType<typeof crypto.randomUUID>;
  syncBuiltinESMExports();
}

/**
 * The database's own ids and counters count up from the same place each time that `restartCounters`
 * is called. `owner` owns the tables.
 */
export async function countIdsUp(owner: Database): Promise<void> {
  await sql`CREATE SEQUENCE counted_ids`.execute(owner);
  await sql`GRANT USAGE ON SEQUENCE counted_ids TO PUBLIC`.execute(owner);
  await sql`
    CREATE FUNCTION counted_id() RETURNS uuid LANGUAGE sql VOLATILE
      RETURN ('00000000-0000-4000-8000-' || lpad(to_hex(nextval('counted_ids')), 12, '0'))::uuid`.execute(
    owner,
  );
  await sql`
    DO $$ DECLARE c record; BEGIN
      FOR c IN SELECT table_schema, table_name, column_name FROM information_schema.columns
        WHERE column_default = 'gen_random_uuid()' AND table_schema IN ('public', 'sandbox_gateway')
      LOOP EXECUTE format('ALTER TABLE %I.%I ALTER %I SET DEFAULT counted_id()', c.table_schema, c.table_name, c.column_name);
      END LOOP;
    END $$`.execute(owner);
}

/** Sets every counter to the same place; counters do not go back when a transaction does. */
export const RESTART_COUNTERS = `
  SELECT count(setval(format('%I.%I', schemaname, sequencename), 1000000))
  FROM pg_sequences WHERE schemaname IN ('public', 'sandbox_gateway')`;
