import { openGateway } from '#app/start.ts';
import { goingLive } from '#features/desk/going-live/checks.ts';
import {
  examineOne,
  type Check as CheckOf,
  type Finding,
} from '#features/desk/going-live/finding.ts';
import type { Live } from '#features/desk/going-live/live.ts';
import { books } from './books.ts';
import { clock, database, hasTables, migrations, zones } from './database.ts';
import { files, texts } from './outside.ts';
import { gate, webhook } from './outbound.ts';
import type { Check, Patient } from './patient.ts';
import { alarms, disk, jobs, keys, portal, proxies } from './upkeep.ts';

/** All checks of the doctor, in the order of its report. A new subject is a line here. */
const checks: Check[] = [
  database,
  migrations,
  clock,
  zones,
  portal,
  proxies,
  keys,
  ...goingLive.map(ofLive),
  texts,
  files,
  gate,
  webhook,
  jobs,
  alarms,
  books,
  disk,
];

/** A check of going live as one of the doctor. */
function ofLive({ subject, run }: CheckOf<Live>): Check {
  return {
    subject,
    run: ({ config, db, sendMailTo }) =>
      run({
        config,
        sendMailTo,
        prepared: async () => ((await hasTables(db)) ? db : null),
        gateway: () => openGateway(config, db!),
      }),
  };
}

/** Runs all checks, one after another. `onFinding` gets each finding at once. */
export async function examine(
  patient: Patient,
  onFinding: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks)
    for (const finding of await examineOne(check, patient)) {
      findings.push(finding);
      onFinding(finding);
    }
  return findings;
}
