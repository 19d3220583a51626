import { deliverEvents } from '#features/requests/deliver.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Tells the operator's webhook of an event of a request. */
export const deliverEvent: JobKind<'deliver-event'> = {
  name: 'deliver-event',
  // Each ends within 20 seconds (D31), and those of a batch go out together: nobody else gets its jobs before it is over. When an
  // event is given up is decided there, by the clock: the number of tries only must not be the first to end.
  options: { ...forAboutADay, policy: 'exclusive', retryLimit: 200, expireInSeconds: 70, batchSize: 5 },
  run: (ctx, batch) =>
    deliverEvents(
      ctx,
      batch.map(({ eventId }) => eventId),
    ),
};
