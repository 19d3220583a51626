import type { Config } from '#config.ts';
import type { Database } from '#db/database.ts';

/** What a check found. `warning`: it works and should be looked at; `fault`: it does not work, or soon will not. */
export type Level = 'ok' | 'warning' | 'fault';

/** One line of the doctor. `todo` says what to do, and is there unless all is well. */
export type Finding = { subject: string; level: Level; says: string; todo?: string };

/** What a check may use. `db` is the owner's, and null where the database does not answer. */
export type Patient = { config: Config; db: Database | null; sendMailTo: string | undefined };

/** A subject that the doctor looks at: one thing after another, and no check changes anything that stays. */
export type Check = { subject: string; run: (patient: Patient) => Promise<Omit<Finding, 'subject'>[]> };

export function ok(says: string): Omit<Finding, 'subject'> {
  return { level: 'ok', says };
}

export function warning(says: string, todo: string): Omit<Finding, 'subject'> {
  return { level: 'warning', says, todo };
}

export function fault(says: string, todo: string): Omit<Finding, 'subject'> {
  return { level: 'fault', says, todo };
}
