import { doEach } from '#context/each.ts';
import { forAboutADay, type JobKind } from './job.ts';

/**
 * Has the signing service resend a rental's documents; the request's reference makes it idempotent.
 */
export const resendEnvelopes: JobKind<'resend-envelopes'> = {
  name: 'resend-envelopes',
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 5 },
  async run(ctx, batch) {
    const all = { atOnce: batch.length, what: 'rentals’ documents could not be sent again' };
    await doEach(batch, all, ({ ledgerId, reference }) => ctx.esign.resend(ledgerId, reference));
  },
};
