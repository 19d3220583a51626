import { doEach } from '#each.ts';
import { handleGatewayEvent as handle } from '#features/gateway-events/gateway-events.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Acts on an event that the gateway sent (D8). */
export const handleGatewayEvent: JobKind<'handle-gateway-event'> = {
  name: 'handle-gateway-event',
  // The queue takes up batches of one only once a second, and each payment brings several events. Each asks the gateway:
  // most of its room (D31) stays for who pays.
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 5 },
  async run(ctx, batch) {
    const all = { atOnce: batch.length, what: 'events could not be handled' };
    await doEach(batch, all, ({ eventId }) => handle(ctx, eventId));
  },
};
