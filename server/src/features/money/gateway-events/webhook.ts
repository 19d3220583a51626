import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { readStripeEvent, type GatewayEvent } from '#adapters/payments/stripe-events.ts';
import { ofRequest, type Context } from '#context/context.ts';
import { BODY_BYTES } from '#http/uploads.ts';
import { Refusal } from '#errors/refusal.ts';

const received = z.object({ received: z.literal(true) });

/**
 * POST /api/webhooks/stripe, for Stripe only and so outside of the contract: stores events, each
 * once. A job handles them and asks Stripe. A signature that is wrong or older than five minutes is
 * answered with 400: nothing is stored, and the metrics count the request under its status.
 */
export function registerStripeWebhook(api: FastifyInstance, ctx: Context): void {
  const { payments } = ctx.config;
  if (payments.kind !== 'stripe') return;
  void api.register((hook, _options, done) => {
    // The signature covers the raw bytes.
    hook.removeAllContentTypeParsers();
    hook.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    hook.post(
      '/webhooks/stripe',
      {
        bodyLimit: BODY_BYTES,
        config: { urgency: 'payment' },
        schema: { hide: true, response: { 200: received } },
      },
      async ({ body, headers, id, log }) => {
        const signature = headers['stripe-signature'];
        const event =
          Buffer.isBuffer(body) && typeof signature === 'string'
            ? await readStripeEvent(payments, body, signature, ctx.clock.now())
            : null;
        if (event === null)
          throw new Refusal(400, 'The signature of the event is missing, wrong or too old.');
        await keep(ofRequest(ctx, id, log), event);
        return { received: true } as const;
      },
    );
    done();
  });
}

/** Stores an event and queues its job; one that is stored already is unchanged. */
async function keep(ctx: Context, event: GatewayEvent): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('gateway_events')
      .values({
        id: event.id,
        type: event.type,
        reference: event.reference,
        amount_cents: event.amountCents,
        body: JSON.stringify(event.body),
        received_at: ctx.clock.now(),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row !== undefined)
      await ctx.enqueue(trx, { name: 'handle-gateway-event', data: { eventId: row.id } });
  });
}
