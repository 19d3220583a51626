import type { Proof } from './harness/proof.ts';
import { killDuringPayment } from './proofs/kill-during-payment.ts';
import { killAtFailpoint } from './proofs/kill-at-failpoint.ts';
import { wholeBalanceAtOnce } from './proofs/whole-balance-at-once.ts';
import { overlappingLedgers } from './proofs/overlapping-ledgers.ts';
import { randomLedgerSequences } from './proofs/random-ledger-sequences.ts';
import { autopayWithKills } from './proofs/autopay-with-kills.ts';
import { databaseRestarts } from './proofs/database-restarts.ts';
import { soak } from './proofs/soak.ts';
import { rollingRestarts } from './proofs/rolling-restarts.ts';
import { gatewayFaults } from './proofs/gateway-faults.ts';
import { twoTabs } from './proofs/two-tabs.ts';
import { calendarInSixZones } from './proofs/calendar-in-six-zones.ts';
import { overload } from './proofs/overload.ts';
import { signInStorm } from './proofs/sign-in-storm.ts';
import { backupAndRestore } from './proofs/backup-and-restore.ts';
import { paymentCoreSimulation } from './proofs/payment-core-simulation.ts';
import { migrationsUnderLoad } from './proofs/migrations-under-load.ts';
import { requestFuzzing } from './proofs/request-fuzzing.ts';
import { officeMonth } from './proofs/office-month.ts';

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
  twoTabs,
  calendarInSixZones,
  overload,
  signInStorm,
  backupAndRestore,
  paymentCoreSimulation,
  migrationsUnderLoad,
  requestFuzzing,
  officeMonth,
];
