import { resolveOpenPayments } from '#features/payments/settle.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Looks an intent up whose outcome may be unknown (D4). */
export const resolvePayment: JobKind<'resolve-payment'> = {
  name: 'resolve-payment',
  // Every payment leaves one behind: a batch holds as many as come in a second.
  options: { ...forAboutADay, expireInSeconds: 30, batchSize: 500 },
  run: (ctx, batch) =>
    resolveOpenPayments(
      ctx,
      batch.map(({ intentId }) => intentId),
    ),
};
