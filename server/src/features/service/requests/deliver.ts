import { sql } from 'kysely';
import { PostFailed, refusalIn } from '#adapters/bounded-post.ts';
import { postWebhook } from '#adapters/webhook.ts';
import type { WebhookSettings } from '#config/config.ts';
import type { Context } from '#context/context.ts';
import { doEach } from '#context/each.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { findEvent, payloadOf, type DeliverableEvent } from './webhook-event.ts';

/** An event that could not be delivered for this long is given up. */
const PATIENCE_MS = 86_400_000;

/**
 * Delivers events to the operator's webhook, each once: events that were delivered, given up or
 * deleted are skipped, and all where no webhook is set. Throws at the end when some could not be
 * delivered, so that their jobs are retried until an event is a day old. Then, or at once where the
 * receiver refuses the event itself, it is given up, with an alarm.
 */
export async function deliverEvents(ctx: Context, eventIds: string[]): Promise<void> {
  const { webhook } = ctx.config;
  if (webhook === undefined) return;
  const all = { atOnce: eventIds.length, what: 'events could not be delivered to the webhook' };
  await doEach(eventIds, all, (eventId) => deliver(ctx, webhook, eventId));
}

async function deliver(ctx: Context, webhook: WebhookSettings, eventId: string): Promise<void> {
  const event = await findEvent(ctx.db, eventId);
  if (event === undefined) return;
  const delivery = await beginDelivery(ctx, eventId);
  if (delivery.isOver) return;
  try {
    await postWebhook(webhook, { id: eventId, body: payloadOf(event), at: ctx.clock.now() });
  } catch (error) {
    if (!(error instanceof PostFailed)) throw error;
    await noteFailure(ctx, event, delivery.begunAt, error);
    return;
  }
  await sql`UPDATE webhook_deliveries SET tries = tries + 1, fault = NULL, delivered_at = ${ctx.clock.now()}
    WHERE event_id = ${eventId}`.execute(ctx.db);
}

async function beginDelivery(
  { db, clock }: Context,
  eventId: string,
): Promise<{ begunAt: Date; isOver: boolean }> {
  await db
    .insertInto('webhook_deliveries')
    .values({
      event_id: eventId,
      begun_at: clock.now(),
      fault: null,
      delivered_at: null,
      dead_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { begun_at, delivered_at, dead_at } = await db
    .selectFrom('webhook_deliveries')
    .select(['begun_at', 'delivered_at', 'dead_at'])
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow();
  return { begunAt: begun_at, isOver: delivered_at !== null || dead_at !== null };
}

async function noteFailure(
  ctx: Context,
  event: DeliverableEvent,
  begunAt: Date,
  fault: PostFailed,
): Promise<void> {
  const now = ctx.clock.now();
  const refused = refusalIn(fault);
  const isDead = refused === 'message' || now.getTime() - begunAt.getTime() >= PATIENCE_MS;
  await ctx.db.transaction().execute(async (trx) => {
    await sql`UPDATE webhook_deliveries SET tries = tries + 1, fault = ${fault.message},
      dead_at = ${isDead ? now : null} WHERE event_id = ${event.id}`.execute(trx);
    const facts = { event: event.id, reference: event.reference, fault: fault.message };
    if (isDead)
      await raiseAlarm(ctx, trx, {
        kind: 'webhook_dead',
        // An unavailable receiver fails all events, so there is one alarm a day.
        key: `webhook_dead:${refused === 'message' ? 'refused:' : ''}${now.toISOString().slice(0, 10)}`,
        facilityId: null,
        sentence: `The webhook ${refused === 'message' ? 'refused an event' : 'accepted no event for a day'}, and events were given up; "requests replay --dead" sends them again.`,
        facts,
      });
    else if (refused === 'caller')
      await raiseAlarm(ctx, trx, {
        kind: 'webhook_refuses',
        key: 'webhook_refuses',
        facilityId: null,
        sentence: `The webhook does not take our calls (${fault.message}); events are retried for a day.`,
        facts,
      });
  });
  if (!isDead) throw fault;
}

/**
 * The events to send again: those from an instant on, those that were given up, or both conditions
 * at once.
 */
export type Replay = { since?: Date; isDeadOnly: boolean };

type Progress = (progress: { done: number; total: number }) => void;

const BATCH = 500;

/** The number of events that a replay would send. */
export async function countReplay({ db }: Context, replay: Replay): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM request_events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id
    WHERE ${isWanted(replay)}`.execute(db);
  return rows[0]!.count;
}

/**
 * Queues events again, in order, for another day each. Events that are still queued are not queued
 * twice. Returns their number.
 */
export async function replayEvents(
  ctx: Context,
  replay: Replay,
  onProgress: Progress = () => {},
): Promise<number> {
  const total = await countReplay(ctx, replay);
  let last = 0;
  let done = 0;
  for (;;) {
    const ids = await ctx.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: string; position: number }>`
        SELECT e.id, e.position FROM request_events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id
        WHERE ${isWanted(replay)} AND e.position > ${last} ORDER BY e.position LIMIT ${BATCH}`.execute(
        trx,
      );
      const found = rows.map(({ id }) => id);
      await sql`INSERT INTO webhook_deliveries (event_id, begun_at)
        SELECT id, ${ctx.clock.now()}::timestamptz FROM unnest(${found}::uuid[]) AS one (id)
        ON CONFLICT (event_id) DO UPDATE SET begun_at = excluded.begun_at, tries = 0, fault = NULL, delivered_at = NULL,
          dead_at = NULL`.execute(trx);
      for (const eventId of found)
        await ctx.enqueue(trx, { name: 'deliver-event', data: { eventId }, singletonKey: eventId });
      last = rows.at(-1)?.position ?? last;
      return found;
    });
    done += ids.length;
    onProgress({ done, total: Math.max(done, total) });
    if (ids.length < BATCH) return done;
  }
}

function isWanted({ since, isDeadOnly }: Replay) {
  return sql`(${since ?? null}::timestamptz IS NULL OR e.created_at >= ${since ?? null}::timestamptz)
    AND (${!isDeadOnly} OR d.dead_at IS NOT NULL)`;
}
