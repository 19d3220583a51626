import { addDays } from '@gatehouse/contract/dates';
import type { Context } from '#context/context.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { warnOfExpiringCards } from '#features/money/autopay/card-warnings.ts';
import { learnFingerprints } from '#features/money/autopay/fingerprints.ts';
import { runAutopay } from '#features/money/autopay/run.ts';
import { runBilling, type Progress } from '#features/money/billing/billing.ts';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import { sendRateNotices } from '#features/money/billing/rate-notices.ts';
import { renewCodesOfEnded } from '#features/service/gate-access/codes.ts';
import { applyScheduledSettings } from '#features/desk/office/settings.ts';
import { endHolds } from '#features/rentals/rentals/hold.ts';
import { settleMoveOuts } from '#features/rentals/rentals/move-out.ts';
import { makeTransfers } from '#features/rentals/rentals/transfer.ts';
import { makeStatements } from '#features/money/statements/statements.ts';
import { remindOfPapers } from '#features/rentals/vehicle-papers/reminders.ts';
import type { JobKind } from './job.ts';

/** The daily steps of a facility, on its own day. */
export type FacilityDay = { facilityId: string; date: string };

/** `stopsDay`: the later steps must not run where it failed. */
type Step = {
  name: string;
  stopsDay: boolean;
  run: (ctx: Context, day: FacilityDay) => Promise<unknown>;
};

const steps: Step[] = [
  { name: 'settings', stopsDay: true, run: applyScheduledSettings },
  { name: 'holds', stopsDay: false, run: endHolds },
  { name: 'transfers', stopsDay: false, run: makeTransfers },
  { name: 'rate notices', stopsDay: false, run: sendRateNotices },
  {
    name: 'billing',
    stopsDay: true,
    run: (ctx, day) => runBilling(ctx, { ...day, onProgress: logged(ctx, day, 'billing') }),
  },
  { name: 'late fees', stopsDay: true, run: postLateFees },
  { name: 'move-outs', stopsDay: false, run: settleMoveOuts },
  { name: 'gate codes', stopsDay: false, run: renewCodesOfEnded },
  { name: 'fingerprints', stopsDay: false, run: learnFingerprints },
  {
    name: 'autopay',
    stopsDay: false,
    run: (ctx, day) => runAutopay(ctx, { ...day, onProgress: logged(ctx, day, 'autopay') }),
  },
  { name: 'warnings of expiring cards', stopsDay: false, run: warnOfExpiringCards },
  { name: 'reminders of papers', stopsDay: false, run: remindOfPapers },
  { name: 'statements', stopsDay: false, run: makeMonthlyStatements },
];

/** Runs a facility's day. One that fails is queued again within minutes, by open-facility-days. */
export const facilityDay: JobKind<'facility-day'> = {
  name: 'facility-day',
  // A killed worker is detected after a minute; a live one may take half a day.
  options: {
    policy: 'exclusive',
    retryLimit: 0,
    heartbeatSeconds: 60,
    expireInSeconds: 43_200,
    batchSize: 1,
    workers: 3,
  },
  run: async (ctx, batch) => {
    for (const day of batch) await runFacilityDay(ctx, day);
  },
};

/**
 * Runs the steps of a facility's day in order, and records its end. Every step skips what an
 * earlier run has done, so that a day can be repeated from any point. Throws when a step failed,
 * which then has an alarm.
 */
export async function runFacilityDay(ctx: Context, day: FacilityDay): Promise<void> {
  const { facilityId, date } = day;
  await ctx.db
    .insertInto('billing_runs')
    .values({
      facility_id: facilityId,
      run_on: date,
      started_at: ctx.clock.now(),
      finished_at: null,
    })
    .onConflict((conflict) => conflict.columns(['facility_id', 'run_on']).doNothing())
    .execute();
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step.run(ctx, day);
    } catch (error) {
      failures.push(error);
      await notifyOfFailure(ctx, day, step.name, error);
      if (step.stopsDay) break;
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `the day ${date} of a facility is not done`);
  await ctx.db
    .updateTable('billing_runs')
    .set({ finished_at: ctx.clock.now() })
    .where('facility_id', '=', facilityId)
    .where('run_on', '=', date)
    .execute();
}

/**
 * Makes last month's statements on the first day that runs in a month; not for the months before
 * the very first day.
 */
async function makeMonthlyStatements(
  ctx: Context,
  { facilityId, date }: FacilityDay,
): Promise<void> {
  const firstOfMonth = `${date.slice(0, 7)}-01`;
  const before = await ctx.db
    .selectFrom('billing_runs')
    .select('run_on')
    .where('facility_id', '=', facilityId)
    .where('finished_at', 'is not', null)
    .where('run_on', '<', date)
    .orderBy('run_on', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isFirstThisMonth =
    before === undefined ? date === firstOfMonth : before.run_on < firstOfMonth;
  if (isFirstThisMonth)
    await makeStatements(ctx, facilityId, addDays(firstOfMonth, -1).slice(0, 7));
}

/** Logs a line every ten seconds of a long run. */
function logged(ctx: Context, day: FacilityDay, step: string): Progress {
  let last = ctx.clock.now().getTime();
  return (progress) => {
    const now = ctx.clock.now().getTime();
    if (now - last < 10_000) return;
    last = now;
    ctx.log.info({ ...day, ...progress }, `${step} is in progress`);
  };
}

async function notifyOfFailure(
  ctx: Context,
  { facilityId, date }: FacilityDay,
  step: string,
  error: unknown,
) {
  ctx.log.error({ err: error, facilityId, date, step }, 'a step of a facility’s day failed');
  await raiseAlarm(ctx, ctx.db, {
    kind: 'facility_day_failed',
    key: `facility_day_failed:${facilityId}:${date}:${step}`,
    facilityId,
    sentence: `The ${step} of ${date} failed and will be tried again every five minutes. The log says why.`,
    facts: { date, step },
  });
}
