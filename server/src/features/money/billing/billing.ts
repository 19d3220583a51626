import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { post } from '#features/base/ledgers/books.ts';
import { StaleBooks, writePostings, type PostedAt } from '#features/base/ledgers/postings.ts';
import { writeRateSince } from '#features/base/ledgers/rate-since.ts';
import { readBillable, type BillableLedger } from './billable.ts';
import { billLedger, type LedgerBill } from './ledger-bill.ts';
import { findZone } from './zone.ts';

/** What a run billed, or would: how many, and sums in cents before and after discount and taxes. */
export type BillingTotals = {
  ledgers: number;
  periods: number;
  rentCents: number;
  discountCents: number;
  insuranceCents: number;
  feeCents: number;
  taxCents: number;
  totalCents: number;
  /** Ledgers that were not billed up to the day, each cause with an alarm. */
  parked: number;
};

/** How far a run is: ledgers that were looked at, of those that it began with. */
export type Progress = (progress: { done: number; total: number }) => void;

/** `date` is the facility's day up to which is billed; a dry run writes nothing. */
export type BillingRun = {
  facilityId: string;
  date: string;
  dryRun?: boolean;
  onProgress?: Progress;
};

/**
 * Ids are read by the chunk, because each reading looks at all the facility's ledgers; each batch
 * is one posting.
 */
const CHUNK = 5000;
const BATCH = 250;
const OPTIMISTIC_TRIES = 3;

/**
 * Bills a facility's ledgers every period that is due by `date` and not billed yet, each with its
 * own due date. However often, late or by how many workers it is run, each period is billed exactly
 * once: it is written with its row in billed_periods and only onto the version of the ledger that
 * it was computed from. Killed, it leaves whole batches, and the next run continues. A ledger that
 * cannot be billed is left as it is, with an alarm, and so is a facility whose zone is unknown. Of
 * a discount or protection plan that has ended only its own line is left out, with an alarm.
 * Answers what was billed.
 */
export async function runBilling(ctx: Context, run: BillingRun): Promise<BillingTotals> {
  const { facilityId, date, dryRun = false, onProgress = () => {} } = run;
  const totals = noTotals();
  const timeZone = await findZone(ctx, facilityId, dryRun);
  if (timeZone === null) return totals;
  const total = await countToBill(ctx.db, facilityId, date);
  let done = 0;
  onProgress({ done, total });
  for await (const batch of batchesToBill(ctx.db, facilityId, date)) {
    add(
      totals,
      dryRun
        ? totalsOf(await reckon(ctx.db, batch, date))
        : await billBatch(ctx, timeZone, batch, date),
    );
    done += batch.length;
    onProgress({ done, total });
  }
  return totals;
}

/**
 * Bills a facility up to a day within a transaction that is rolled back: for a caller that looks at
 * what the bills lead to. Raises no alarm.
 */
export async function billWithin(
  trx: DatabaseTransaction,
  at: PostedAt,
  { facilityId, date }: { facilityId: string; date: string },
): Promise<BillingTotals> {
  const totals = noTotals();
  for await (const batch of batchesToBill(trx, facilityId, date)) {
    const bills = await reckon(trx, batch, date);
    await write(trx, at, bills);
    add(totals, totalsOf(bills));
  }
  return totals;
}

/** Nothing billed. */
export function noTotals(): BillingTotals {
  return {
    ledgers: 0,
    periods: 0,
    rentCents: 0,
    discountCents: 0,
    insuranceCents: 0,
    feeCents: 0,
    taxCents: 0,
    totalCents: 0,
    parked: 0,
  };
}

/** Adds what another batch or facility was billed. */
export function add(totals: BillingTotals, more: BillingTotals): void {
  for (const key of Object.keys(more) as (keyof BillingTotals)[]) totals[key] += more[key];
}

/**
 * A current rental that is not billed up to the day, or one that was moved out of later than it was
 * billed to.
 */
const isToBill = (facilityId: string, date: string) => sql<boolean>`
  u.facility_id = ${facilityId} AND l.billed_through < ${date}::date
  AND (l.moved_out_on IS NULL OR l.moved_out_on > l.billed_through + 1)`;

async function countToBill(db: Database, facilityId: string, date: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ledgers l JOIN units u ON u.id = l.unit_id
    WHERE ${isToBill(facilityId, date)}`.execute(db);
  return rows[0]!.count;
}

async function* batchesToBill(
  db: Database,
  facilityId: string,
  date: string,
): AsyncGenerator<string[]> {
  const chunks = batchesById(
    async (after) => {
      const { rows } = await sql<{ id: string }>`
      SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id
      WHERE ${isToBill(facilityId, date)} AND l.id > ${after} ORDER BY l.id LIMIT ${CHUNK}`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    },
    (id) => id,
  );
  for await (const ids of chunks)
    for (let from = 0; from < ids.length; from += BATCH) yield ids.slice(from, from + BATCH);
}

async function reckon(db: Database, ledgerIds: string[], date: string): Promise<LedgerBill[]> {
  const ledgers = await readBillable(db, ledgerIds);
  return reckoned(() => ledgers.map((ledger) => billLedger(ledger, date)));
}

function reckoned<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Unreckonable('a ledger makes no bill', { cause: error });
  }
}

/** Bills the ledgers of a batch together or, where one of them cannot be posted, each by itself. */
async function billBatch(
  ctx: Context,
  timeZone: string,
  ids: string[],
  date: string,
): Promise<BillingTotals> {
  try {
    return totalsOf(await billTogether(ctx, timeZone, ids, date));
  } catch (error) {
    if (!isOfTheData(error)) throw error;
    const [id, ...others] = ids;
    if (others.length === 0) return park(ctx, id!, date, error);
    const totals = noTotals();
    for (const one of ids) add(totals, await billBatch(ctx, timeZone, [one], date));
    return totals;
  }
}

/**
 * Reads, computes the bills and writes them, and reads again where the ledgers were posted to
 * meanwhile. After some tries, and where a rate changes, the ledgers are locked before they are
 * read. Alarms come first: a run that is killed after it has billed does not see again what was
 * wrong.
 */
async function billTogether(
  ctx: Context,
  timeZone: string,
  ids: string[],
  date: string,
): Promise<LedgerBill[]> {
  const instant = ctx.clock.now();
  const at = { instant, dayOf: () => calendarDateIn(timeZone, instant) };
  for (let tries = 0; tries < OPTIMISTIC_TRIES; tries += 1) {
    const bills = await reckon(ctx.db, ids, date);
    if (bills.some(({ rateChange }) => rateChange !== null)) break;
    await raiseAlarms(ctx, ctx.db, bills);
    try {
      await ctx.db.transaction().execute((trx) => write(trx, at, bills));
      return bills;
    } catch (error) {
      if (!(error instanceof StaleBooks)) throw error;
    }
  }
  return ctx.db.transaction().execute(async (trx) => {
    await sql`SELECT FROM ledgers WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`.execute(
      trx,
    );
    const bills = await reckon(trx, ids, date);
    await raiseAlarms(ctx, trx, bills);
    await write(trx, at, bills);
    await changeRates(trx, bills);
    return bills;
  });
}

/** Throws StaleBooks where a ledger was posted to since it was read. */
async function write(trx: DatabaseTransaction, at: PostedAt, bills: LedgerBill[]): Promise<void> {
  const billed = bills.filter(({ periods }) => periods.length > 0);
  if (billed.length === 0) return;
  const postings = billed.map(({ ledger, periods }) => {
    const charges = periods.flatMap((period) =>
      period.charges.map((charge) => ({ ...charge, id: randomUUID() })),
    );
    return reckoned(() => post(ledger, charges, periods.at(-1)!.periodEnd).posting);
  });
  const rows = billed.flatMap(({ ledger, periods }) =>
    periods.map((period) => ({ ...ledger, ...period })),
  );
  await writePostings(trx, at, postings);
  const taxed = billed.filter(
    ({ ledger: { scheduledTax }, periods }) =>
      scheduledTax !== null && periods.at(-1)!.dueOn >= scheduledTax.on,
  );
  await sql`
      UPDATE ledgers SET is_taxed = scheduled_tax, scheduled_tax = NULL, scheduled_tax_on = NULL
      WHERE id = ANY(${taxed.map(({ ledger }) => ledger.ledgerId)}::uuid[])`.execute(trx);
  await sql`
      INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
      SELECT ledger_id, due_on, period_end, rate_cents, ${at.instant}::timestamptz FROM unnest(
        ${rows.map(({ ledgerId }) => ledgerId)}::uuid[], ${rows.map(({ dueOn }) => dueOn)}::date[],
        ${rows.map(({ periodEnd }) => periodEnd)}::date[], ${rows.map(({ rateCents }) => rateCents)}::bigint[]
      ) AS period (ledger_id, due_on, period_end, rate_cents)`.execute(trx);
}

/** The scheduled rate becomes the ledger's own, and the change is kept with its notice. */
async function changeRates(trx: DatabaseTransaction, bills: LedgerBill[]): Promise<void> {
  for (const { ledger, rateChange } of bills) {
    if (rateChange === null) continue;
    await trx
      .updateTable('ledgers')
      .set({
        rental_rate_cents: rateChange.toCents,
        scheduled_rate_cents: null,
        scheduled_rate_on: null,
      })
      .where('id', '=', ledger.ledgerId)
      .execute();
    await writeRateSince(trx, sql`l.id = ${ledger.ledgerId}`);
    await trx
      .insertInto('rate_changes')
      .values({
        ledger_id: ledger.ledgerId,
        rate_notice_id: rateChange.noticeId,
        from_cents: ledger.rateCents,
        to_cents: rateChange.toCents,
        effective_on: rateChange.on,
        applied_on: rateChange.appliedOn,
      })
      .execute();
  }
}

function totalsOf(bills: LedgerBill[]): BillingTotals {
  const totals = noTotals();
  for (const { periods, fault } of bills) {
    if (fault !== null) totals.parked += 1;
    if (periods.length > 0) totals.ledgers += 1;
    totals.periods += periods.length;
    for (const { category, priceCents, discountCents, tax1Cents, tax2Cents } of periods.flatMap(
      (one) => one.charges,
    )) {
      if (category === 'rent') totals.rentCents += priceCents;
      if (category === 'insurance') totals.insuranceCents += priceCents;
      if (category === 'fee') totals.feeCents += priceCents;
      totals.discountCents += discountCents;
      totals.taxCents += tax1Cents + tax2Cents;
      totals.totalCents += priceCents - discountCents + tax1Cents + tax2Cents;
    }
  }
  return totals;
}

/**
 * One alarm for each plan and month of a due date, whatever the number of rentals; one for each
 * rate change.
 */
async function raiseAlarms(ctx: Context, db: Database, bills: LedgerBill[]): Promise<void> {
  for (const { ledger, lateNotice } of bills)
    if (lateNotice !== null) await raiseLateNotice(ctx, db, ledger, lateNotice);
  const found = bills.flatMap(({ ledger, fault, parkedLines }) =>
    [...parkedLines, ...(fault === null ? [] : [fault])].map((one) => ({ ...one, ledger })),
  );
  const byKey = Map.groupBy(
    found,
    ({ kind, id, dueOn }) => `billing_${kind}:${id}:${dueOn.slice(0, 7)}`,
  );
  for (const [key, faults] of byKey) {
    const { kind, id, sentence, ledger } = faults[0]!;
    const units = new Set(faults.map((one) => one.ledger.unitName));
    await raiseAlarm(ctx, db, {
      kind: `billing_${kind}`,
      key,
      facilityId: ledger.facility.facilityId,
      sentence,
      facts: { planId: id, units: [...units].toSorted().slice(0, 20) },
    });
  }
}

async function raiseLateNotice(
  ctx: Context,
  db: Database,
  { ledgerId, unitName, facility }: BillableLedger,
  { on, toCents, noticeSentAt }: NonNullable<LedgerBill['lateNotice']>,
): Promise<void> {
  const how = noticeSentAt === null ? 'was not mailed' : 'was mailed too late';
  await raiseAlarm(ctx, db, {
    kind: 'rate_change_without_notice',
    key: `rate_change_without_notice:${ledgerId}:${on}:${toCents}`,
    facilityId: facility.facilityId,
    sentence: `The notice of the rate change of unit ${unitName} on ${on} ${how}: the old rate is billed on.`,
    facts: {
      ledgerId,
      effectiveOn: on,
      toCents,
      noticeDays: facility.rateNoticeDays,
      noticeSentAt,
    },
  });
}

/**
 * What our rules or the database's will not take of a ledger, now or later; not a connection, lock
 * or time limit.
 */
function isOfTheData(error: unknown): boolean {
  return error instanceof Unreckonable || /^2[23]/.test((error as { code?: string }).code ?? '');
}

/** A ledger's rows make no bill; `cause` says why. */
class Unreckonable extends Error {}

async function park(
  ctx: Context,
  ledgerId: string,
  date: string,
  error: unknown,
): Promise<BillingTotals> {
  const [ledger] = await readBillable(ctx.db, [ledgerId]);
  ctx.log.error({ err: error, ledgerId }, 'a ledger could not be billed');
  await raiseAlarm(ctx, ctx.db, {
    kind: 'billing_failed',
    key: `billing_failed:${ledgerId}:${ledger?.billedThrough ?? date}`,
    facilityId: ledger?.facility.facilityId ?? null,
    sentence: `Unit ${ledger?.unitName ?? ledgerId} could not be billed; the others were. The log says why.`,
    facts: { ledgerId, date },
  });
  return { ...noTotals(), parked: 1 };
}
