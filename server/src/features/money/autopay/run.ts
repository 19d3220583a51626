import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { GatewayUnknown } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { MethodType } from '#db/tables.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { findZone } from '#features/money/billing/zone.ts';
import { notEnforcedCents } from '#features/base/ledgers/owed-since.ts';
import { lockLedgers } from '#features/base/ledgers/postings.ts';
import { describeMethod } from '#features/money/payment-methods/payment-methods.ts';
import { insertIntent, isBlocked, readDebt, type Debt } from '#features/money/payments/begin.ts';
import { capture } from '#features/money/payments/capture.ts';
import { isPaidInPart, itemNotes, nextCents } from './items.ts';
import { chargesMethod } from '#features/money/mandates/mandates.ts';
import { endMovedOut } from './moved-out.ts';

/**
 * `date` is the facility's day whose run it is, today or one before; a rerun continues where the
 * last one was.
 */
export type AutopayRun = {
  facilityId: string;
  date: string;
  onProgress?: (progress: { done: number; total: number }) => void;
};

/** What became of the attempts of a run; `takenCents` counts bank debits that are taken in. */
export type AutopayTotals = {
  attempts: number;
  taken: number;
  takenCents: number;
  declined: number;
  /**
   * The gateway did not take them up: they count as no attempt and are tried again by the next run.
   */
  notSent: number;
  /** The gateway did not answer: the sweep will know. */
  unknown: number;
  /** Nothing was owed, or it was paid meanwhile. */
  skipped: number;
  /** Could not be tried for a fault of ours, each with an alarm. */
  failed: number;
};

/** Ids are read by the chunk, because each reading looks at all the facility's autopays. */
const CHUNK = 5000;
const BATCH = 250;
/** Charges that are under way at once. */
const AT_ONCE = 8;
/** Timeouts of the gateway in a row that end a run: each takes long. */
const MOST_SILENCES = 24;

/**
 * Charges what is due by autopay at a facility: for each current rental under a live mandate that
 * is not on hold, one item for the due date of its newest billed period, for the balance at the
 * moment of the claim, and the attempts of earlier items that are due. The items of a ledger whose
 * books are not sound wait until its alarm is closed. What is paid by then, or less than the
 * gateway charges, is skipped; a ledger whose payment is being confirmed waits for the next run.
 * However often, late or by how many workers it is run, and wherever it is killed: each attempt is
 * a payment intent of the payment core, and an item is tried by one at a time. Throws where the
 * gateway does not answer any more: the run is to be started again.
 */
export async function runAutopay(ctx: Context, run: AutopayRun): Promise<AutopayTotals> {
  const { facilityId, date, onProgress = () => {} } = run;
  const totals = noAttempts();
  const timeZone = await findZone(ctx, facilityId);
  if (timeZone === null) return totals;
  const day = { date, timeZone, today: calendarDateIn(timeZone, ctx.clock.now()) };
  await endMovedOut(
    ctx.db,
    ctx.clock.now(),
    sql<boolean>`u.facility_id = ${facilityId} AND NOT is_current_on(l.moved_out_on, ${day.today}::date)`,
  );
  const total = await countActive(ctx.db, facilityId, day);
  let done = 0;
  onProgress({ done, total });
  const silences = { inARow: 0 };
  for await (const ids of chunksOfActive(ctx.db, facilityId, day)) {
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      totals.skipped += await makeItems(ctx, batch, day);
      await noteBookFaults(ctx, batch);
      await eachOf(await findDue(ctx.db, batch, day), async (due) => {
        const result = await attemptSafely(ctx, due, day);
        count(totals, result);
        if (result === null) return;
        const isSilence = result.outcome === 'unknown' || result.outcome === 'notSent';
        silences.inARow = isSilence ? silences.inARow + 1 : 0;
        if (silences.inARow >= MOST_SILENCES)
          throw new GatewaySilent('the gateway does not answer the autopay run');
      });
      done += batch.length;
      onProgress({ done, total });
    }
  }
  return totals;
}

/** What a run would try, and for how much; of those skipped nothing is owed any more. */
export type AutopayForeseen = { attempts: number; cents: number; skipped: number };

/**
 * What a run would charge if it began now, by the same queries: its items are made in transactions
 * that are undone, and no gateway is asked. A ledger whose payment is being confirmed is left out,
 * as it is by a run.
 */
export async function foreseeAutopay(
  ctx: Context,
  { facilityId, date, onProgress = () => {} }: AutopayRun,
) {
  const foreseen: AutopayForeseen = { attempts: 0, cents: 0, skipped: 0 };
  const timeZone = await findZone(ctx, facilityId);
  if (timeZone === null) return foreseen;
  const day = { date, timeZone, today: calendarDateIn(timeZone, ctx.clock.now()) };
  const total = await countActive(ctx.db, facilityId, day);
  let done = 0;
  onProgress({ done, total });
  for await (const ids of chunksOfActive(ctx.db, facilityId, day)) {
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      const trx = await ctx.db.startTransaction().execute();
      try {
        await foreseeBatch({ ...ctx, db: trx }, batch, day, foreseen);
      } finally {
        await trx.rollback().execute();
      }
      done += batch.length;
      onProgress({ done, total });
    }
  }
  return foreseen;
}

type Foreseer = Pick<Context, 'clock' | 'db'> & {
  gateway: Pick<Context['gateway'], 'leastChargeCents'>;
};

/** The same on a day to come, of what a transaction has; it must be rolled back. */
export async function foreseeWithin(
  ctx: Foreseer,
  { facilityId, date }: Pick<AutopayRun, 'facilityId' | 'date'>,
): Promise<AutopayForeseen> {
  const foreseen: AutopayForeseen = { attempts: 0, cents: 0, skipped: 0 };
  const day = { date, timeZone: '', today: date };
  for await (const ids of chunksOfActive(ctx.db, facilityId, day))
    await foreseeBatch(ctx, ids, day, foreseen);
  return foreseen;
}

async function foreseeBatch(
  ctx: Foreseer,
  batch: string[],
  day: Day,
  foreseen: AutopayForeseen,
): Promise<void> {
  foreseen.skipped += await makeItems(ctx, batch, day);
  for (const due of await findDue(ctx.db, batch, day))
    add(ctx, foreseen, await readOwed(ctx.db, due, day));
}

function add(ctx: Foreseer, foreseen: AutopayForeseen, owed: Owed): void {
  const { lines, isBlocked } = owed.debt;
  const [line] = lines;
  if (line === undefined || isBlocked) return;
  if (noteOfSkipped(ctx, owed) !== null) {
    foreseen.skipped += 1;
    return;
  }
  foreseen.attempts += 1;
  foreseen.cents += line.cents;
}

/** Nothing tried. */
export function noAttempts(): AutopayTotals {
  return {
    attempts: 0,
    taken: 0,
    takenCents: 0,
    declined: 0,
    notSent: 0,
    unknown: 0,
    skipped: 0,
    failed: 0,
  };
}

/** The gateway is away: the rest of the run waits for its next start. */
class GatewaySilent extends GatewayUnknown {}

const activeAt = (facilityId: string, { today }: Day) => sql`
  autopays a JOIN ledgers l ON l.id = a.ledger_id JOIN units u ON u.id = l.unit_id
  WHERE u.facility_id = ${facilityId} AND a.active AND is_current_on(l.moved_out_on, ${today}::date)`;

async function countActive(db: Database, facilityId: string, day: Day): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*)::int AS count FROM ${activeAt(facilityId, day)}`.execute(db);
  return rows[0]!.count;
}

function chunksOfActive(db: Database, facilityId: string, day: Day): AsyncGenerator<string[]> {
  return batchesById(
    async (after) => {
      const { rows } = await sql<{ id: string }>`
      SELECT l.id FROM ${activeAt(facilityId, day)} AND l.id > ${after} ORDER BY l.id LIMIT ${CHUNK}`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    },
    (id) => id,
  );
}

/** What autopay may charge, of autopay `a`, its ledger `l` and its method `pm`. */
const mayCharge = ({ today }: Day) =>
  sql<boolean>`(${chargesMethod} AND is_current_on(l.moved_out_on, ${today}::date))`;

/**
 * An item for the newest due date of each ledger that has none yet, which takes up what waits of
 * earlier ones: the balance holds it. Answers how many of the new ones have nothing to charge.
 */
async function makeItems(
  ctx: Pick<Context, 'clock' | 'db'>,
  ledgerIds: string[],
  day: Day,
): Promise<number> {
  const { date } = day;
  const at = ctx.clock.now();
  const { rows } = await sql<{ skipped: number }>`
    WITH made AS (
      INSERT INTO autopay_items (ledger_id, due_on, state, try_on, note, created_at, updated_at)
      SELECT l.id, billed.due_on, CASE WHEN charged.waits THEN 'waiting' ELSE 'skipped' END,
        CASE WHEN charged.waits THEN ${date}::date END,
        CASE WHEN NOT charged.waits THEN ${itemNotes.nothingOwed} END, ${at}::timestamptz, ${at}::timestamptz
      FROM ledgers l
      -- A balance that is not sound does not say that nothing is owed.
      CROSS JOIN LATERAL (
        SELECT l.balance_cents > ${notEnforcedCents(date)} OR has_books_fault(l.id) AS waits) charged
      JOIN autopays a ON a.ledger_id = l.id
      JOIN payment_methods pm ON pm.id = a.payment_method_id
      CROSS JOIN LATERAL (
        SELECT p.due_on FROM billed_periods p WHERE p.ledger_id = l.id AND p.due_on <= ${date}::date
        ORDER BY p.due_on DESC LIMIT 1
      ) billed
      WHERE l.id = ANY(${ledgerIds}::uuid[]) AND ${mayCharge(day)}
        AND NOT EXISTS (SELECT FROM autopay_items i WHERE i.ledger_id = l.id AND i.due_on = billed.due_on)
      ORDER BY l.id
      ON CONFLICT (ledger_id, due_on) DO NOTHING
      RETURNING ledger_id, due_on, state
    ), taken_up AS (
      UPDATE autopay_items i SET state = 'skipped', try_on = NULL, note = ${itemNotes.superseded}, updated_at = ${at}::timestamptz
      FROM made WHERE i.ledger_id = made.ledger_id AND i.due_on < made.due_on AND i.state = 'waiting'
    )
    SELECT count(*)::int AS skipped FROM made WHERE state = 'skipped'`.execute(ctx.db);
  return rows[0]!.skipped;
}

/** Says of the items that wait why they are not tried, for ledgers whose books are not sound. */
async function noteBookFaults(ctx: Context, ledgerIds: string[]): Promise<void> {
  await sql`
    UPDATE autopay_items SET note = ${itemNotes.booksFault}, updated_at = ${ctx.clock.now()}
    WHERE ledger_id = ANY(${ledgerIds}::uuid[]) AND state = 'waiting' AND note IS DISTINCT FROM ${itemNotes.booksFault}
      AND has_books_fault(ledger_id)`.execute(ctx.db);
}

/** An item that is to be tried, with what it is charged to. */
type Due = {
  itemId: string;
  ledgerId: string;
  tenantId: string;
  facilityId: string;
  unitName: string;
  mandateId: string;
  methodId: string;
  type: MethodType;
  brand: string;
  lastFour: string;
  token: string;
  tokenVersion: number;
  fingerprint: string | null;
  expiresOn: string | null;
  customer: string | null;
};

const isDue = (day: Day) =>
  sql<boolean>`(i.state = 'waiting' AND i.try_on <= ${day.date}::date AND ${mayCharge(day)} AND NOT has_books_fault(l.id))`;

async function findDue(db: Database, ledgerIds: string[], day: Day): Promise<Due[]> {
  const { rows } = await sql<Due>`
    SELECT i.id AS "itemId", l.id AS "ledgerId", l.tenant_id AS "tenantId", u.facility_id AS "facilityId",
      u.name AS "unitName", a.mandate_id AS "mandateId", pm.id AS "methodId", pm.type,
      pm.brand, pm.last_four AS "lastFour", pm.gateway_token AS token,
      pm.token_version AS "tokenVersion", pm.fingerprint,
      pm.expires_on AS "expiresOn", customer.customer
    FROM autopay_items i
    JOIN ledgers l ON l.id = i.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN autopays a ON a.ledger_id = l.id
    JOIN payment_methods pm ON pm.id = a.payment_method_id
    LEFT JOIN gateway_customers customer ON customer.tenant_id = l.tenant_id
    WHERE i.ledger_id = ANY(${ledgerIds}::uuid[]) AND i.state IN ('waiting', 'trying') AND ${isDue(day)}
    ORDER BY i.ledger_id, i.due_on`.execute(db);
  return rows;
}

/**
 * The day of a run, the facility's zone, and its day at the run's start: what has ended by then is
 * not charged.
 */
type Day = { date: string; timeZone: string; today: string };

type Result =
  | { outcome: 'taken'; cents: number }
  | { outcome: 'declined' | 'notSent' | 'unknown' | 'skipped' | 'failed' };

/** What is not an attempt at a charge. */
const noAttempt = new Set<Result['outcome']>(['notSent', 'skipped', 'failed']);

/** One ledger's trouble does not keep the others from being charged. */
async function attemptSafely(ctx: Context, due: Due, day: Day): Promise<Result | null> {
  try {
    return await attempt(ctx, due, day);
  } catch (error) {
    ctx.log.error(
      { err: error, ledgerId: due.ledgerId },
      'a ledger could not be charged by autopay',
    );
    const { date } = day;
    await raiseAlarm(ctx, ctx.db, {
      kind: 'autopay_failed',
      key: `autopay_failed:${due.itemId}:${date}`,
      facilityId: due.facilityId,
      sentence: `Autopay could not charge unit ${due.unitName} on ${date}. It is tried again by the next run; the log says why.`,
      facts: { ledgerId: due.ledgerId, itemId: due.itemId, date },
    });
    return { outcome: 'failed' };
  }
}

/** Null where another worker has the item or the ledger, or it may not be charged any more. */
async function attempt(ctx: Context, due: Due, day: Day): Promise<Result | null> {
  const instrument = {
    type: due.type,
    token: ctx.vault.open('gatewayToken', due.methodId, due.token),
  };
  const begun = await begin(ctx, due, day);
  if (begun === null || begun === 'skipped') return begun && { outcome: begun };
  ctx.failpoint('after-tx1');
  const captured = await capture(ctx, {
    reference: begun.intentId,
    amountCents: begun.cents,
    instrument,
    initiator: 'autopay',
    customer: due.customer,
  });
  if (captured.outcome === 'posted') return { outcome: 'taken', cents: begun.cents };
  return { outcome: captured.outcome === 'not_sent' ? 'notSent' : captured.outcome };
}

/**
 * The attempt's TX1: the intent is written together with its item, which is `trying` from there on.
 */
async function begin(
  ctx: Context,
  due: Due,
  day: Day,
): Promise<{ intentId: string; cents: number } | 'skipped' | null> {
  const now = ctx.clock.now();
  try {
    return await ctx.db.transaction().execute(async (trx) => {
      await lockLedgers(trx, sql`SELECT ${due.ledgerId}::uuid`);
      const owed = await readOwed(trx, due, day);
      const { debt } = owed;
      const [line] = debt.lines;
      if (line === undefined || debt.isBlocked) return null;
      const note = noteOfSkipped(ctx, owed);
      if (note !== null) return (await skip(trx, now, due, note)) ? 'skipped' : null;
      if (!(await isStillDue(trx, due, day))) return null;
      const { cents } = line;
      const intentId = await insertIntent(trx, now, {
        tenantId: due.tenantId,
        userId: null,
        initiator: 'autopay',
        type: due.type,
        methodDescription: describeMethod({
          type: due.type,
          brand: due.brand,
          last_four: due.lastFour,
        }),
        paymentMethodId: due.methodId,
        tokenVersion: due.tokenVersion,
        fingerprint: due.fingerprint,
        expiresOn: due.expiresOn,
        idempotencyKey: null,
        requestHash: null,
        autopayItemId: due.itemId,
        debt,
      });
      await startTrying(trx, now, due, calendarDateIn(day.timeZone, now), cents);
      return { intentId, cents };
    });
  } catch (error) {
    if (isBlocked(error)) return null;
    throw error;
  }
}

type Owed = { debt: Debt; isPaidInPart: boolean };

/**
 * All that is owed at a first attempt; at a later one what is left of that, and no more than at the
 * one before.
 */
async function readOwed(
  db: Database,
  { itemId, tenantId, ledgerId }: Due,
  { today }: Day,
): Promise<Owed> {
  const { rows } = await sql<{ cents: number; isPaidInPart: boolean }>`
    SELECT ${nextCents(today)} AS cents, ${isPaidInPart(today)} AS "isPaidInPart" FROM autopay_items i WHERE i.id = ${itemId}`.execute(
    db,
  );
  const [next] = rows;
  const debt = await readDebt(db, {
    tenantId,
    userId: null,
    idempotencyKey: null,
    today,
    lines: [{ ledgerId, cents: next!.cents }],
  });
  return { debt, isPaidInPart: next!.isPaidInPart };
}

/**
 * Locks item and autopay, in this order as all who hold both: a switch to off is before the charge
 * or after it.
 */
async function isStillDue(
  trx: DatabaseTransaction,
  { itemId, mandateId, methodId }: Due,
  day: Day,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM autopay_items i
    JOIN ledgers l ON l.id = i.ledger_id
    JOIN autopays a ON a.ledger_id = i.ledger_id
    JOIN payment_methods pm ON pm.id = a.payment_method_id
    WHERE i.id = ${itemId} AND a.mandate_id = ${mandateId} AND pm.id = ${methodId} AND ${isDue(day)}
    FOR NO KEY UPDATE OF i, a`.execute(trx);
  return rows.length > 0;
}

/** On the day that it is: of a run that is late, the next tries are counted from the first one. */
async function startTrying(
  trx: DatabaseTransaction,
  now: Date,
  { itemId }: Due,
  today: string,
  cents: number,
): Promise<void> {
  await sql`
      UPDATE autopay_items SET state = 'trying', note = NULL, try_on = ${today}::date, updated_at = ${now},
        first_try_on = coalesce(first_try_on, ${today}::date), amount_cents = ${cents}::bigint,
        through_position = coalesce(through_position, (
          SELECT max(e.position) FROM entries e WHERE e.ledger_id = autopay_items.ledger_id))
      WHERE id = ${itemId}`.execute(trx);
}

/**
 * Why a ledger has nothing to charge: it was paid since, or the gateway takes no sum so small, or a
 * returned debit could not be presented in its own amount; null where it has.
 */
function noteOfSkipped(
  { gateway }: Pick<Foreseer, 'gateway'>,
  { debt, isPaidInPart }: Owed,
): string | null {
  const { cents } = debt.lines[0]!;
  if (cents === 0) return itemNotes.paidMeanwhile;
  if (isPaidInPart) return itemNotes.paidInPart;
  return cents < gateway.leastChargeCents ? itemNotes.tooLittle : null;
}

async function skip(
  trx: DatabaseTransaction,
  now: Date,
  { itemId }: Due,
  note: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE autopay_items SET state = 'skipped', try_on = NULL, note = ${note}, updated_at = ${now}
    WHERE id = ${itemId} AND state = 'waiting'`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

function count(totals: AutopayTotals, result: Result | null): void {
  if (result === null) return;
  totals[result.outcome] += 1;
  if (!noAttempt.has(result.outcome)) totals.attempts += 1;
  if (result.outcome === 'taken') totals.takenCents += result.cents;
}

/**
 * Does something with each, a few at once; stops and throws where one throws, after those under way
 * have ended.
 */
async function eachOf<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of left) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (failures.length > 0) throw failures[0];
}
