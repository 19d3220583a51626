import { randomUUID } from 'node:crypto';
import { cp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { restoreBackup } from '@gatehouse/server/src/operator/backup/restore.ts';
import { readConfig } from '@gatehouse/server/src/config/config.ts';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { verifyAuditTrail } from '@gatehouse/server/src/features/base/audit/chain.ts';
import { sealBody } from '@gatehouse/server/src/features/base/mail/bodies.ts';
import { StartFault } from '@gatehouse/server/src/errors/start-fault.ts';
import {
  BrokenSeal,
  SEAL,
  sealedColumns,
  type SealedColumn,
} from '@gatehouse/server/src/crypto/vault.ts';
import { photoWithGps } from '@gatehouse/server/test/photos.ts';
import { sql } from 'kysely';
import { startApp } from '../harness/app-process.ts';
import { addRentals } from '../harness/bulk.ts';
import { readLedgers, sendPhoto } from '../harness/calls.ts';
import { checkInvariants } from '../harness/checker.ts';
import { runCli, type CliEnd } from '../harness/cli.ts';
import type { NewDatabase } from '../harness/cluster.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { nextOrder } from '../harness/orders.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { keys, proofVault } from '../harness/world.ts';
import { randomOf } from '../harness/random.ts';
import { untilNoneLeft } from '../harness/until.ts';
import {
  mustBe,
  mustBeAtLeast,
  mustBeAtMost,
  reported,
  type Figure,
  type Proof,
  type Stage,
} from '../harness/proof.ts';
import { addRows } from '@gatehouse/server/test/rows.ts';

const RESTORE_SECONDS = 15 * 60;
const PER_SECOND = 10;
const OTHER_KEY = '5c'.repeat(32);

/**
 * R23: backups made while servers run, restored into empty databases, and broken ones that must be
 * refused.
 */
export const backupAndRestore: Proof<{ rentals: number; rentsEach: number; payments: number }> = {
  name: 'R23',
  title: 'Backup and restore',
  // 10,000 rows, and 1,000,000 entries.
  sizes: {
    small: { rentals: 100, rentsEach: 50, payments: 20 },
    full: { rentals: 20_000, rentsEach: 50, payments: 1000 },
  },
  async run({ rentals, rentsEach, payments }, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: 1,
      world: { payers: 20, rentals: 2, owedCents: () => 90_000_000 },
    });
    const { pool, driver, payers, db } = fixture;
    const folder = join(stage.folder, 'backups');
    await rm(folder, { recursive: true, force: true });
    try {
      await addRentals(db.owner, rentals, rentsEach);
      for (let photo = 0; photo < 3; photo += 1) await keepPhoto(fixture, photo);
      let paid = 0;
      const load = new SteadyLoad(PER_SECOND, async (number) => {
        if (number >= payments) return;
        await driver.sendUntilFinal(pool, nextOrder(random, payers, number));
        paid += 1;
      });
      while (paid < payments / 4) await delay(20);
      // A backup under load must have everything that was acknowledged before it began.
      const before = await receiptsOf(fixture);
      const underLoad = await backup(fixture, folder, stage);
      while (paid < payments) await delay(20);
      await load.stop();
      const running = await fixture.check();
      await pool.stop();
      await queueMail(db.owner);
      const quiet = await backup(fixture, folder, stage);
      const first = await restored(stage, underLoad);
      const second = await restored(stage, quiet);
      const figures = [
        mustBe(
          'backups that were not made',
          [underLoad, quiet].filter(({ path }) => path === null).length,
          0,
        ),
        ...running,
        ...prefixed('restored from the backup under load: ', [
          mustBe('exit code', first.end.code ?? -1, 0),
          mustBe(
            'receipts acknowledged before it began and not in it',
            await missing(first.db.owner, before),
            0,
          ),
          ...(await checkInvariants(first.db.owner)),
          mustBe('I9 faults of the audit trail', await auditFaults(first.db.owner), 0),
          ...(await openAll(first.db.owner)),
        ]),
        ...prefixed('restored from the quiet backup: ', [
          mustBe('exit code', second.end.code ?? -1, 0),
          mustBe(
            'tables, sequences, rules or policies that differ',
            await differences(db.owner, second.db.owner),
            0,
          ),
          mustBe(
            'waiting jobs that are not there again',
            (await jobsOf(db.owner)) - (await jobsOf(second.db.owner)),
            0,
          ),
          ...(await checkInvariants(second.db.owner)),
          ...(await openAll(second.db.owner)),
          mustBe(
            'payments, photos and mails that did not work on it',
            await servesAgain(fixture, second.db),
            0,
          ),
        ]),
        ...(await refusals(fixture, quiet.path!, stage)),
        mustBeAtMost(
          'seconds of a restore',
          Math.max(first.end.seconds, second.end.seconds),
          RESTORE_SECONDS,
        ),
        reported('seconds of a backup', Math.max(underLoad.end.seconds, quiet.end.seconds), 'max'),
        mustBeAtLeast(
          'entries restored',
          await countOf(second.db.owner, 'entries'),
          rentals * rentsEach,
        ),
        reported('rows restored', (JSON.parse(second.end.out) as { rows: number }).rows),
      ];
      await Promise.all([first.db.close(), second.db.close()]);
      return figures;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

type Backup = { end: CliEnd; path: string | null };

async function backup({ db }: Fixture, folder: string, stage: Stage): Promise<Backup> {
  const end = await runCli(['backup', folder, '--json'], {
    DATABASE_URL: db.url,
    DATA_DIR: stage.folder,
  });
  stage.say(`  backup: ${end.seconds.toFixed(1)} s ${end.err}`);
  return { end, path: end.code === 0 ? (JSON.parse(end.out) as { path: string }).path : null };
}

async function restored(stage: Stage, { path }: Backup): Promise<{ db: NewDatabase; end: CliEnd }> {
  const cluster = await stage.cluster();
  const db = await cluster.bareDatabase();
  const env = { DATABASE_URL: db.url, DATA_DIR: join(stage.folder, `data-${db.name}`) };
  const end = await runCli(['restore', path!, '--json'], env);
  stage.say(`  restore: ${end.seconds.toFixed(1)} s ${end.err}`);
  return { db, end };
}

async function keepPhoto({ pool, driver, payers }: Fixture, payer: number): Promise<void> {
  const call = sendPhoto(payers[payer]!, await photoWithGps({ width: 200, height: 150 }));
  const { status, text } = await driver.caller.call((await pool.next()).address, call);
  if (status !== 200) throw new Error(`a photo was not taken: ${text}`);
}

/** A mail whose job has no worker any more. */
async function queueMail(owner: Database): Promise<void> {
  const id = randomUUID();
  await addRows(owner, 'mails', {
    id,
    to_address: 'payer-0@example.com',
    subject: 'Unsent',
    kind: 'legal',
    about: 'a \\ b "c"\n\t',
    language: 'en',
    ...sealBody(proofVault, id, { text: 'A \\ text with "quotes"\n', html: '<p>' }),
  });
  const data = { mailId: id, odd: 'a \\ b "c"\n\t' };
  await sql`INSERT INTO pgboss.job (name, data, retry_limit, policy)
    VALUES ('deliver-mail', ${JSON.stringify(data)}, 40, 'standard')`.execute(owner);
}

async function receiptsOf({ driver }: Fixture): Promise<string[]> {
  const lines = await driver.lines();
  return lines.flatMap((line) =>
    line.kind === 'answered' && line.receipt !== null
      ? line.receipt.payments.map(({ receiptNumber }) => receiptNumber)
      : [],
  );
}

async function missing(owner: Database, receipts: string[]): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    SELECT count(*)::int AS missing FROM unnest(${receipts}::text[]) AS given
    WHERE NOT EXISTS (SELECT FROM payments WHERE receipt_number = given)`.execute(owner);
  return rows[0]!.missing;
}

async function auditFaults(owner: Database): Promise<number> {
  const { fault } = await verifyAuditTrail(owner);
  return fault === null ? 0 : 1;
}

/** Opens every sealed value as the server would. */
async function openAll(owner: Database): Promise<Figure[]> {
  let [opened, shut] = [0, 0];
  for (const column of Object.keys(sealedColumns) as SealedColumn[]) {
    const { table, column: name, row } = sealedColumns[column];
    const { rows } = await sql<{ id: string; value: string }>`
      SELECT ${sql.ref(row)} AS id, ${sql.ref(name)} AS value FROM ${sql.table(table)}
      WHERE starts_with(${sql.ref(name)}, ${SEAL})`.execute(owner);
    for (const { id, value } of rows) {
      try {
        proofVault.open(column, id, value);
        opened += 1;
      } catch (error) {
        if (!(error instanceof BrokenSeal)) throw error;
        shut += 1;
      }
    }
  }
  return [
    mustBe('sealed values that do not open', shut, 0),
    reported('sealed values opened', opened),
  ];
}

/** Waiting jobs, without pg-boss's internal ones. */
async function jobsOf(owner: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pgboss.job
    WHERE state IN ('created', 'retry', 'active') AND NOT starts_with(name, '__pgboss')`.execute(
    owner,
  );
  return rows[0]!.count;
}

async function countOf(owner: Database, table: 'entries'): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*)::int AS count FROM ${sql.table(table)}`.execute(owner);
  return rows[0]!.count;
}

/**
 * How many tables hold other rows, sequences have another value, or rules and policies of a
 * table differ.
 */
async function differences(one: Database, other: Database): Promise<number> {
  const [ours, theirs] = await Promise.all([digests(one), digests(other)]);
  return (
    [...ours].filter(([what, digest]) => theirs.get(what) !== digest).length +
    Math.abs(theirs.size - ours.size)
  );
}

async function digests(owner: Database): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT c.oid::regclass::text AS name FROM pg_class c WHERE relkind = 'r' AND relnamespace IN
      ('public'::regnamespace, 'sandbox_gateway'::regnamespace)
      AND relname NOT LIKE 'kysely%' AND relname <> 'backups'`.execute(owner);
  const found = new Map<string, string>();
  for (const { name } of tables) {
    // The sum of the hashes of its rows, which needs no order.
    const { rows } = await sql<{ digest: string }>`
      SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 7)::numeric), 0) AS digest FROM ${sql.raw(name)} t`.execute(
      owner,
    );
    found.set(name, rows[0]!.digest);
  }
  const { rows: rules } = await sql<{ what: string; digest: string }>`
    SELECT 'rule ' || conrelid::regclass || ' ' || conname AS what, pg_get_constraintdef(oid) || convalidated AS digest
    FROM pg_constraint WHERE connamespace IN ('public'::regnamespace, 'sandbox_gateway'::regnamespace)
    UNION ALL SELECT 'wall ' || oid::regclass, relrowsecurity || ' ' || relforcerowsecurity FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    UNION ALL SELECT 'trigger ' || tgrelid::regclass || tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'sequence ' || schemaname || '.' || sequencename, coalesce(last_value, 0)::text FROM pg_sequences
    WHERE schemaname IN ('public', 'sandbox_gateway') AND sequencename <> 'backups_id_seq'`.execute(
    owner,
  );
  for (const { what, digest } of rules) found.set(what, digest);
  return found;
}

/**
 * Serves the restored database: a read, a payment, a photo, and the mail that was not sent. Answers
 * what did not work.
 */
async function servesAgain(
  { settings, driver, payers }: Fixture,
  { url, name, owner }: NewDatabase,
): Promise<number> {
  const app = startApp({
    ...settings,
    databaseUrl: url,
    logName: 'restored.log',
    env: { DATA_DIR: join(settings.folder, `data-${name}`) },
  });
  if (!(await app.ready)) return 4;
  const payer = payers[0]!;
  const read = await driver.caller.call(app.address, readLedgers(payer));
  const paid = await driver.send(app.address, nextOrder(randomOf(99), payers, 0));
  const { rows } = await sql<{ id: string; tenantId: string }>`
    SELECT id, tenant_id AS "tenantId" FROM images WHERE tenant_id = ${payer.tenantId} LIMIT 1`.execute(
    owner,
  );
  const key = await sql<{
    key: string;
  }>`SELECT file_key AS key FROM images WHERE id = ${rows[0]!.id}`.execute(owner);
  const photo = await readFile(
    join(settings.folder, `data-${name}`, 'files', key.rows[0]!.key),
  ).then(
    (bytes) => bytes.length > 100,
    () => false,
  );
  const isMailed = await untilMailed(owner);
  await app.stop();
  return [read.status === 200, paid.status === 200, photo, isMailed].filter((works) => !works)
    .length;
}

async function untilMailed(owner: Database): Promise<boolean> {
  const left = await untilNoneLeft(async () => {
    const { rows } = await sql<{ unsent: number }>`
      SELECT count(*)::int AS unsent FROM mails WHERE subject = 'Unsent' AND sent_at IS NULL`.execute(
      owner,
    );
    return rows[0]!.unsent;
  });
  return left === 0;
}

type Spoiled = {
  what: string;
  spoil: (path: string) => Promise<unknown>;
  env?: Record<string, string>;
  says: RegExp;
};

/** Backups that must not be restored, each with the sentence that says why. */
const spoiled: Spoiled[] = [
  {
    what: 'a table that is cut off',
    spoil: (path) => truncate(join(path, 'tables/public.charges.gz')),
    says: /public\.charges\.gz of the backup is cut off/,
  },
  {
    what: 'a table with one other byte',
    spoil: (path) => flip(join(path, 'tables/public.entries.gz')),
    says: /public\.entries\.gz of the backup is not as it was written/,
  },
  {
    what: 'a table that is gone',
    spoil: (path) => rm(join(path, 'tables/public.tenants.gz')),
    says: /public\.tenants\.gz of the backup cannot be read \(ENOENT\)/,
  },
  {
    what: 'a photo that is gone',
    spoil: (path) => rm(join(path, 'photos'), { recursive: true }),
    says: /The photo [0-9a-f-]{36} of the backup is missing/,
  },
  {
    what: 'a manifest that was changed',
    spoil: (path) => edit(path, (text) => text.replace(/"rows": \d+/, '"rows": 1')),
    says: /manifest\.json in .* is not as it was written/,
  },
  {
    what: 'a manifest that is cut off',
    spoil: (path) => edit(path, (text) => text.slice(0, text.length / 2)),
    says: /is cut off or damaged/,
  },
  {
    what: 'no manifest',
    spoil: (path) => rm(join(path, 'manifest.json')),
    says: /There is no finished backup/,
  },
  {
    what: 'what is no backup of ours',
    spoil: (path) => writeFile(join(path, 'manifest.json'), '{"product":"other"}'),
    says: /is not a backup of Gatehouse/,
  },
  {
    what: 'a backup of a newer version',
    spoil: (path) => edit(path, (text) => text.replace('"format": 1', '"format": 2')),
    says: /newer version of Gatehouse/,
  },
  {
    what: 'a missing key of DATA_KEYS',
    spoil: () => Promise.resolve(),
    env: { DATA_KEYS: OTHER_KEY },
    says: /DATA_KEYS lacks what sealed/,
  },
  {
    what: 'another SECRET_KEY',
    spoil: () => Promise.resolve(),
    env: { SECRET_KEY: OTHER_KEY },
    says: /was made under the SECRET_KEY with the id/,
  },
];

/** In this process, because a refusal comes before anything that a child process would show. */
async function refusals(fixture: Fixture, path: string, stage: Stage): Promise<Figure[]> {
  const bare = await (await stage.cluster()).bareDatabase();
  let accepted = 0;
  for (const { what, spoil, env, says } of spoiled) {
    const copy = `${path}.spoiled`;
    await cp(path, copy, { recursive: true });
    await spoil(copy);
    const sentence = await refusalOf(copy, bare.url, stage, env);
    if (!says.test(sentence)) {
      accepted += 1;
      stage.say(`  ${what}: ${sentence}`);
    }
    await rm(copy, { recursive: true });
  }
  const left = await tablesOf(bare.owner);
  await bare.close();
  const inUse = await refusalOf(path, fixture.db.url, stage);
  return [
    mustBe(
      'broken, foreign or altered backups that were not refused with the right sentence',
      accepted,
      0,
    ),
    mustBe('tables that refused restores left behind', left, 0),
    mustBe(
      'databases with data that were not refused',
      /The database holds data already/.test(inUse) ? 0 : 1,
      0,
    ),
  ];
}

/** The sentence that a restore ends with; empty where there is none. */
async function refusalOf(
  folder: string,
  url: string,
  stage: Stage,
  env: Record<string, string> = {},
): Promise<string> {
  const config = readConfig({ ...keys, DATA_DIR: join(stage.folder, 'data-refused'), ...env });
  const work = {
    takesOtherSecret: false,
    isDry: false,
    signal: new AbortController().signal,
    onProgress: () => {},
  };
  try {
    await restoreBackup({ url, config, folder, ...work });
    return '';
  } catch (error) {
    if (error instanceof StartFault) return error.message;
    throw error;
  }
}

async function tablesOf(owner: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_tables WHERE schemaname IN ('public', 'pgboss', 'sandbox_gateway')`.execute(
    owner,
  );
  return rows[0]!.count;
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const file = join(path, 'manifest.json');
  await writeFile(file, change(await readFile(file, 'utf8')));
}

async function truncate(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.truncate(Math.floor((await file.stat()).size / 2));
  await file.close();
}

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = bytes[middle]! ^ 1;
  await writeFile(path, bytes);
}

function prefixed(prefix: string, figures: Figure[]): Figure[] {
  return figures.map((figure) => ({ ...figure, what: prefix + figure.what }));
}
