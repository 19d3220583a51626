import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Context } from '#context/context.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { patience } from '#test/patience.ts';
import { fromNow } from '#test/test-day.ts';
import { countReplay, deliverEvents, replayEvents } from './deliver.ts';
import { findRows } from '#test/rows.ts';

const SECRET = 'a-secret-for-tests-alone';

let api: TestApp;
let receiver: Receiver;
let ctx: Context;
let dana: SignedIn;
let ledgerId: string;
/** The time of the test, in hours. */
let later = 0;

beforeAll(async () => {
  receiver = await openReceiver(SECRET);
  api = await openTestApp('demo_template', {
    clock: { now: () => fromNow(later * 3_600_000) },
  });
  ctx = withWebhook(api.ctx);
  dana = await signIn(api, 'dana@example.com');
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  ledgerId = (await api.call('GET', path, dana)).body[0].id;
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});
beforeEach(async () => {
  later = 0;
  receiver.received.length = 0;
  receiver.answer(() => ({ status: 204 }));
  await api.owner.deleteFrom('requests').execute();
  await api.owner.deleteFrom('alarms').execute();
  await api.sql`DELETE FROM pgboss.job WHERE name = 'deliver-event'; TRUNCATE limit_counts`;
});

function withWebhook(of: Context): Context {
  const webhook = { url: receiver.url, secret: SECRET, refusesPrivate: false };
  return { ...of, config: { ...of.config, webhook } };
}

/** Dana asks to move out. Returns the id of the event and the reference. */
async function ask(): Promise<{ eventId: string; reference: string }> {
  const path = `${dana.prefix}/ledgers/${ledgerId}/move-out`;
  const { reference } = (await api.call('POST', path, { token: dana.token, body: {} })).body as {
    reference: string;
  };
  const { id } = await api.owner
    .selectFrom('request_events')
    .select('id')
    .orderBy('position', 'desc')
    .executeTakeFirstOrThrow();
  return { eventId: id, reference };
}

const deliveries = () =>
  api.owner.selectFrom('webhook_deliveries').selectAll().orderBy('event_id').execute();
const alarms = () => findRows(api.owner, 'alarms', ['kind', 'facts']);
const queued = async () => {
  const rows = await api.sql<{ eventId: string }>`
    SELECT data ->> 'eventId' AS "eventId" FROM pgboss.job WHERE name = 'deliver-event' AND state = 'created'`;
  return rows.map(({ eventId }) => eventId).toSorted();
};
const fails = { status: 500 };

describe('an event', () => {
  test('is queued in the transaction of its change, or not at all', async () => {
    const { eventId } = await ask();
    expect(await queued()).toEqual([eventId]);
    const path = `${dana.prefix}/ledgers/${ledgerId}/move-out`;
    const refused = await api.call('POST', path, {
      token: dana.token,
      body: { date: '2001-01-01' },
    });
    expect(refused.status).toBe(422);
    expect(await queued()).toEqual([eventId]);
  });

  test('is delivered by the queue: signed, and the same bytes each time', async () => {
    const { eventId, reference } = await ask();
    await api.queue.work(ctx);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), patience);
    await api.queue.rest();
    await api.owner.deleteFrom('webhook_deliveries').execute();
    await deliverEvents(ctx, [eventId]);
    const [first, second] = receiver.received;
    expect([second!.id, second!.raw]).toEqual([first!.id, first!.raw]);
    expect(first).toMatchObject({ id: eventId, isSigned: true });
    expect(first!.message).toEqual({
      id: eventId,
      type: 'request.created',
      sequence: expect.any(Number),
      occurredAt: expect.stringMatching(/Z$/),
      request: {
        reference,
        kind: 'move_out',
        status: 'new',
        askedAt: expect.stringMatching(/Z$/),
        locationCode: 'TXDFW03',
        tenantId: dana.tenantIds[0],
        ledgerId,
        details: expect.objectContaining({ unitNames: ['A101'], date: null, reason: null }),
      },
      by: { via: 'portal', name: null },
    });
  });

  test('that was delivered is not sent again, nor one that was deleted or has no webhook', async () => {
    const { eventId } = await ask();
    await deliverEvents(api.ctx, [eventId]);
    expect(await deliveries()).toEqual([]);
    await deliverEvents(ctx, [eventId]);
    await deliverEvents(ctx, [eventId, '0d9c8b7a-6f5e-4d3c-8b2a-190807060504']);
    expect(receiver.received).toHaveLength(1);
    expect(await deliveries()).toMatchObject([
      { tries: 1, fault: null, dead_at: null, delivered_at: expect.any(Date) },
    ]);
  });

  test('that is not accepted is retried for a day, then given up with one alarm for all', async () => {
    const [one, two] = [(await ask()).eventId, (await ask()).eventId];
    receiver.answer(() => fails);
    await expect(deliverEvents(ctx, [one, two])).rejects.toThrow(
      '2 events could not be delivered to the webhook',
    );
    later = 23.9;
    await expect(deliverEvents(ctx, [one])).rejects.toThrow('1 events could not be delivered');
    expect(await alarms()).toEqual([]);
    later = 24.1;
    await deliverEvents(ctx, [one, two]);
    const fault = 'the other side answered 500';
    expect(await deliveries()).toMatchObject(
      [one, two].toSorted().map((event_id) => ({
        event_id,
        fault,
        tries: event_id === one ? 3 : 2,
        delivered_at: null,
      })),
    );
    expect((await deliveries()).every(({ dead_at }) => dead_at !== null)).toBe(true);
    expect(await alarms()).toEqual([
      { kind: 'webhook_dead', facts: expect.objectContaining({ fault }) },
    ]);
    await deliverEvents(ctx, [one, two]);
    expect(receiver.received).toHaveLength(5);
  });

  // spec 10.81
  test('that the receiver refuses itself is given up at once, with an alarm', async () => {
    const { eventId } = await ask();
    receiver.answer(() => ({ status: 422 }));
    await deliverEvents(ctx, [eventId]);
    expect(await deliveries()).toMatchObject([{ tries: 1, dead_at: expect.any(Date) }]);
    const fault = 'the other side answered 422';
    expect(await alarms()).toEqual([
      { kind: 'webhook_dead', facts: expect.objectContaining({ fault }) },
    ]);
  });

  // spec 10.81
  test.each([302, 401, 403, 404])(
    'whose receiver is set up wrongly is retried, with an alarm at once: %i',
    async (status) => {
      const { eventId } = await ask();
      receiver.answer(() => ({ status }));
      for (let times = 0; times < 2; times += 1)
        await expect(deliverEvents(ctx, [eventId])).rejects.toThrow('1 events could not');
      expect(await deliveries()).toMatchObject([{ tries: 2, dead_at: null }]);
      expect(await alarms()).toMatchObject([{ kind: 'webhook_refuses' }]);
      receiver.answer(() => ({ status: 204 }));
      await deliverEvents(ctx, [eventId]);
      expect(await deliveries()).toMatchObject([{ delivered_at: expect.any(Date) }]);
    },
  );

  test.each([408, 409, 429, 503])('is retried without an alarm after %i', async (status) => {
    const { eventId } = await ask();
    receiver.answer(() => ({ status }));
    await expect(deliverEvents(ctx, [eventId])).rejects.toThrow('1 events could not');
    expect(await alarms()).toEqual([]);
  });

  test('that fails does not affect the others of its batch', async () => {
    const [one, two] = [(await ask()).eventId, (await ask()).eventId];
    receiver.answer(({ id }) => (id === one ? fails : { status: 200 }));
    await expect(deliverEvents(ctx, [one, two])).rejects.toThrow('1 events could not be delivered');
    await expect(deliverEvents(ctx, [one, two])).rejects.toThrow('1 events could not be delivered');
    expect(receiver.received.filter(({ id }) => id === two)).toHaveLength(1);
  });
});

describe('a replay', () => {
  test('of dead letters queues them again for a whole day', async () => {
    const [dead, live] = [(await ask()).eventId, (await ask()).eventId];
    await deliverEvents(ctx, [live]);
    receiver.answer(() => fails);
    await expect(deliverEvents(ctx, [dead])).rejects.toThrow();
    later = 25;
    await deliverEvents(ctx, [dead]);
    await api.sql`DELETE FROM pgboss.job WHERE name = 'deliver-event'`;
    expect(await countReplay(ctx, { isDeadOnly: true })).toBe(1);
    expect(await replayEvents(ctx, { isDeadOnly: true })).toBe(1);
    expect(await replayEvents(ctx, { isDeadOnly: true })).toBe(0);
    expect(await queued()).toEqual([dead]);
    await expect(deliverEvents(ctx, [dead])).rejects.toThrow();
    receiver.answer(() => ({ status: 200 }));
    await deliverEvents(ctx, [dead]);
    expect((await deliveries()).every(({ delivered_at }) => delivered_at !== null)).toBe(true);
  });

  test('of a day queues all events since, delivered or not, except those already queued', async () => {
    const before = fromNow(-1000);
    const ids = [(await ask()).eventId, (await ask()).eventId];
    await deliverEvents(ctx, ids);
    await api.sql`DELETE FROM pgboss.job WHERE name = 'deliver-event'`;
    const progress: unknown[] = [];
    expect(
      await replayEvents(ctx, { since: before, isDeadOnly: false }, (one) => progress.push(one)),
    ).toBe(2);
    expect(await replayEvents(ctx, { since: before, isDeadOnly: false })).toBe(2);
    expect(await queued()).toEqual(ids.toSorted());
    expect(progress).toEqual([{ done: 2, total: 2 }]);
    expect(await countReplay(ctx, { since: fromNow(1000), isDeadOnly: false })).toBe(0);
    await deliverEvents(ctx, ids);
    expect(receiver.received.map(({ id }) => id).toSorted()).toEqual([...ids, ...ids].toSorted());
  });
});
