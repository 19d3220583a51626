import { handleGatewayEvent as handle } from '#features/gateway-events/gateway-events.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Acts on an event that the gateway sent (D8). */
export const handleGatewayEvent: JobKind<'handle-gateway-event'> = {
  name: 'handle-gateway-event',
  // The queue takes up batches of one only once a second, and each payment brings several events. Each asks the gateway:
  // most of its room (D31) stays for who pays.
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 5 },
  async run(ctx, batch) {
    const handled = await Promise.allSettled(batch.map(({ eventId }) => handle(ctx, eventId)));
    const failures = handled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} events could not be handled`);
  },
};
