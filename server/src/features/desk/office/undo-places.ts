import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@gatehouse/contract/office/audit-actions';
import { sql } from 'kysely';
import { audit } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { ImportProgress } from '#context/lease-import.ts';
import { reaching, type Database, type DatabaseTransaction } from '#db/database.ts';
import { holdRunning, takeImportTurnOf } from '#db/import-turn.ts';
import { todayAt } from '#db/today.ts';
import { StartFault } from '#errors/start-fault.ts';
import { recheckOf } from '#http/staff-guard.ts';
import { post, type Change } from '#features/base/ledgers/books.ts';
import { postLocked, readBooks } from '#features/base/ledgers/postings.ts';
import { checkedOf, type OrderedBy } from './ordered-by.ts';

/** Who undoes an import, as it is stored until it is done. */
export type UndoOrder = OrderedBy & { why: string };

type Undone = { id: string; given: string; undoes: string };
type Run = { onProgress: (progress: ImportProgress) => void; signal: AbortSignal };

/** Rows of a statement: few enough for the time that its answer may take. */
const AT_ONCE = 500;

/**
 * Undoes an import, facility after facility, each in a transaction of its own with its event in the
 * audit trail; those that are undone already are left. Throws a StartFault where something came
 * after the import, or the undoing was cancelled.
 */
export async function undoPlaces(
  ctx: Context,
  { id, given, undoes }: Undone,
  run: Run,
): Promise<void> {
  // Written by `undoImportOf`.
  const order = JSON.parse(ctx.vault.open('leaseImport', id, given)) as UndoOrder;
  // Nothing is taken back once the member may not any more.
  const db = reaching(ctx.db, null, recheckOf(checkedOf(order.member)));
  const places = await db
    .selectFrom('lease_import_places')
    .select(['facility_id', 'leases'])
    .where('import_id', '=', undoes)
    .orderBy('facility_id')
    .execute();
  const total = places.reduce((sum, { leases }) => sum + leases, 0);
  let done = 0;
  for (const { facility_id: facilityId, leases } of places) {
    const onPosted = (posted: number) =>
      run.onProgress({ of: 'Taking back, rentals', done: done + posted, total });
    onPosted(0);
    await db
      .transaction()
      .execute((trx) => undoPlace({ ctx, trx, id, undoes, facilityId, order, onPosted, run }));
    done += leases;
  }
}

type PlaceWork = {
  ctx: Context;
  trx: DatabaseTransaction;
  id: string;
  undoes: string;
  facilityId: string;
  order: UndoOrder;
  onPosted: (rentals: number) => void;
  run: Run;
};

async function undoPlace(work: PlaceWork): Promise<void> {
  const { ctx, trx, id, undoes, facilityId, order } = work;
  // Of a whole operator's rentals some statements take longer than a request may.
  await sql`SET LOCAL statement_timeout = 0`.execute(trx);
  await takeImportTurnOf(trx);
  const left = await trx
    .selectFrom('lease_import_places')
    .select('leases')
    .where('import_id', '=', undoes)
    .where('facility_id', '=', facilityId)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  if (left === undefined) return;
  await lockMade(trx, undoes, facilityId);
  const says = await followersText(trx, undoes, facilityId);
  if (says !== null) throw new StartFault(says);
  await takeBalancesBack(work);
  const now = ctx.clock.now();
  for (let isMore = true; isMore;) {
    work.run.signal.throwIfAborted();
    const { rows } = await sql<{ isMore: boolean }>`
      SELECT undo_import(${undoes}, ${facilityId}, ${now}, ${AT_ONCE}) AS "isMore"`.execute(trx);
    isMore = rows[0]!.isMore;
  }
  const verb: AuditAction = 'imports.undo';
  const details = { verb, by: order.name, why: order.why, leases: String(left.leases) };
  await audit(ctx, trx, order.request, [{ kind: 'staff_action', facilityId, details }]);
  await holdRunning(trx, id);
}

/** So that nothing can come after the import any more: not even a row that refers to one of it. */
async function lockMade(
  trx: DatabaseTransaction,
  importId: string,
  facilityId: string,
): Promise<void> {
  await sql`
    SELECT FROM ledgers l JOIN units u ON u.id = l.unit_id
    WHERE l.import_id = ${importId} AND u.facility_id = ${facilityId} ORDER BY l.id FOR UPDATE OF l`.execute(
    trx,
  );
  for (const table of ['tenants', 'units'] as const)
    await sql`
      SELECT FROM ${sql.table(table)} WHERE import_id = ${importId} AND facility_id = ${facilityId}
      ORDER BY id FOR UPDATE`.execute(trx);
}

/** Posts the opposite of each balance, today. */
async function takeBalancesBack({
  ctx,
  trx,
  undoes,
  facilityId,
  onPosted,
  run,
}: PlaceWork): Promise<void> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ id: string; today: string }>`
    SELECT l.id, ${todayAt(now)} AS today FROM ledgers l
    JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.import_id = ${undoes} AND f.id = ${facilityId} AND l.balance_cents <> 0 ORDER BY l.id`.execute(
    trx,
  );
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    run.signal.throwIfAborted();
    const some = rows.slice(from, from + AT_ONCE);
    const today = some[0]!.today;
    const books = await readBooks(
      trx,
      some.map(({ id }) => id),
    );
    const postings = books.map((one) => post(one, [opposite(one.balanceCents, today)]).posting);
    await postLocked(trx, { instant: now, dayOf: () => today }, postings);
    onPosted(from + some.length);
  }
}

function opposite(balanceCents: number, today: string): Change {
  const common = { id: randomUUID(), description: 'Imported by mistake' };
  if (balanceCents > 0) return { ...common, kind: 'credit', cents: balanceCents };
  return {
    ...common,
    kind: 'charge',
    category: 'fee',
    dueOn: today,
    periodEnd: null,
    priceCents: -balanceCents,
    discountCents: 0,
    tax1Cents: 0,
    tax2Cents: 0,
    lateFor: null,
  };
}

/** What came after an import, by the table that has it. */
const words: Record<string, string> = {
  restored: 'the database was restored from a backup',
  closed_months: 'a month of the journal was closed',
  tenants: 'changed',
  units: 'changed',
  ledgers: 'a rental was changed or added',
  entries: 'posted to',
  user_tenants: 'signed up',
  gate_codes: 'its gate code was changed',
};

const MOST_NAMED = 3;

/** What came after an import at a facility, with the first of it; null where nothing did. */
export async function followersText(
  db: Database,
  importId: string,
  facilityId: string,
): Promise<string | null> {
  const { rows } = await sql<{ what: string; tenant: string; unit: string }>`
    SELECT DISTINCT what, tenant, unit FROM import_followers(${importId}, ${facilityId})
    ORDER BY 1, 2, 3 LIMIT ${MOST_NAMED}`.execute(db);
  if (rows.length === 0) return null;
  const named = rows.map(({ what, tenant, unit }) => {
    const where = [unit, tenant].filter(Boolean).join(' ');
    const said = words[what] ?? `has ${what.replaceAll('_', ' ')}`;
    return where === '' ? said : `${where} (${said})`;
  });
  return `Something came after this import: ${named.join('; ')}.`.slice(0, 180);
}
