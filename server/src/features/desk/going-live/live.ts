import type { Config } from '#config/config.ts';
import type { PaymentGateway } from '#adapters/payments/gateway.ts';
import type { Database } from '#db/database.ts';

/**
 * An installation that is to go live. `prepared` answers its database, or null where it does not
 * answer or has no tables yet; a mail is sent only where `sendMailTo` names an address.
 */
export type Live = {
  config: Config;
  prepared: () => Promise<Database | null>;
  gateway: () => Promise<PaymentGateway>;
  sendMailTo?: string | undefined;
};
