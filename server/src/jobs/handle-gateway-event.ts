import { doEach } from '#context/each.ts';
import { handleGatewayEvent as handle } from '#features/gateway-events/gateway-events.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Handles an event of the gateway (D8). */
export const handleGatewayEvent: JobKind<'handle-gateway-event'> = {
  name: 'handle-gateway-event',
  // The queue fetches a batch of one only once a second, and each payment causes several events.
  // Each event calls the gateway, most of whose capacity (D31) must stay free for payments.
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 5 },
  async run(ctx, batch) {
    const all = { atOnce: batch.length, what: 'events could not be handled' };
    await doEach(batch, all, ({ eventId }) => handle(ctx, eventId));
  },
};
