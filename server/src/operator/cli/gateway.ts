import { GatewayUnknown, NotSent } from '#adapters/payments/gateway.ts';
import { StripeRefused } from '#adapters/payments/stripe-refusals.ts';
import type { Context } from '#context/context.ts';
import { StartFault } from '#errors/start-fault.ts';

/**
 * Throws a StartFault where payments went through Stripe and the command would ask another gateway,
 * as it does in a shell without the server's settings: that one calls every saved method declined
 * and every payment missing.
 */
export async function checkGateway({ db, config }: Context): Promise<void> {
  if (config.payments.kind === 'stripe') return;
  const customer = await db
    .selectFrom('gateway_customers')
    .select('tenant_id')
    .limit(1)
    .executeTakeFirst();
  if (customer !== undefined)
    throw new StartFault(
      'The payments of this database go through Stripe: give the command PAYMENTS=stripe and the keys of the server.',
    );
}

/**
 * What ends a command whose gateway does not answer or refuses it; `left` says what that leaves.
 * Null for a bug.
 */
export function gatewayFault(error: unknown, left: string): StartFault | null {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const [first] = errors;
  if (isRefused(first) && errors.every(isRefused))
    return new StartFault(
      `The payment gateway refuses the call (${first.message}): ${left}. Look at the keys of the settings.`,
    );
  if (first instanceof GatewayUnknown && errors.every((one) => one instanceof GatewayUnknown))
    return new StartFault(
      `The payment gateway cannot be reached (${first.message}): ${left}. Run it again later; the command "doctor" says whether the gateway answers.`,
    );
  return null;
}

function isRefused(error: unknown): error is Error {
  return error instanceof StripeRefused || (error instanceof NotSent && error.fault !== null);
}
