import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Clock } from '#adapters/clock.ts';
import type { Database } from '#db/database.ts';
import { takeImportTurn } from '#db/import-turn.ts';
import type { PaymentOrder } from '#db/tables.ts';
import type { MailContext } from '#features/base/mail/mail.ts';
import type { LeaseImport } from '#context/lease-import.ts';
import { StartFault } from '#errors/start-fault.ts';
import type { Vault } from '#crypto/vault.ts';
import { applyFacility, type Applied } from './apply.ts';
import { findSuspended, readFirstDay, type FirstDay } from './first-day.ts';
import { reckonEntries } from './entries.ts';
import { leaveErased } from './erased.ts';
import { Faults, type Fault } from './faults.ts';
import { corporationFile, importFiles, type FileName } from './files.ts';
import { readingFault } from './folder-faults.ts';
import { identify } from './identity.ts';
import { joinListed } from './joined.ts';
import { checkScheduledRises, findPrepaidRises, readPaidAhead } from './paid-ahead.ts';
import { noteImport } from './noted.ts';
import { readFile } from './read.ts';
import { addMoney, noMoney, type Money } from './money.ts';
import { checkRelations } from './relations.ts';
import type { Counts } from './rows.ts';
import { fileNames, openStaging, settleStaging, staged, type Staging } from './staging.ts';
import { findUnknown, unknownFilesText, type UnknownFile } from './unknown-files.ts';

/**
 * What an import is based on: `db` is the owner's, one connection that serves this import only and
 * is closed afterwards.
 */
export type ImportContext = {
  db: Database;
  vault: Vault;
  clock: Clock;
  corporationCode: string;
  /** By which tenants are notified of a changed address. */
  mail: MailContext;
  /**
   * The day before which nothing is done because a rental that the files bring or post to is late;
   * null: at once.
   */
  lateFrom: string | null;
  /** Addresses with which one sign-in may see all who have them. */
  joined: string[];
  /** Who imports in the office; undefined for the command. */
  by?: LeaseImport['by'];
  /** The files that it reads, by which the audit trail names them. */
  files?: { file: string; sha256: string }[];
  /** How far it is in what it does. */
  onProgress: (of: string, progress: { done: number; total: number }) => void;
};

/**
 * What came of an import: of each file its rows, and what of them was made and changed; the rest
 * was there already.
 */
export type ImportResult = {
  files: { file: string; rows: number; made: number; changed: number }[];
  /** What it does to the balances of the facilities that are taken over. */
  money: Money;
  /** What the next day will do at each of them; empty unless the run is dry. */
  firstDays: ({ facility: string } & FirstDay)[];
  /** Whose months that are paid ahead other taxes, fees and premiums make dearer, in sentences. */
  prepaidRises: string[];
  /** Facilities that were taken over, and those that were left as they are. */
  imported: string[];
  refused: string[];
  faults: { total: number; byFile: Record<string, number>; listed: Fault[] };
  /** Tenants whom the files name and who were erased: they are left as they are. */
  erased: number;
  unknownFiles: UnknownFile[];
};

/**
 * Imports a folder of CSV files (docs/import.md): reads and checks all of them, then takes over
 * each facility that has no fault, wholly and in a transaction of its own. A dry run does all of it
 * and keeps nothing. Killed, it leaves whole facilities; run again it makes nothing twice. Throws a
 * StartFault where there is nothing to begin with.
 */
export async function importFolder(
  context: ImportContext,
  folder: string,
  isDryRun: boolean,
): Promise<ImportResult> {
  const { db, vault, onProgress } = context;
  const there = await readdir(folder).catch((error: unknown) => {
    throw readingFault(error, folder);
  });
  const unknownFiles = findUnknown(there);
  if (!fileNames().some((file) => there.includes(importFiles[file].name)))
    throw new StartFault(
      [
        `The folder ${folder} has none of the files: ${allNames()}.`,
        ...unknownFilesText(unknownFiles),
      ].join(' '),
    );
  await takeTurn(db);
  const faults = new Faults();
  const corporation = await findCorporation(context, folder, faults);
  const staging = await openStaging(db, vault);
  const rows = await stageFiles(folder, staging, faults, onProgress);
  onProgress('Checking', { done: 0, total: 2 });
  await settleStaging(db);
  await identify(db, corporation.id);
  const erased = await leaveErased(db);
  await joinListed(db, staging, context.joined);
  onProgress('Checking', { done: 1, total: 2 });
  // Of a file that could not be read every row would seem to be missing.
  if (!faults.concernAll) {
    const when = { now: context.clock.now(), lateFrom: context.lateFrom };
    await checkRelations(db, staging, when, faults);
  }
  onProgress('Checking', { done: 2, total: 2 });
  const { imported, refused, applied, firstDays, prepaidRises } = await takeOver(
    context,
    { staging, corporation, isDryRun },
    faults,
  );
  if (!isDryRun && imported.length > 0) await refreshStatistics(db);
  const { total, byFile, listed } = faults;
  return {
    imported,
    refused,
    files: [...rows].map(([file, count]) => ({
      file: importFiles[file].name,
      rows: count,
      ...(applied.files[file] ?? { made: 0, changed: 0 }),
    })),
    money: applied.money,
    firstDays,
    prepaidRises,
    faults: { total, byFile: Object.fromEntries(byFile), listed },
    erased,
    unknownFiles,
  };
}

function allNames(): string {
  return fileNames()
    .map((file) => importFiles[file].name)
    .join(', ');
}

/**
 * Two at once would each find the other's rows missing. The turn ends with the connection; that of
 * one that was killed may take a moment.
 */
async function takeTurn(db: Database): Promise<void> {
  await sql`SET lock_timeout = '5s'`.execute(db);
  await takeImportTurn(db);
  await sql`SET lock_timeout = 0`.execute(db);
}

/** The operator of the database; with a null id one that is made with its first facility. */
type Corporation = { id: string | null; code: string; name: string };

async function findCorporation(
  { db, corporationCode: code }: ImportContext,
  folder: string,
  faults: Faults,
): Promise<Corporation> {
  const known = await db
    .selectFrom('corporations')
    .select(['id', 'name'])
    .where('code', '=', code)
    .executeTakeFirst();
  const given: { code: string; name: string; line: number }[] = [];
  await readFile(folder, corporationFile, faults, {
    onHeader: () => {},
    onRows: (rows) => {
      for (const { line, isSound, values } of rows)
        if (isSound) given.push({ line, code: String(values[0]), name: String(values[1]) });
    },
    onProgress: () => {},
  });
  const fault = (line: number | null, says: string) =>
    faults.add({ file: corporationFile.name, line, column: null, facility: null, says });
  const [first, second] = given;
  if (second !== undefined) fault(second.line, 'is one too many: the file has one row');
  if (first !== undefined && first.code !== code)
    fault(first.line, `has another code than CORPORATION_CODE of the settings, which is ${code}`);
  if (known === undefined && first === undefined && !faults.byFile.has(corporationFile.name))
    fault(null, 'is needed, with the columns code and name: the database has no operator yet');
  return { id: known?.id ?? null, code, name: known?.name ?? first?.name ?? '' };
}

async function stageFiles(
  folder: string,
  staging: Staging,
  faults: Faults,
  onProgress: ImportContext['onProgress'],
): Promise<Map<FileName, number>> {
  const counts = new Map<FileName, number>();
  for (const file of fileNames()) {
    const definition = importFiles[file];
    await readFile(folder, definition, faults, {
      onHeader: (columns) => {
        staging.columns.set(file, columns);
        counts.set(file, 0);
      },
      onRows: async (rows) => {
        await staging.add(file, rows);
        counts.set(file, (counts.get(file) ?? 0) + rows.length);
      },
      onProgress: (progress) => onProgress(`Reading ${definition.name}, bytes`, progress),
    });
  }
  return counts;
}

type Plan = { staging: Staging; corporation: Corporation; isDryRun: boolean };
type TakenOver = Pick<ImportResult, 'imported' | 'refused' | 'firstDays' | 'prepaidRises'> & {
  applied: Applied;
};

async function takeOver(context: ImportContext, plan: Plan, faults: Faults): Promise<TakenOver> {
  const { db, onProgress } = context;
  const places = await findPlaces(db);
  const total = places.reduce((sum, { ledgers }) => sum + ledgers, 0);
  const all = places.map(({ facility }) => facility);
  const applied: Applied = { files: {}, money: noMoney() };
  const refused = faults.concernAll ? all : [];
  const done: TakenOver = { imported: [], refused, applied, firstDays: [], prepaidRises: [] };
  if (!plan.isDryRun && !faults.concernAll) await raiseReceiptNumbers(db);
  let ledgers = 0;
  onProgress('Importing, rentals', { done: 0, total });
  for (const place of faults.concernAll ? [] : places) {
    const before = ledgers;
    const one = faults.concern(place.facility)
      ? await checkBooks(db, place, faults)
      : await takeOverFacility(context, plan, place, faults, (posted) =>
          onProgress('Importing, rentals', { done: before + posted, total }),
        );
    if (one === null) done.refused.push(place.facility);
    else {
      const { firstDay, prepaidRises, ...did } = one;
      done.prepaidRises.push(...prepaidRises.map((says) => `${place.facility}: ${says}`));
      done.imported.push(place.facility);
      addTo(applied, did);
      if (firstDay !== null) done.firstDays.push({ facility: place.facility, ...firstDay });
    }
    ledgers += place.ledgers;
    onProgress('Importing, rentals', { done: ledgers, total });
  }
  return done;
}

/**
 * A facility that the files name, with how many rentals they have of it, and how it settles
 * payments.
 */
type NamedFacility = { facility: string; id: string; ledgers: number; paymentOrder: PaymentOrder };

async function findPlaces(db: Database): Promise<NamedFacility[]> {
  const isNamed = sql.join(
    fileNames().map(
      (file) => sql`EXISTS (SELECT FROM ${staged(file)} s WHERE s.facility = k.facility)`,
    ),
    sql` OR `,
  );
  const { rows } = await sql<NamedFacility>`
    SELECT k.facility, k.id, coalesce(l.count, 0)::int AS ledgers,
      coalesce(s.payment_order, f.payment_order, 'oldest_first') AS "paymentOrder"
    FROM known_facilities k
    LEFT JOIN staged_facilities s ON s.row_id = k.id
    LEFT JOIN facilities f ON f.id = k.id
    LEFT JOIN (SELECT facility, count(*) FROM staged_ledgers GROUP BY 1) l ON l.facility = k.facility
    WHERE ${isNamed} ORDER BY k.facility`.execute(db);
  return rows;
}

/** So that one look shows all that is wrong. Null: nothing of the facility is taken over. */
async function checkBooks(db: Database, place: NamedFacility, faults: Faults): Promise<null> {
  await reckonEntries(db, place, faults, () => Promise.resolve());
  return null;
}

/**
 * What was done at a facility, whose months that are paid ahead rise, and of a dry run what its
 * next day does.
 */
type Done = Applied & { firstDay: FirstDay | null; prepaidRises: string[] };

/** Ends a transaction whose work is not to stay. */
class NotKept extends Error {
  readonly done: Done;

  constructor(done: Done) {
    super('not kept');
    this.done = done;
  }
}

async function takeOverFacility(
  { db, vault, clock, mail, lateFrom, by, files = [] }: ImportContext,
  { staging, corporation, isDryRun }: Plan,
  { facility, id }: NamedFacility,
  faults: Faults,
  onPosted: (rentals: number) => void,
): Promise<Done | null> {
  try {
    return await db.transaction().execute(async (trx) => {
      const { id: corporationId } = await makeCorporation(trx, corporation);
      const now = clock.now();
      const place = {
        db: trx,
        staging,
        vault,
        mail,
        facility,
        facilityId: id,
        corporationId,
        now,
        isDryRun,
        lateFrom,
        onPosted,
        by,
      };
      const ahead = await readPaidAhead(place);
      const before = isDryRun ? await findSuspended(trx, id, now) : new Set<string>();
      const applied = await applyFacility(place, faults);
      await checkScheduledRises(place, ahead, faults);
      const done = {
        ...applied,
        prepaidRises: await findPrepaidRises(place, ahead),
        firstDay: null,
      };
      if (faults.concern(facility)) throw new NotKept(done);
      if (isDryRun) throw new NotKept({ ...done, firstDay: await readFirstDay(place, before) });
      if (by !== undefined) await noteImport(place, by, files);
      return done;
    });
  } catch (error) {
    if (error instanceof NotKept) return faults.concern(facility) ? null : error.done;
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === undefined || !/^2[23]/.test(code)) throw error;
    faults.add({
      file: importFiles.facilities.name,
      line: null,
      column: null,
      facility,
      says: `${facility} does not fit the database (${constraint ?? code})`,
    });
    return null;
  }
}

/** Makes the operator where it is not there yet; its name stays as it was first given. */
export async function makeCorporation(
  db: Database,
  { code, name }: { code: string; name: string },
): Promise<{ id: string; name: string }> {
  const { rows } = await sql<{ id: string; name: string }>`
    WITH made AS (INSERT INTO corporations (code, name) VALUES (${code}, ${name}) ON CONFLICT (code) DO NOTHING RETURNING id, name)
    SELECT id, name FROM made UNION ALL SELECT id, name FROM corporations WHERE code = ${code}`.execute(
    db,
  );
  return rows[0]!;
}

/** The numbers that are given next come after those of the files: a number is given once. */
async function raiseReceiptNumbers(db: Database): Promise<void> {
  await sql`
    SELECT setval('receipt_numbers', given.last) FROM (
      SELECT max(receipt_number::bigint) AS last FROM staged_payments WHERE receipt_number ~ '^[0-9]{1,15}$'
    ) given, receipt_numbers now WHERE given.last > now.last_value`.execute(db);
}

function addTo(sum: Applied, more: Applied): void {
  for (const [file, { made, changed }] of Object.entries(more.files) as [FileName, Counts][]) {
    const before = sum.files[file] ?? { made: 0, changed: 0 };
    sum.files[file] = { made: before.made + made, changed: before.changed + changed };
  }
  sum.money = addMoney(sum.money, more.money);
}

/** The planner must not go by the tables as they were. */
async function refreshStatistics(db: Database): Promise<void> {
  await sql`
    ANALYZE facilities, units, tenants, ledgers, entries, charges, payments, allocations, payment_intents,
      payment_intent_ledgers, billed_periods, external_ids`.execute(db);
}
