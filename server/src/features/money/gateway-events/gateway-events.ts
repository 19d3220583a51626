import type { Selectable } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Tables } from '#db/tables.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import type { AlarmKind } from '@gatehouse/contract/alarm-kinds';
import { renewMethod } from '#features/money/payment-methods/renewals.ts';
import { applyDispute } from '#features/money/payments/disputes.ts';
import { applyRefund, type Applied } from '#features/money/payments/gateway-refunds.ts';
import { lookUpPending } from '#features/money/payments/resolve.ts';

type EventRow = Selectable<Tables['gateway_events']>;

/**
 * The fault of an event, for the operator; `key` identifies the cause, which several events may
 * share.
 */
type Fault = { kind: AlarmKind; key: string; sentence: string; facilityId: string | null };

/** Events about a payment; Stripe's other events are ignored. */
const ofPayment = /^(payment_intent|charge|refund)\./;

const takesMoney = new Set(['payment_intent.processing', 'payment_intent.succeeded']);

/**
 * Handles an event. The event itself posts nothing: the payment that it names is looked up at the
 * gateway, so that replays, another order and events before the answer to the charge all lead to
 * the same result. An event without a payment of ours is parked with an alarm. Does nothing when
 * the event was handled before.
 */
export async function handleGatewayEvent(ctx: Context, eventId: string): Promise<void> {
  const event = await ctx.db
    .selectFrom('gateway_events')
    .selectAll()
    .where('id', '=', eventId)
    .where('state', '=', 'new')
    .executeTakeFirst();
  if (event === undefined) return;
  const fault = await act(ctx, event);
  await ctx.db.transaction().execute(async (trx) => {
    if (fault !== null)
      await raiseAlarm(ctx, trx, {
        ...fault,
        facts: { event: event.id, type: event.type, reference: event.reference },
      });
    await trx
      .updateTable('gateway_events')
      .set({
        state: fault === null ? 'done' : 'parked',
        handled_at: ctx.clock.now(),
        fault: fault?.sentence ?? null,
      })
      .where('id', '=', event.id)
      .execute();
  });
}

/** The job of an event is retried for about a day. */
const LEFT_AFTER_HOURS = 1;
const TOLD_AFTER_HOURS = 24;
const LEFT_AT_ONCE = 1000;

/**
 * Hourly: handles the events that are an hour old and not handled, also those whose job has been
 * given up, and raises one alarm when the oldest of them is a day old.
 */
export async function handleLeftEvents(ctx: Context): Promise<void> {
  const before = (hours: number) => new Date(ctx.clock.now().getTime() - hours * 3_600_000);
  const left = await ctx.db
    .selectFrom('gateway_events')
    .select(['id', 'received_at'])
    .where('state', '=', 'new')
    .where('received_at', '<', before(LEFT_AFTER_HOURS))
    .orderBy('received_at')
    .limit(LEFT_AT_ONCE)
    .execute();
  const overdue: string[] = [];
  for (const { id, received_at } of left)
    try {
      await handleGatewayEvent(ctx, id);
    } catch (error) {
      ctx.log.error({ err: error, event: id }, 'an event of the gateway could not be handled');
      if (received_at < before(TOLD_AFTER_HOURS)) overdue.push(id);
    }
  const [oldest] = overdue;
  if (oldest === undefined) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'gateway_events_unhandled',
    key: `gateway-events-unhandled ${oldest}`,
    facilityId: null,
    sentence:
      'Events of the gateway could not be handled for a day; they are tried again every hour. The log says why.',
    facts: { oldest, events: overdue.length },
  });
}

/** Looks up the payment of the event; null where all is well, else the fault. */
async function act(ctx: Context, event: EventRow): Promise<Fault | null> {
  const { type } = event;
  const body = event.body as Record<string, unknown>;
  if (type === 'payment_method.automatically_updated') {
    await renewMethod(ctx, body);
    return null;
  }
  // The payment that burnt a reference's key (decision 16) is ignored.
  if (!ofPayment.test(type) || body.voids === true) return null;
  if (type.startsWith('refund.') || type === 'charge.refund.updated')
    return applyRefunds(ctx, event, body);

  const payment = typeof body.payment === 'string' ? body.payment : null;
  const reference =
    event.reference ?? (payment === null ? null : await ctx.gateway.findReference?.(payment));
  const intent = reference == null ? undefined : await findIntent(ctx, reference);
  if (reference == null || intent === undefined)
    return {
      kind: 'unknown_payment',
      key: `gateway-payment ${payment ?? event.id}`,
      sentence: 'The gateway reports a payment that was not made by Gatehouse.',
      facilityId: null,
    };
  const { facilityId } = intent;
  const isDispute = type.startsWith('charge.dispute.');
  // A card may be disputed in part.
  const isOfWhole = !isDispute;
  if (isOfWhole && event.amount_cents !== null && event.amount_cents !== intent.amountCents)
    return {
      kind: 'wrong_amount',
      key: `gateway-amount ${reference} ${event.amount_cents}`,
      sentence: 'The gateway reports a payment with another amount than was requested.',
      facilityId,
    };
  await lookUpPending(ctx, reference);
  const { state } = (await findIntent(ctx, reference)) ?? intent;
  if (takesMoney.has(type) && (state === 'declined' || state === 'never_sent'))
    return {
      kind: 'unexpected_charge',
      key: `gateway-charge ${reference}`,
      sentence: 'The gateway has charged a payment that the books call declined or never sent.',
      facilityId,
    };
  const which = {
    chargeReference: reference,
    where: { customer: intent.customer, since: intent.since },
  };
  if (isDispute)
    await applyEach(ctx.gateway.listDisputes(which), (dispute) => applyDispute(ctx, dispute));
  if (type === 'charge.refunded')
    await applyEach(ctx.gateway.listRefunds(which), (refund) => applyRefund(ctx, refund));
  return null;
}

/** Throws while the payment itself is open, so that the event is handled again. */
async function applyEach<Kind>(
  listed: AsyncIterable<Kind>,
  apply: (one: Kind) => Promise<Applied>,
): Promise<void> {
  for await (const one of listed)
    if ((await apply(one)) === 'open')
      throw new Error('what became of the payment itself is not known yet');
}

async function findIntent(ctx: Context, reference: string) {
  return ctx.db
    .selectFrom('payment_intents as intent')
    .innerJoin('tenants', 'tenants.id', 'intent.tenant_id')
    .leftJoin('gateway_customers as customer', 'customer.tenant_id', 'intent.tenant_id')
    .select([
      'intent.state',
      'intent.amount_cents as amountCents',
      'tenants.facility_id as facilityId',
    ])
    .select(['intent.created_at as since', 'customer.customer'])
    .where('intent.id', '=', reference)
    .executeTakeFirst();
}

/**
 * A refund's event has the refund's own reference, where it is ours, and the gateway's id of the
 * payment. All refunds of that payment are posted; a refund of a payment that is not ours is
 * parked.
 */
async function applyRefunds(
  ctx: Context,
  { reference, id }: EventRow,
  { object, payment }: Record<string, unknown>,
): Promise<Fault | null> {
  const own =
    reference === null
      ? undefined
      : await ctx.db
          .selectFrom('refunds')
          .select('intent_id')
          .where('id', '=', reference)
          .executeTakeFirst();
  const charge =
    own?.intent_id ??
    (typeof payment === 'string' ? await ctx.gateway.findReference?.(payment) : null);
  const intent = charge == null ? undefined : await findIntent(ctx, charge);
  if (charge == null || intent === undefined)
    return {
      kind: 'unknown_refund',
      key: `gateway-refund ${typeof object === 'string' ? object : id}`,
      sentence: 'The gateway reports a refund of a payment that was not made by Gatehouse.',
      facilityId: null,
    };
  const where = { customer: intent.customer, since: intent.since };
  await applyEach(ctx.gateway.listRefunds({ chargeReference: charge, where }), (refund) =>
    applyRefund(ctx, refund),
  );
  return null;
}
