import { books } from './books.ts';
import { clock, database, migrations, operator, zones } from './database.ts';
import type { Check, Finding, Patient } from './finding.ts';
import { files, gateway, mail } from './outside.ts';
import { gate, webhook } from './told.ts';
import { alarms, backups, disk, jobs, keys, portal, proxies } from './upkeep.ts';

/** Everything that the doctor looks at, in the order in which it tells it. A new subject is a line here. */
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

/** Looks at everything, one after another; a check that breaks is a finding of its own. `hear` gets each as it is found. */
export async function examine(patient: Patient, hear: (finding: Finding) => void): Promise<Finding[]> {
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
      hear(finding);
    }
  }
  return findings;
}

/** What an error says, without the full stop that some have. */
function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || 'no reason given').replace(/\.$/, '');
}
