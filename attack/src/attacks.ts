import type { Proof } from '@gatehouse/proof/src/proof.ts';
import { otherTenantsIds } from './other-tenants-ids.ts';
import { otherTenantsData } from './other-tenants-data.ts';
import { guessedPasswords } from './guessed-passwords.ts';
import { guessedCodes } from './guessed-codes.ts';
import { accountEnumeration } from './account-enumeration.ts';
import { deadSessions } from './dead-sessions.ts';
import { moneyFromTheBrowser } from './money-from-the-browser.ts';
import { forgedGatewayEvents } from './forged-gateway-events.ts';
import { otherTenantsLedgers } from './other-tenants-ledgers.ts';
import { autopayWithoutConsent } from './autopay-without-consent.ts';
import { leakedSecrets } from './leaked-secrets.ts';
import { massAssignment } from './mass-assignment.ts';
import { storedScript } from './stored-script.ts';
import { mailInjection } from './mail-injection.ts';
import { hostileUploads } from './hostile-uploads.ts';
import { sqlInjection } from './sql-injection.ts';
import { csvFormulas } from './csv-formulas.ts';
import { serverSideRequests } from './server-side-requests.ts';
import { cardTesting } from './card-testing.ts';
import { supplyChain } from './supply-chain.ts';
import { crossOriginRequests } from './cross-origin-requests.ts';
import { onceOnlyRaces } from './once-only-races.ts';

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
  supplyChain,
  crossOriginRequests,
  onceOnlyRaces,
];

/** Threats whose attack is a proof: doing it again under another name would show nothing more. */
export const byProofs: Record<string, string[]> = {
  T9: ['R12', 'R13'],
  T10: ['R1', 'R2', 'R10'],
  T23: ['R18', 'R19', 'R20', 'R21'],
};
