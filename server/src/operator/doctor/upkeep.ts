import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { clockOf } from '#adapters/clock.ts';
import { COMMAND } from '#config/command.ts';
import { keysOf } from '#db/known-keys.ts';
import { portalFault, readPages } from '#http/pages.ts';
import { SEAL, SEAL_LENGTH, sealedColumns } from '#crypto/vault.ts';
import { hasTables } from './database.ts';
import { fault, ok, warning } from '#features/desk/going-live/finding.ts';
import type { Check } from './patient.ts';

const DAY_SECONDS = 86_400;
/** docs/operations.md: the key is changed once a year. */
const KEY_DAYS = 400;
/** The space that a day of photos and logs can take. */
const LITTLE_BYTES = 2 * 2 ** 30;
const NO_BYTES = 200 * 2 ** 20;
const LATE_SECONDS = 60;
const STUCK_SECONDS = 900;

/** Behind an uncounted proxy, all tenants share its address and its limits. */
export const proxies: Check = {
  subject: 'proxies',
  run({ config }) {
    const { trustedHops, publicUrl } = config;
    const says = `${trustedHops} proxies are trusted to say who calls.`;
    return Promise.resolve([
      publicUrl.startsWith('https:') && trustedHops === 0
        ? fault(
            'PUBLIC_URL is https, which a proxy before the server must be for, and TRUSTED_HOPS counts none.',
            'Set TRUSTED_HOPS=1: else all tenants count as one network, and 20 sign-ins a minute are for all of them.',
          )
        : ok(says),
    ]);
  },
};

/** A portal built for another operator finds no facilities here. */
export const portal: Check = {
  subject: 'portal',
  run({ config: { corporationCode, profile } }) {
    const todo = `CORPORATION_CODE=${corporationCode} npm run build.`;
    const says = portalFault(corporationCode);
    if (says !== null) return Promise.resolve([fault(says, todo)]);
    if (readPages() !== null) return Promise.resolve([ok(`It is built for ${corporationCode}.`)]);
    const bare = 'It is not built: the server has the API alone.';
    return Promise.resolve([profile === 'live' ? fault(bare, todo) : ok(bare)]);
  },
};

export const keys: Check = {
  subject: 'keys',
  async run({ db, config }) {
    if (!(await hasTables(db))) return [];
    const known = await db!.selectFrom('known_keys').selectAll().execute();
    const found = keysOf(config).map(({ kind, keyId }) => {
      const name = kind === 'data' ? 'DATA_KEYS' : 'SECRET_KEY';
      const since = known.find((row) => row.kind === kind && row.key_id === keyId)?.first_seen_at;
      if (since === undefined)
        return warning(
          `No server has been started with the key ${keyId} of ${name} yet.`,
          'Give the doctor the same keys as the server.',
        );
      const days = Math.floor((Date.now() - since.getTime()) / 1000 / DAY_SECONDS);
      const says = `The key ${keyId} of ${name} is ${days} days old.`;
      if (kind === 'data' && days > KEY_DAYS)
        return warning(
          says,
          'Change it: docs/operations.md, “Keys”. The one before it goes once nothing is under it.',
        );
      return ok(says);
    });
    const ids = new Set(keysOf(config).map(({ keyId }) => keyId));
    for (const { table, column } of Object.values(sealedColumns)) {
      const { rows } = await sql<{ id: string; count: number }>`
        SELECT split_part(left(${sql.ref(column)}, ${SEAL_LENGTH}), ':', 3) AS id, count(*)::int AS count
        FROM ${sql.table(table)} WHERE left(${sql.ref(column)}, ${SEAL.length}) = ${SEAL} GROUP BY 1`.execute(
        db!,
      );
      for (const { id, count } of rows)
        if (!ids.has(id))
          found.push(
            fault(
              `${count} values of ${table}.${column} are sealed under the key ${id}, which DATA_KEYS lacks.`,
              'Add that key to the end of DATA_KEYS: without it they can never be read again.',
            ),
          );
    }
    return found;
  },
};

export const jobs: Check = {
  subject: 'jobs',
  async run({ db, config }) {
    if (!(await hasTables(db))) return [];
    // The times of jobs are the database's.
    const { rows } = await sql<{
      waiting: number;
      lag: number;
      name: string | null;
      failed: number;
      unsent: number;
    }>`
      SELECT (SELECT count(*)::int FROM pgboss.job WHERE state IN ('created', 'retry') AND start_after <= now()) AS waiting,
        (SELECT coalesce(extract(epoch FROM now() - min(start_after)), 0)::float FROM pgboss.job
          WHERE state = 'created' AND start_after <= now()) AS lag,
        (SELECT name FROM pgboss.job WHERE state = 'created' AND start_after <= now() ORDER BY start_after LIMIT 1) AS name,
        (SELECT count(*)::int FROM pgboss.job WHERE state = 'failed' AND completed_on > now() - interval '1 day') AS failed,
        (SELECT count(*)::int FROM mails WHERE sent_at IS NULL AND NOT is_dropped AND text_body <> ''
          AND coalesce(held_until, created_at) < ${clockOf(config).now()}::timestamptz - interval '15 minutes') AS unsent`.execute(
      db!,
    );
    const { waiting, lag, name, failed, unsent } = rows[0]!;
    const todo =
      'See whether a server runs that works on jobs (PROCESS=all or worker), and its log.';
    const found = [];
    if (lag > LATE_SECONDS)
      found.push(
        (lag > STUCK_SECONDS ? fault : warning)(
          `A job (${name ?? ''}) has been due for ${Math.round(lag)} s.`,
          todo,
        ),
      );
    if (failed > 0)
      found.push(
        warning(
          `${failed} jobs gave up within a day.`,
          'The log says why; pgboss.job has them with state = failed.',
        ),
      );
    if (unsent > 0)
      found.push(
        warning(
          `${unsent} mails of more than 15 minutes ago have not gone out.`,
          'See the line “mail”; they are tried for a day.',
        ),
      );
    return found.length > 0 ? found : [ok(`${waiting} are due, none of them late.`)];
  },
};

export const alarms: Check = {
  subject: 'alarms',
  async run({ db, config }) {
    if (!(await hasTables(db))) return [];
    const now = clockOf(config).now();
    const { rows } = await sql<{ unknown: number; recent: number; kinds: string | null }>`
      SELECT (SELECT count(*)::int FROM payment_intents WHERE state IN ('submitted', 'unknown')
          AND created_at < ${now}::timestamptz - interval '15 minutes') AS unknown,
        (SELECT count(*)::int FROM alarms WHERE closed_at IS NULL AND raised_at > ${now}::timestamptz - interval '1 day') AS recent,
        (SELECT string_agg(DISTINCT kind, ', ' ORDER BY kind) FROM alarms
          WHERE closed_at IS NULL AND raised_at > ${now}::timestamptz - interval '1 day')
          AS kinds`.execute(db!);
    const { unknown, recent, kinds } = rows[0]!;
    const found = [];
    if (unknown > 0)
      found.push(
        fault(
          `The outcome of ${unknown} payments has been unknown for more than 15 minutes.`,
          `See the line “gateway”, then ${COMMAND} reconcile.`,
        ),
      );
    if (recent > 0)
      found.push(
        warning(
          `${recent} alarms were raised within a day: ${kinds ?? ''}.`,
          `Each was mailed; see ${COMMAND} alarms list.`,
        ),
      );
    return found.length > 0 ? found : [ok('None within a day, and no payment is unknown.')];
  },
};

export const disk: Check = {
  subject: 'disk',
  async run({ config }) {
    const { bavail, bsize, blocks } = await statfs(config.dataDir);
    const free = bavail * bsize;
    const says = `${(free / 2 ** 30).toFixed(1)} GiB (${Math.round((bavail / blocks) * 100)} %) are free under ${config.dataDir}.`;
    const todo =
      'Free some, or move DATA_DIR; photos are refused when it is full, and an embedded database stops.';
    if (free < NO_BYTES) return [fault(says, todo)];
    return [free < LITTLE_BYTES ? warning(says, todo) : ok(says)];
  },
};
