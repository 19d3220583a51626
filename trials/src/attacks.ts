import type { Proof } from './harness/proof.ts';
import { otherTenantsIds } from './attacks/other-tenants-ids.ts';
import { otherTenantsData } from './attacks/other-tenants-data.ts';
import { accountEnumeration } from './attacks/account-enumeration.ts';
import { deadSessions } from './attacks/dead-sessions.ts';
import { forgedGatewayEvents } from './attacks/forged-gateway-events.ts';
import { leakedSecrets } from './attacks/leaked-secrets.ts';
import { massAssignment } from './attacks/mass-assignment.ts';
import { storedScript } from './attacks/stored-script.ts';
import { mailInjection } from './attacks/mail-injection.ts';
import { sqlInjection } from './attacks/sql-injection.ts';
import { serverSideRequests } from './attacks/server-side-requests.ts';
import { supplyChain } from './attacks/supply-chain.ts';
import { unfairShares } from './attacks/unfair-shares.ts';

/** The attacks that need the server's own processes, one a threat of rules.md. */
export const attacks: Proof[] = [
  otherTenantsIds,
  otherTenantsData,
  accountEnumeration,
  deadSessions,
  forgedGatewayEvents,
  leakedSecrets,
  massAssignment,
  storedScript,
  mailInjection,
  sqlInjection,
  serverSideRequests,
  unfairShares,
  supplyChain,
];

/** Threats that are covered by proofs, with or without an attack. */
export const byProofs: Record<string, string[]> = {
  T9: ['R3', 'R13'],
  T10: ['R1', 'R2', 'R10'],
  T23: ['R20', 'R21'],
};

/** What unit and slow tests prove, through the app on a real database: threats and proofs. */
export const byTests: Record<string, string[]> = {
  T4: [
    'server/src/features/people/session/sign-in-tries.test.ts',
    'server/src/features/people/session/devices.test.ts',
  ],
  T5: ['server/src/features/people/registration/registration.test.ts'],
  T8: ['server/test/hostile-money.test.ts', 'server/test/refused-bodies.test.ts'],
  T12: ['server/src/features/money/payments/payments.test.ts'],
  T13: ['server/src/features/money/autopay/run.test.ts'],
  T18: [
    'server/src/features/base/images/hostile-files.test.ts',
    'server/src/features/base/images/images.test.ts',
    'server/test/uploads.slow.test.ts',
  ],
  T20: [
    'server/src/operator/imports/cells.test.ts',
    'server/src/operator/imports/hostile-files.test.ts',
    'office/src/parts/csv.test.ts',
    'server/test/contract.test.ts',
  ],
  T22: ['server/src/features/base/limits/declines.test.ts'],
  T25: ['server/test/cross-origin.test.ts', 'server/test/edge.test.ts'],
  T26: [
    'server/src/features/service/requests/requests.test.ts',
    'server/src/features/people/registration/registration.test.ts',
    'server/src/features/rentals/tenants/tenants.test.ts',
    'server/src/features/service/insurance/insurance.test.ts',
    'server/src/features/money/autopay/switch.test.ts',
    'server/src/features/base/images/images.test.ts',
  ],
  R12: ['server/src/features/money/payments/payments.test.ts'],
  R14: ['server/src/features/money/reconciliation/reconciliation.test.ts'],
  R15: ['server/src/features/money/autopay/bank-returns.slow.test.ts'],
  R17: [
    'server/src/features/money/billing/periods.test.ts',
    'server/src/features/base/ledgers/rules.test.ts',
    'server/src/features/service/insurance/insurance.test.ts',
  ],
  R18: ['server/test/uploads.slow.test.ts'],
  R19: ['server/test/uploads.slow.test.ts', 'server/test/client-errors.test.ts'],
  R22: ['server/test/mail-outage.slow.test.ts'],
  R26: ['server/test/full-disk.slow.test.ts'],
  R29: ['server/src/features/people/session/end-races.slow.test.ts'],
  R30: [
    'server/test/metrics.test.ts',
    'server/test/watching.test.ts',
    'ops/watching/alerts.test.yml',
  ],
};
