import type { Proof } from './harness/proof.ts';
import { otherTenantsIds } from './attacks/other-tenants-ids.ts';
import { otherTenantsData } from './attacks/other-tenants-data.ts';
import { guessedPasswords } from './attacks/guessed-passwords.ts';
import { guessedCodes } from './attacks/guessed-codes.ts';
import { accountEnumeration } from './attacks/account-enumeration.ts';
import { deadSessions } from './attacks/dead-sessions.ts';
import { moneyFromTheBrowser } from './attacks/money-from-the-browser.ts';
import { forgedGatewayEvents } from './attacks/forged-gateway-events.ts';
import { otherTenantsLedgers } from './attacks/other-tenants-ledgers.ts';
import { autopayWithoutConsent } from './attacks/autopay-without-consent.ts';
import { leakedSecrets } from './attacks/leaked-secrets.ts';
import { massAssignment } from './attacks/mass-assignment.ts';
import { storedScript } from './attacks/stored-script.ts';
import { mailInjection } from './attacks/mail-injection.ts';
import { hostileUploads } from './attacks/hostile-uploads.ts';
import { sqlInjection } from './attacks/sql-injection.ts';
import { csvFormulas } from './attacks/csv-formulas.ts';
import { serverSideRequests } from './attacks/server-side-requests.ts';
import { cardTesting } from './attacks/card-testing.ts';
import { supplyChain } from './attacks/supply-chain.ts';
import { crossOriginRequests } from './attacks/cross-origin-requests.ts';
import { onceOnlyRaces } from './attacks/once-only-races.ts';
import { unfairShares } from './attacks/unfair-shares.ts';

/** Every attack, one a threat of rules.md, in the order of their numbers. */
export const attacks: Proof[] = [
  otherTenantsIds,
  otherTenantsData,
  guessedPasswords,
  guessedCodes,
  accountEnumeration,
  deadSessions,
  moneyFromTheBrowser,
  forgedGatewayEvents,
  otherTenantsLedgers,
  autopayWithoutConsent,
  leakedSecrets,
  massAssignment,
  storedScript,
  mailInjection,
  hostileUploads,
  sqlInjection,
  csvFormulas,
  serverSideRequests,
  cardTesting,
  unfairShares,
  supplyChain,
  crossOriginRequests,
  onceOnlyRaces,
];

/** Threats that are covered by proofs, alone or together with an attack. */
export const byProofs: Record<string, string[]> = {
  T9: ['R12', 'R13'],
  T10: ['R1', 'R2', 'R10'],
  T23: ['R18', 'R19', 'R20', 'R21'],
};
