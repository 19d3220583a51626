import type { Level } from '@gatehouse/contract/office/going-live';

/** What a check says of its subject; `todo` what to do, where not all is well. */
export type Found = { level: Level; says: string; todo?: string };

/** One line of a report. */
export type Finding = Found & { subject: string };

/** A subject, and what looks at it; it makes no lasting change. */
export type Check<Patient> = { subject: string; run: (patient: Patient) => Promise<Found[]> };

export function ok(says: string): Found {
  return { level: 'ok', says };
}

export function warning(says: string, todo: string): Found {
  return { level: 'warning', says, todo };
}

export function fault(says: string, todo: string): Found {
  return { level: 'fault', says, todo };
}

/** What a check found; one that throws is a finding too. */
export async function examineOne<Patient>(
  { subject, run }: Check<Patient>,
  patient: Patient,
): Promise<Finding[]> {
  const found = await run(patient).catch((error: unknown) => [
    fault(
      `This could not be looked at: ${messageOf(error)}.`,
      'Look at what is wrong above it first.',
    ),
  ]);
  return found.map((one) => ({ subject, ...one }));
}

/** The message of an error, without a trailing full stop. */
function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || 'no reason given').replace(/\.$/, '');
}
