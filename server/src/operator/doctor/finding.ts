import type { Config } from '#config/config.ts';
import type { Database } from '#db/database.ts';

/**
 * The severity of a finding. `warning`: it works and should be looked at; `fault`: it does not
 * work, or soon will not.
 */
export type Level = 'ok' | 'warning' | 'fault';

/** One line of the doctor's report. `todo` says what to do; it is null where all is well. */
export type Finding = { subject: string; level: Level; says: string; todo?: string };

/**
 * The context of a check. `db` is the owner's connection, and null where the database does not
 * answer.
 */
export type Patient = { config: Config; db: Database | null; sendMailTo: string | undefined };

/** A subject of the doctor. Checks run one after another, and none makes a lasting change. */
export type Check = {
  subject: string;
  run: (patient: Patient) => Promise<Omit<Finding, 'subject'>[]>;
};

export function ok(says: string): Omit<Finding, 'subject'> {
  return { level: 'ok', says };
}

export function warning(says: string, todo: string): Omit<Finding, 'subject'> {
  return { level: 'warning', says, todo };
}

export function fault(says: string, todo: string): Omit<Finding, 'subject'> {
  return { level: 'fault', says, todo };
}
