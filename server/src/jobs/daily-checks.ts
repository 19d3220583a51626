import type { Context } from '#context/context.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { checkAllBooks } from '#features/money/books-check/check-all-books.ts';
import { reconcileToday } from '#features/money/reconciliation/reconciliation.ts';
import { forAboutADay, type JobKind } from './job.ts';

const options = {
  ...forAboutADay,
  policy: 'exclusive',
  retryLimit: 8,
  retryDelay: 600,
  expireInSeconds: 7200,
  batchSize: 1,
} as const;

/**
 * Daily, before the first American facility's day begins at 04:00, so that autopay does not run on
 * wrong books: checks I1 to I8 of every ledger. A run that fails raises an alarm, one a day.
 */
export const checkBooks: JobKind<'check-books'> = {
  name: 'check-books',
  cron: '0 7 * * *',
  options,
  run: (ctx) =>
    orAlarm(ctx, 'books_check_failed', 'The books could not be checked', async () => {
      const checked = await checkAllBooks(ctx);
      ctx.log.info(checked, 'the books were checked');
    }),
};

/**
 * Daily, after the night's autopay runs in all American zones: compares our books with the
 * gateway's list. A run that fails raises an alarm, one a day.
 */
export const reconcileDay: JobKind<'reconcile-day'> = {
  name: 'reconcile-day',
  cron: '30 16 * * *',
  options,
  run: (ctx) =>
    orAlarm(
      ctx,
      'reconciliation_failed',
      'The books could not be held against the gateway’s list',
      () => reconcileToday(ctx),
    ),
};

async function orAlarm(
  ctx: Context,
  kind: 'books_check_failed' | 'reconciliation_failed',
  sentence: string,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    const day = ctx.clock.now().toISOString().slice(0, 10);
    await raiseAlarm(ctx, ctx.db, {
      kind,
      key: `${kind}:${day}`,
      facilityId: null,
      sentence: `${sentence} on ${day}. It is tried again; the log says why.`,
      facts: { day },
    });
    throw error;
  }
}
