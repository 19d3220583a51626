import { sql } from 'kysely';
import { COMMAND } from '#config/command.ts';
import { isUnverifiedDatabase } from '#config/environment-faults.ts';
import { allMigrations, missingMigrations } from '#db/database.ts';
import { fault, ok, warning } from '#features/desk/going-live/finding.ts';
import type { Check, Patient } from './patient.ts';

const SLOW_MS = 50;

export const database: Check = {
  subject: 'database',
  async run({ db, config }) {
    // The caller has reported it.
    if (db === null) return [];
    const begun = performance.now();
    const { rows } = await sql<{
      version: string;
      isStandby: boolean;
      isEncrypted: boolean | null;
      isLocal: boolean;
      connections: number;
      most: number;
    }>`SELECT split_part(current_setting('server_version'), ' ', 1) AS version, pg_is_in_recovery() AS "isStandby",
        (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS "isEncrypted",
        inet_server_addr() IS NULL OR inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1' AS "isLocal",
        (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most`.execute(
      db,
    );
    const ms = performance.now() - begun;
    const { version, isStandby, isEncrypted, isLocal, connections, most } = rows[0]!;
    const found = [
      ms < SLOW_MS
        ? ok(
            `PostgreSQL ${version} answers in ${ms.toFixed(0)} ms; ${connections} of ${most} connections are in use.`,
          )
        : warning(
            `PostgreSQL ${version} takes ${ms.toFixed(0)} ms to answer a question that needs no work.`,
            'See whether it, or the way to it, has too much to do.',
          ),
    ];
    if (isStandby)
      found.push(
        fault(
          'This is a standby, which takes nothing in.',
          'Name the primary in DATABASE_URL, or promote it.',
        ),
      );
    if (connections > most * 0.8)
      found.push(
        warning(
          `${connections} of ${most} connections are in use.`,
          'Raise max_connections: each server process uses up to 10, and an operator needs some.',
        ),
      );
    if (!isLocal && isEncrypted !== true)
      found.push(
        warning(
          'The way to the database, which is another machine, is not encrypted.',
          'Add sslmode=verify-full to DATABASE_URL.',
        ),
      );
    if (config.databaseUrl !== undefined && isUnverifiedDatabase(config.databaseUrl))
      found.push(
        warning(
          'DATABASE_URL names another machine, whose certificate is not verified.',
          'Add sslmode=verify-full to DATABASE_URL.',
        ),
      );
    if (config.databaseUrl === undefined && config.profile === 'live')
      found.push(fault('The live profile runs on the embedded database.', 'Set DATABASE_URL.'));
    return found;
  },
};

export const migrations: Check = {
  subject: 'migrations',
  async run({ db }) {
    if (db === null) return [];
    const { rows } = await sql<{ isEmpty: boolean }>`
      SELECT to_regclass('kysely_migration') IS NULL OR to_regclass('pgboss.version') IS NULL AS "isEmpty"`.execute(
      db,
    );
    if (rows[0]!.isEmpty)
      return [fault('The database has no tables yet.', 'Start the server once, which makes them.')];
    const missing = await missingMigrations(db);
    if (missing.length > 0)
      return [
        fault(
          `${missing.length} migrations have not run, the first ${missing[0]!}.`,
          'Start this version of the server, which runs them.',
        ),
      ];
    const ours = await allMigrations();
    const ran = await sql<{
      name: string;
    }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
    const unknown = ran.rows.filter(({ name }) => !ours.includes(name));
    if (unknown.length > 0)
      return [
        fault(
          `A newer version has been here: it ran ${unknown[0]!.name}.`,
          'Run the doctor of that version, and no older server.',
        ),
      ];
    return [ok(`All ${ours.length} have run.`)];
  },
};

/** Sessions, bills and look-ups of payments depend on both clocks. */
export const clock: Check = {
  subject: 'clock',
  async run({ db }) {
    if (db === null) return [];
    const begun = Date.now();
    const { rows } = await sql<{ ms: number }>`
      SELECT extract(epoch FROM clock_timestamp())::float * 1000 AS ms`.execute(db);
    const apart = Math.abs(rows[0]!.ms - (begun + Date.now()) / 2) / 1000;
    const says = `The clocks of this machine and of the database are ${apart.toFixed(2)} s apart.`;
    const todo = 'Let both machines ask a time server: timedatectl set-ntp true, or chrony.';
    if (apart > 30) return [fault(says, todo)];
    return [apart > 1 ? warning(says, todo) : ok(says)];
  },
};

/** Bills, runs and “today” depend on the zone of each facility. */
export const zones: Check = {
  subject: 'zones',
  async run({ db }) {
    if (!(await hasTables(db))) return [];
    const rows = await db!
      .selectFrom('facilities')
      .select(['location_code as code', 'time_zone as zone'])
      .orderBy('location_code')
      .execute();
    const unknown = rows.filter(({ zone }) => !isZone(zone));
    if (unknown.length > 0)
      return [
        fault(
          `${unknown.length} facilities have a time zone that is none, the first ${unknown[0]!.code} with ${unknown[0]!.zone}: nothing is billed there.`,
          `Correct it to a name such as America/Chicago, and run ${COMMAND} billing run.`,
        ),
      ];
    return [
      ok(
        `Facilities: ${rows.length}, in time zones: ${new Set(rows.map(({ zone }) => zone)).size}.`,
      ),
    ];
  },
};

/** Whether the tables exist. */
export async function hasTables(db: Patient['db']): Promise<boolean> {
  if (db === null) return false;
  const { rows } = await sql<{ has: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AND to_regclass('pgboss.version') IS NOT NULL AS has`.execute(
    db,
  );
  return rows[0]!.has && (await missingMigrations(db)).length === 0;
}

function isZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
