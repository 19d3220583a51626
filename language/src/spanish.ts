import { account } from './spanish/account.ts';
import { contract } from './spanish/contract.ts';
import { gate } from './spanish/gate.ts';
import { mails } from './spanish/mails.ts';
import { notices } from './spanish/notices.ts';
import { payments } from './spanish/payments.ts';
import { portal } from './spanish/portal.ts';
import { profile } from './spanish/profile.ts';
import { refusals } from './spanish/refusals.ts';
import { signing } from './spanish/signing.ts';
import { units } from './spanish/units.ts';

/**
 * The catalogue: every text of portal, refusals, mails, text messages and papers by its English,
 * which is what the code says. A text without its Spanish does not compile. The terms and the tone
 * are in docs/spanish.md.
 */
export const spanish = {
  ...portal,
  ...units,
  ...payments,
  ...gate,
  ...account,
  ...contract,
  ...profile,
  ...refusals,
  ...mails,
  ...notices,
  ...signing,
} as const;

/** An English text of the catalogue. */
export type Message = keyof typeof spanish;
