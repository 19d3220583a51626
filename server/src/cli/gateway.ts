import type { Context } from '#context.ts';
import { StartFault } from '#start-fault.ts';

/**
 * Throws a StartFault where payments went through Stripe and the command would ask another gateway, as it does in a shell
 * without the server's settings: that one calls every saved method declined and every payment missing.
 */
export async function checkGateway({ db, config }: Context): Promise<void> {
  if (config.payments.kind === 'stripe') return;
  const customer = await db.selectFrom('gateway_customers').select('tenant_id').limit(1).executeTakeFirst();
  if (customer !== undefined)
    throw new StartFault(
      'The payments of this database go through Stripe: give the command PAYMENTS=stripe and the keys of the server.',
    );
}
