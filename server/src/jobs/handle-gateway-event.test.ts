import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { testClock } from '#test/test-day.ts';
import { handleGatewayEvent } from './queued.ts';
import { addRows, findRows } from '#test/rows.ts';

let api: TestApp;
beforeEach(async () => {
  api = await openTestApp('empty_template');
});
afterEach(() => api.close());

/** Stores events as the webhook does, by default of a type that is ignored. */
async function receive(
  ids: string[],
  { type = 'balance.available', body = '{}' } = {},
): Promise<void> {
  await api.ctx.db.transaction().execute(async (trx) => {
    for (const id of ids) {
      const event = {
        id,
        type,
        reference: null,
        amount_cents: null,
        body,
        received_at: testClock.now(),
      };
      await addRows(trx, 'gateway_events', event);
      await api.ctx.enqueue(trx, { name: 'handle-gateway-event', data: { eventId: id } });
    }
  });
}

const left = async () =>
  (await findRows(api.owner, 'gateway_events', 'id', { state: 'new' })).map(({ id }) => id);

test('concurrent events are handled at more than one a second', async () => {
  await receive(Array.from({ length: 60 }, (_, index) => `evt_${index}`));
  await api.queue.work(api.ctx);
  // At one a second they would take longer.
  await vi.waitFor(async () => expect(await left()).toEqual([]), {
    timeout: 50_000,
    interval: 200,
  });
});

test('an event that fails does not affect the others of its batch, which is retried', async () => {
  await receive(['evt_1'], { type: 'payment_intent.succeeded', body: '{"payment":"pi_1"}' });
  await receive(['evt_2']);
  const gateway = { ...api.ctx.gateway, findReference: () => Promise.reject(new Error('away')) };
  const batch = [{ eventId: 'evt_1' }, { eventId: 'evt_2' }];
  await expect(handleGatewayEvent.run({ ...api.ctx, gateway }, batch)).rejects.toThrow('1 events');
  expect(await left()).toEqual(['evt_1']);
});
