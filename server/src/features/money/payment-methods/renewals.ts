import { MethodDeclined, type MethodDetails } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import type { PaymentMethodRow } from './payment-methods.ts';

/**
 * Reads a saved card again that its bank has renewed, according to the gateway: `object` is the
 * gateway's token of it, `customer` the tenant's customer id there. Stores its new ending, expiry
 * and fingerprint; where these differ, a refusal of the old card and the warnings of its expiry are
 * deleted. The data come from the gateway, not from the event. Does nothing for an unknown card.
 */
export async function renewMethod(
  ctx: Context,
  { object, customer }: Record<string, unknown>,
): Promise<void> {
  if (typeof object !== 'string' || typeof customer !== 'string') return;
  const method = await findMethod(ctx, object, customer);
  if (method === undefined) return;
  const details = await describe(ctx, object);
  if (details !== null && details.expiresOn !== null && isRenewed(method, details))
    await keep(ctx, method, details);
}

/** Tokens are sealed in their rows, so all cards of the customer are searched. */
async function findMethod(
  ctx: Context,
  token: string,
  customer: string,
): Promise<PaymentMethodRow | undefined> {
  const methods = await ctx.db
    .selectFrom('payment_methods')
    .innerJoin('gateway_customers', 'gateway_customers.tenant_id', 'payment_methods.tenant_id')
    .selectAll('payment_methods')
    .where('gateway_customers.customer', '=', customer)
    .where('payment_methods.type', '=', 'creditCard')
    .execute();
  return methods.find(
    ({ id, gateway_token }) => ctx.vault.open('gatewayToken', id, gateway_token) === token,
  );
}

/** Null for one that the gateway has removed. */
async function describe(ctx: Context, token: string): Promise<MethodDetails | null> {
  try {
    return await ctx.gateway.describe({ type: 'creditCard', token });
  } catch (error) {
    if (error instanceof MethodDeclined) return null;
    throw error;
  }
}

function isRenewed(
  method: PaymentMethodRow,
  { lastFour, expiresOn, fingerprint }: MethodDetails,
): boolean {
  return (
    method.last_four !== lastFour ||
    method.expires_on !== expiresOn ||
    method.fingerprint !== fingerprint
  );
}

async function keep(ctx: Context, { id }: PaymentMethodRow, details: MethodDetails): Promise<void> {
  const { brand, lastFour, expiresOn, funding, fingerprint } = details;
  await ctx.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('payment_methods')
      .set({
        brand,
        last_four: lastFour,
        expires_on: expiresOn,
        funding,
        fingerprint,
        refused_at: null,
      })
      .where('id', '=', id)
      .execute();
    await trx.deleteFrom('card_warnings').where('payment_method_id', '=', id).execute();
  });
}
