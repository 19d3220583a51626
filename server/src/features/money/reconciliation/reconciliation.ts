import { sql } from 'kysely';
import type { GatewayDispute, GatewayRefund, Transaction } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import type { DifferenceClass, IntentState } from '#db/tables.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { applyDispute, findDisputeStates } from '#features/money/payments/disputes.ts';
import {
  applyRefund,
  findRefunds,
  isSame,
  type Applied,
} from '#features/money/payments/gateway-refunds.ts';
import { openStates, UNKNOWN_MINUTES } from '#features/money/payments/intent.ts';
import { lookUpPending, resolveOverduePayments } from '#features/money/payments/resolve.ts';
import { batchesOf } from './batches.ts';
import {
  findDuplicates,
  findInLines,
  findUnlisted,
  isStatusDifferent,
  type Difference,
  type Window,
} from './differences.ts';
import { storePayouts } from './payouts.ts';

/** What a run compared and found; `found` counts what no run before it had found. */
export type Reconciliation = {
  id: string;
  from: Date;
  to: Date;
  /** Lines of the gateway's list in the window. */
  compared: number;
  found: Record<DifferenceClass, number>;
};

const MINUTE = 60_000;
/**
 * A payment this young may be under way: its charge is there and its posting is not, or the
 * reverse.
 */
const UNDER_WAY_MINUTES = 15;
/**
 * The gateway's clock and the wait between an intent and its charge may put the two this far apart.
 */
const MARGIN_MINUTES = 60;
const LINES_AT_ONCE = 1000;
/** Refunds or disputes that one statement compares with the books. */
const BACK_AT_ONCE = 500;
/** The alarm's mail lists this many; all are in the table. */
const MOST_LISTED = 20;

/**
 * Hourly: looks every open payment up whose time is over, raises an alarm for each that is open for
 * longer than I7 allows, and notes how many those are. Throws in the end when some could not be
 * looked up.
 */
export async function reconcileOpenIntents(ctx: Context): Promise<void> {
  const startedAt = ctx.clock.now();
  const failure = await resolveOverduePayments(ctx).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  await alarmOfUnknown(ctx);
  const open = await ctx.db
    .selectFrom('payment_intents')
    .select('created_at')
    .where('state', 'in', openStates)
    .where('created_at', '<', unknownBefore(startedAt))
    .orderBy('created_at')
    .execute();
  const [first] = open;
  await ctx.db
    .insertInto('reconciliations')
    .values({
      kind: 'open_intents',
      from_at: first?.created_at ?? startedAt,
      to_at: startedAt,
      started_at: startedAt,
      finished_at: ctx.clock.now(),
      compared: open.length,
    })
    .execute();
  if (failure !== null) throw failure.error;
}

/** Raises an alarm, once, for each payment that is open for longer than I7 allows. */
export async function alarmOfUnknown(ctx: Context): Promise<void> {
  const { rows } = await sql<{
    id: string;
    since: Date;
    cents: number;
    state: IntentState;
    facilityId: string;
  }>`
    SELECT i.id, i.created_at AS since, i.amount_cents AS cents, i.state, t.facility_id AS "facilityId"
    FROM payment_intents i JOIN tenants t ON t.id = i.tenant_id
    WHERE i.state IN ('submitted', 'unknown') AND i.created_at < ${unknownBefore(ctx.clock.now())}
      AND NOT EXISTS (SELECT FROM alarms WHERE key = 'payment_unknown:' || i.id)
    ORDER BY i.created_at`.execute(ctx.db);
  for (const { id, since, cents, state, facilityId } of rows)
    await raiseAlarm(ctx, ctx.db, {
      kind: 'payment_unknown',
      key: `payment_unknown:${id}`,
      facilityId,
      sentence: `What became of a payment is not known after ${UNKNOWN_MINUTES} minutes. Look it up at the gateway.`,
      facts: { payment: id, cents, state, since: since.toISOString() },
    });
}

function unknownBefore(now: Date): Date {
  return new Date(now.getTime() - UNKNOWN_MINUTES * MINUTE);
}

/**
 * Compares our books with the gateway's list of a window, in batches. Every difference is recorded
 * once, even if later runs find it again, is logged and counted, and the operator gets one mail per
 * run. The window ends at the latest where payments may still be under way; a payment that only one
 * side shows yet because it is on its way is looked up before it counts as a difference. Refunds
 * and disputes of the window that are not in the books are posted (`applyRefund`, `applyDispute`),
 * and count as differences too. In the end the payouts of the window are stored (`storePayouts`);
 * the comparison counts also where that throws.
 */
export async function reconcileDay(ctx: Context, from: Date, to: Date): Promise<Reconciliation> {
  const startedAt = ctx.clock.now();
  const latest = new Date(startedAt.getTime() - UNDER_WAY_MINUTES * MINUTE);
  const window: Window = { from, to: to < latest ? to : latest };
  const { id } = await ctx.db
    .insertInto('reconciliations')
    .values({
      kind: 'daily',
      from_at: window.from,
      to_at: window.to,
      started_at: startedAt,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  try {
    const compared = await copyLines(ctx, id, window);
    const kept = await keepDifferences(ctx, id, window);
    const failure = await applyWentBack(ctx, id, window, kept).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    await notifyOperator(ctx, id, kept);
    if (failure !== null) throw failure.error;
    await ctx.db
      .updateTable('reconciliations')
      .set({ finished_at: ctx.clock.now(), compared })
      .where('id', '=', id)
      .execute();
    await storePayouts(ctx, window);
    return { id, ...window, compared, found: kept.counts };
  } finally {
    await forgetLines(ctx, id);
  }
}

/**
 * Copies the gateway's list, with a margin around the window. Answers how many of its lines are in
 * the window.
 */
async function copyLines(ctx: Context, id: string, { from, to }: Window): Promise<number> {
  const around = (instant: Date, minutes: number) => new Date(instant.getTime() + minutes * MINUTE);
  const lines = ctx.gateway.listTransactions(
    around(from, -MARGIN_MINUTES),
    around(to, MARGIN_MINUTES),
  );
  let place = 0;
  let compared = 0;
  let batch: Transaction[] = [];
  const write = async () => {
    if (batch.length === 0) return;
    await sql`
      INSERT INTO gateway_lines (reconciliation_id, place, reference, amount_cents, standing, at)
      SELECT ${id}, ${place} + nth - 1, reference, cents, standing, at FROM unnest(
        ${batch.map((line) => line.reference)}::text[], ${batch.map((line) => line.amountCents)}::bigint[],
        ${batch.map((line) => line.standing)}::text[], ${batch.map((line) => line.at)}::timestamptz[]
      ) WITH ORDINALITY AS line (reference, cents, standing, at, nth)`.execute(ctx.db);
    place += batch.length;
    batch = [];
  };
  for await (const line of lines) {
    batch.push(line);
    if (line.at >= from && line.at < to) compared++;
    if (batch.length === LINES_AT_ONCE) await write();
  }
  await write();
  return compared;
}

type Kept = { counts: Record<DifferenceClass, number>; first: Difference[] };

async function keepDifferences(ctx: Context, id: string, window: Window): Promise<Kept> {
  const counts = {
    gateway_only: 0,
    ledger_only: 0,
    amount: 0,
    status: 0,
    duplicate: 0,
    refund: 0,
    dispute: 0,
  };
  const kept: Kept = { counts, first: [] };
  const keep = (difference: Difference) => keepIn(ctx, id, kept, difference);
  for await (const difference of findInLines(ctx.db, id, window))
    if (difference.class !== 'status' || (await isStillDifferent(ctx, id, difference.reference)))
      await keep(difference);
  for (const difference of await findDuplicates(ctx.db, id, window)) await keep(difference);
  for await (const difference of findUnlisted(ctx.db, id, window)) await keep(difference);
  return kept;
}

async function keepIn(ctx: Context, id: string, kept: Kept, difference: Difference): Promise<void> {
  if (!(await keepOnce(ctx, id, difference))) return;
  kept.counts[difference.class]++;
  if (kept.first.length < MOST_LISTED) kept.first.push(difference);
}

/**
 * Posts what went back at the gateway and is not in the books. Disputes are read from the oldest on
 * that is not decided, for a decision may come long after the window. Throws in the end when some
 * could not be posted.
 */
async function applyWentBack(ctx: Context, id: string, window: Window, kept: Kept): Promise<void> {
  const failures: unknown[] = [];
  const keep = async (
    of: 'refund' | 'dispute',
    reference: string,
    theirs: Difference['theirs'],
    apply: () => Promise<Applied>,
  ) => {
    try {
      const applied = await apply();
      // What became of the payment itself is not known yet: the next run finds it again.
      if (applied === 'known' || applied === 'open') return;
      await keepIn(ctx, id, kept, { class: of, reference, ours: null, theirs });
    } catch (error) {
      failures.push(error);
    }
  };
  for await (const refunds of batchesOf(ctx.gateway.listRefunds(window), BACK_AT_ONCE)) {
    const rows = await findRefunds(ctx, refunds);
    for (const [index, refund] of refunds.entries())
      if (!isSame(rows[index], refund))
        await keep('refund', refund.id, sideOf(refund, refund.outcome), () =>
          applyRefund(ctx, refund),
        );
  }
  const oldest = await ctx.db
    .selectFrom('disputes')
    .select((of) => of.fn.min('opened_at').as('at'))
    .where('state', '=', 'opened')
    .executeTakeFirst();
  const from = oldest?.at != null && oldest.at < window.from ? oldest.at : window.from;
  for await (const disputes of batchesOf(
    ctx.gateway.listDisputes({ ...window, from }),
    BACK_AT_ONCE,
  )) {
    const states = await findDisputeStates(ctx, disputes);
    for (const [index, dispute] of disputes.entries()) {
      const { standing } = dispute;
      // Each step of a dispute is a separate difference.
      const reference = `${dispute.id} ${standing}`;
      if (states[index] !== standing)
        await keep('dispute', reference, sideOf(dispute, standing), () =>
          applyDispute(ctx, dispute),
        );
    }
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `${failures.length} refunds and disputes could not be posted`,
    );
}

function sideOf({ amountCents, at }: GatewayRefund | GatewayDispute, state: string) {
  return { amountCents, state, at: at.toISOString() };
}

/** Answers whether it was new. */
async function keepOnce(
  ctx: Context,
  reconciliationId: string,
  difference: Difference,
): Promise<boolean> {
  const { class: of, reference, ours, theirs } = difference;
  const row = await ctx.db
    .insertInto('differences')
    .values({
      reconciliation_id: reconciliationId,
      class: of,
      reference,
      ours: ours && JSON.stringify(ours),
      theirs: theirs && JSON.stringify(theirs),
      found_at: ctx.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['class', 'reference']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row !== undefined) ctx.log.error(difference, 'our books and the gateway differ');
  return row !== undefined;
}

/**
 * A payment that is open or pending here may only not have heard yet: it is looked up, and compared
 * again.
 */
async function isStillDifferent(ctx: Context, id: string, reference: string): Promise<boolean> {
  await lookUpPending(ctx, reference).catch((error: unknown) =>
    ctx.log.warn({ err: error, reference }, 'a payment could not be looked up'),
  );
  return isStatusDifferent(ctx.db, id, reference);
}

async function notifyOperator(ctx: Context, id: string, { counts, first }: Kept): Promise<void> {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'reconciliation_difference',
    key: `reconciliation_difference:${id}`,
    facilityId: null,
    sentence: `Our books and the gateway differ about ${total === 1 ? 'one payment' : `${total} payments`}.`,
    facts: { ...counts, first: first.map(({ class: of, reference }) => `${of} ${reference}`) },
  });
}

/** With what a run that died a day ago or earlier has left. */
async function forgetLines(ctx: Context, id: string): Promise<void> {
  await sql`
    DELETE FROM gateway_lines WHERE reconciliation_id = ${id} OR reconciliation_id IN (
      SELECT id FROM reconciliations
      WHERE finished_at IS NULL AND started_at < ${ctx.clock.now()}::timestamptz - interval '1 day')`.execute(
    ctx.db,
  );
}

/**
 * Days that are compared again: a consumer may have a bank debit returned up to 60 days after it
 * was paid, which it is some days after it was listed first.
 */
const AGAIN_DAYS = 70;

/** Daily: everything since the last finished run, and the days before it again. */
export async function reconcileToday(ctx: Context): Promise<Reconciliation> {
  const now = ctx.clock.now();
  const last = await ctx.db
    .selectFrom('reconciliations')
    .select((of) => of.fn.max('to_at').as('to_at'))
    .where('kind', '=', 'daily')
    .where('finished_at', 'is not', null)
    .executeTakeFirst();
  const since = last?.to_at ?? now;
  return reconcileDay(ctx, new Date(since.getTime() - AGAIN_DAYS * 24 * 60 * MINUTE), now);
}
