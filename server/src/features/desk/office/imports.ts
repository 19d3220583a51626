import { randomUUID } from 'node:crypto';
import type { Reply } from '@gatehouse/contract/endpoint';
import type {
  cancelImport as cancelImportCall,
  getImport,
  importLeases,
  ImportRun,
  LeasesReport,
  listImports,
} from '@gatehouse/contract/office/imports';
import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { ImportProgress, LeaseImport } from '#context/lease-import.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { StartFault } from '#errors/start-fault.ts';
import { bytesOf } from '#features/base/images/data-url.ts';
import { recheckOf, type StaffMember } from '#http/staff-guard.ts';
import { checkedOf, storedMember, type OrderedBy } from './ordered-by.ts';
import { undoPlaces } from './undo-places.ts';

type Body = z.output<NonNullable<(typeof importLeases)['body']>>;

/** An import as it is stored until it has ended: as it came, and by whom. */
type Stored = Body & { by: OrderedBy };

/** An import whose process ended this often is given up. */
const MOST_TRIES = 5;
const WATCH_MS = 1000;
const MOST_LISTED = 20;

/**
 * Stores the files of an import, or of a preview of one, and queues the job that does it; an
 * earlier preview of the member is cancelled. Refuses with 422 while an import is under way.
 */
export async function startImport(
  work: Context,
  staff: StaffMember,
  given: Body,
  request: AuditedRequest,
): Promise<ImportRun> {
  const bytes = bytesOf(given.data);
  if (bytes === null || given.files.reduce((sum, file) => sum + file.bytes, 0) !== bytes.length)
    throw new Refusal(422, 'The files did not arrive whole. Please choose them again.');
  const id = randomUUID();
  const { name, staffId } = staff;
  const stored: Stored = { ...given, by: { name, request, member: storedMember(staff) } };
  await work.db.transaction().execute(async (trx) => {
    await refuseUnderWay(trx);
    // The member reads the files anew.
    await trx
      .updateTable('lease_imports')
      .set({ state: 'cancelled', given: null, ended_at: work.clock.now() })
      .where('staff_id', '=', staffId)
      .where('state', 'in', ['waiting', 'running'])
      .execute();
    await trx
      .insertInto('lease_imports')
      .values({
        id,
        staff_id: staffId,
        by_name: name,
        is_preview: given.isPreview,
        given: work.vault.seal('leaseImport', id, JSON.stringify(stored)),
        state: 'waiting',
        created_at: work.clock.now(),
      })
      .execute();
    await work.enqueue(trx, { name: 'import-leases', data: { importId: id } });
  });
  return readImport(work, staffId, id);
}

/** Refuses with 422 while an import is under way, and keeps others from beginning one. */
export async function refuseUnderWay(trx: DatabaseTransaction): Promise<void> {
  await sql`LOCK TABLE lease_imports IN SHARE ROW EXCLUSIVE MODE`.execute(trx);
  const underWay = await trx
    .selectFrom('lease_imports')
    .select('id')
    .where('is_preview', '=', false)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  if (underWay !== undefined)
    throw new Refusal(422, 'Another import is under way. Wait until it is through.');
}

/**
 * Does an import that was asked for, or begins it again after the end of the process that did it:
 * what that one had not committed is undone, and what it had is left as it is. Nothing where it has
 * ended or was cancelled.
 */
export async function runImport(ctx: Context, id: string): Promise<void> {
  const { rows } = await sql<{ given: string; undoes: string | null; tries: number }>`
    UPDATE lease_imports SET state = 'running', tries = tries + 1
    WHERE id = ${id} AND state IN ('waiting', 'running') RETURNING given, undoes, tries`.execute(
    ctx.db,
  );
  const [row] = rows;
  if (row === undefined) return;
  if (row.tries > MOST_TRIES)
    return end(ctx, id, { says: 'It was begun several times and came to no end.' });
  const aborting = new AbortController();
  let progress: ImportProgress | null = null;
  const watching = setInterval(() => {
    void keepProgress(ctx, id, progress).then(
      (isRunning) => isRunning || aborting.abort(),
      (error: unknown) => ctx.log.warn({ err: error }, 'the progress of an import was not kept'),
    );
  }, WATCH_MS);
  try {
    const run = {
      onProgress: (now: ImportProgress) => (progress = now),
      signal: aborting.signal,
    };
    if (row.undoes !== null) {
      await undoPlaces(ctx, { id, given: row.given, undoes: row.undoes }, run);
      await end(ctx, id, {});
      return;
    }
    const { order, refusalOf } = orderOf(ctx, id, row.given);
    await end(ctx, id, { report: await ctx.importLeases(order, refusalOf, run) });
  } catch (error) {
    if (aborting.signal.aborted) return;
    if (!(error instanceof StartFault) && !(error instanceof Refusal)) throw error;
    await end(ctx, id, { says: error.message });
  } finally {
    clearInterval(watching);
  }
}

function orderOf({ vault, clock }: Context, id: string, sealed: string) {
  // Written by `startImport`.
  const { data, by, files, ...given } = JSON.parse(vault.open('leaseImport', id, sealed)) as Stored;
  const { member, ...from } = by;
  const bytes = bytesOf(data)!;
  let at = 0;
  const { statement, refusalOf } = recheckOf(checkedOf(member));
  const order: LeaseImport = {
    ...given,
    files: files.map((file) => ({
      name: file.name,
      bytes: new Uint8Array(bytes.subarray(at, (at += file.bytes))),
    })),
    now: clock.now(),
    by: { ...from, importId: id, recheck: { first: statement(true), last: statement(false) } },
  };
  return { order, refusalOf };
}

/** Answers whether the import still runs: it may have been cancelled. */
async function keepProgress(
  { db }: Context,
  id: string,
  progress: ImportProgress | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lease_imports')
    .set({
      step: progress?.of ?? null,
      step_done: progress?.done ?? null,
      step_total: progress?.total ?? null,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0;
}

async function end(
  { db, vault, clock }: Context,
  id: string,
  { report, says = null }: { report?: LeasesReport; says?: string | null },
): Promise<void> {
  await db
    .updateTable('lease_imports')
    .set({
      state: says === null ? 'done' : 'failed',
      says,
      report: report === undefined ? null : vault.seal('leasesReport', id, JSON.stringify(report)),
      given: null,
      ended_at: clock.now(),
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

type Row = Omit<ImportRun, 'createdAt' | 'report'> & { createdAt: Date };

const runColumns = sql`i.id AS "importId", i.is_preview AS "isPreview", i.undoes, i.state, i.by_name AS "by",
  i.created_at AS "createdAt", i.says,
  CASE WHEN i.state = 'running' AND i.step IS NOT NULL
    THEN json_build_object('of', i.step, 'done', i.step_done, 'total', i.step_total) END AS progress,
  (SELECT coalesce(json_agg(json_build_object('facility', f.location_code, 'leases', p.leases,
      'isUndone', p.undone_at IS NOT NULL) ORDER BY f.location_code), '[]')
    FROM lease_import_places p JOIN facilities f ON f.id = p.facility_id WHERE p.import_id = i.id) AS imported`;

/** How far an import is, or what came of it. Refuses with 404 another member's. */
export async function readImport(
  { db, vault }: Context,
  staffId: string,
  id: string,
): Promise<Reply<typeof getImport>> {
  const { rows } = await sql<Row & { report: string | null }>`
    SELECT ${runColumns}, i.report FROM lease_imports i WHERE i.id = ${id} AND i.staff_id = ${staffId}`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  const { report } = row;
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    // Written by `end`, and by no other version for a day.
    report:
      report === null ? null : (JSON.parse(vault.open('leasesReport', id, report)) as LeasesReport),
  };
}

/** The last imports, the newest first, without previews. */
export async function findImports({ db }: Context): Promise<Reply<typeof listImports>> {
  const { rows } = await sql<Row>`
    SELECT ${runColumns} FROM lease_imports i WHERE NOT i.is_preview
    ORDER BY i.created_at DESC, i.id LIMIT ${MOST_LISTED}`.execute(db);
  return { rows: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) };
}

/**
 * Cancels an import: what is not committed is not written any more once this answers, and the files
 * are gone. Nothing where it has ended. Refuses with 404 one that is not there.
 */
export async function cancelImport(
  { db, clock }: Context,
  id: string,
): Promise<Reply<typeof cancelImportCall>> {
  await db
    .updateTable('lease_imports')
    .set({ state: 'cancelled', given: null, ended_at: clock.now() })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .execute();
  const { rows } = await sql<Pick<ImportRun, 'state' | 'imported'>>`
    SELECT ${runColumns} FROM lease_imports i WHERE i.id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw notFound();
  return { state: row.state, imported: row.imported };
}

/** Deletes previews, reports of imports, and imports that never began, after a day. */
export async function forgetOldImports({ db, clock }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - 86_400_000);
  await db
    .deleteFrom('lease_imports')
    .where('created_at', '<', before)
    .where((on) => on.or([on('is_preview', '=', true), on('state', '=', 'waiting')]))
    .execute();
  await db
    .updateTable('lease_imports')
    .set({ report: null })
    .where('ended_at', '<', before)
    .where('report', 'is not', null)
    .execute();
}
