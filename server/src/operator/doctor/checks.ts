import { books } from './books.ts';
import { clock, database, migrations, operator, zones } from './database.ts';
import type { Check, Finding, Patient } from './finding.ts';
import { files, gateway, mail, texts } from './outside.ts';
import { gate, webhook } from './outbound.ts';
import { alarms, backups, disk, jobs, keys, portal, proxies } from './upkeep.ts';

/** All checks of the doctor, in the order of its report. A new subject is a line here. */
const checks: Check[] = [
  database,
  migrations,
  clock,
  operator,
  zones,
  portal,
  proxies,
  keys,
  mail,
  texts,
  gateway,
  files,
  gate,
  webhook,
  jobs,
  alarms,
  books,
  backups,
  disk,
];

/**
 * Runs all checks, one after another; a check that throws is a separate finding. `onFinding` gets
 * each finding at once.
 */
export async function examine(
  patient: Patient,
  onFinding: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { subject, run } of checks) {
    const found = await run(patient).catch((error: unknown) => [
      {
        level: 'fault' as const,
        says: `This could not be looked at: ${messageOf(error)}.`,
        todo: 'Look at what is wrong above it first.',
      },
    ]);
    for (const each of found) {
      const finding = { subject, ...each };
      findings.push(finding);
      onFinding(finding);
    }
  }
  return findings;
}

/** The message of an error, without a trailing full stop. */
function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || 'no reason given').replace(/\.$/, '');
}
