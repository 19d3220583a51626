import { raiseAlarm } from '#features/alarms/alarms.ts';
import { checkAllBooks } from '#features/books-check/check-all-books.ts';
import { checkOccupancy } from '#features/books-check/check-occupancy.ts';
import { forAboutADay, type JobKind } from './job.ts';

/**
 * Daily, before the first American facility's day begins at 04:00, so that autopay does not run on
 * wrong books: checks I1 to I8 of every ledger and the
 * occupancy that is stored. A run that fails raises an alarm, one a day.
 */
export const checkBooks: JobKind<'check-books'> = {
  name: 'check-books',
  cron: '0 7 * * *',
  options: {
    ...forAboutADay,
    policy: 'exclusive',
    retryLimit: 8,
    retryDelay: 600,
    expireInSeconds: 7200,
    batchSize: 1,
  },
  run: async (ctx) => {
    try {
      const checked = await checkAllBooks(ctx);
      const facilities = await checkOccupancy(ctx);
      ctx.log.info({ ...checked, facilities }, 'the books were checked');
    } catch (error) {
      const day = ctx.clock.now().toISOString().slice(0, 10);
      await raiseAlarm(ctx, ctx.db, {
        kind: 'books_check_failed',
        key: `books_check_failed:${day}`,
        facilityId: null,
        sentence: `The books could not be checked on ${day}. It is tried again; the log says why.`,
        facts: { day },
      });
      throw error;
    }
  },
};
