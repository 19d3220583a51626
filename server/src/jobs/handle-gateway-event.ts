import { handleGatewayEvent as handle } from '#features/gateway-events/gateway-events.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Acts on an event that the gateway sent (D8). */
export const handleGatewayEvent: JobKind<'handle-gateway-event'> = {
  name: 'handle-gateway-event',
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 1 },
  async run(ctx, batch) {
    for (const { eventId } of batch) await handle(ctx, eventId);
  },
};
