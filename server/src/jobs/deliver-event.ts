import { deliverEvents } from '#features/requests/deliver.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Delivers an event of a request to the operator's webhook. */
export const deliverEvent: JobKind<'deliver-event'> = {
  name: 'deliver-event',
  // A delivery ends within 20 seconds (D31), and those of a batch run concurrently, so the batch
  // ends within its lease. Events are given up by their age, so the retry limit must be high enough
  // not to end them earlier.
  options: {
    ...forAboutADay,
    policy: 'exclusive',
    retryLimit: 200,
    expireInSeconds: 70,
    batchSize: 5,
  },
  run: (ctx, batch) =>
    deliverEvents(
      ctx,
      batch.map(({ eventId }) => eventId),
    ),
};
