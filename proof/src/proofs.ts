import type { Proof } from './proof.ts';
import { killDuringPayment } from './kill-during-payment.ts';
import { killAtFailpoint } from './kill-at-failpoint.ts';
import { wholeBalanceAtOnce } from './whole-balance-at-once.ts';
import { overlappingLedgers } from './overlapping-ledgers.ts';
import { randomLedgerSequences } from './random-ledger-sequences.ts';
import { autopayWithKills } from './autopay-with-kills.ts';
import { databaseRestarts } from './database-restarts.ts';
import { soak } from './soak.ts';
import { rollingRestarts } from './rolling-restarts.ts';
import { gatewayFaults } from './gateway-faults.ts';
import { repeatedRequests } from './repeated-requests.ts';
import { twoTabs } from './two-tabs.ts';
import { reconciliationDifferences } from './reconciliation-differences.ts';
import { bankReturns } from './bank-returns.ts';
import { calendarInSixZones } from './calendar-in-six-zones.ts';
import { calendarTables } from './calendar-tables.ts';
import { slowSockets } from './slow-sockets.ts';
import { oversizedRequests } from './oversized-requests.ts';
import { overload } from './overload.ts';
import { signInStorm } from './sign-in-storm.ts';
import { mailOutage } from './mail-outage.ts';
import { backupAndRestore } from './backup-and-restore.ts';
import { migrationsUnderOlderVersion } from './migrations-under-older-version.ts';
import { fullDisk } from './full-disk.ts';
import { paymentCoreSimulation } from './payment-core-simulation.ts';
import { requestFuzzing } from './request-fuzzing.ts';
import { sessionEndRaces } from './session-end-races.ts';
import { alertDrill } from './alert-drill.ts';

/** Every proof, in the order in which they run. */
export const proofs: Proof[] = [
  killDuringPayment,
  killAtFailpoint,
  wholeBalanceAtOnce,
  overlappingLedgers,
  randomLedgerSequences,
  autopayWithKills,
  databaseRestarts,
  soak,
  rollingRestarts,
  gatewayFaults,
  repeatedRequests,
  twoTabs,
  reconciliationDifferences,
  bankReturns,
  calendarInSixZones,
  calendarTables,
  slowSockets,
  oversizedRequests,
  overload,
  signInStorm,
  mailOutage,
  backupAndRestore,
  migrationsUnderOlderVersion,
  fullDisk,
  paymentCoreSimulation,
  requestFuzzing,
  sessionEndRaces,
  alertDrill,
];
