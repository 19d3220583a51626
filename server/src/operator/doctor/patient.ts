import type { Config } from '#config/config.ts';
import type { Database } from '#db/database.ts';
import type { Check as CheckOf } from '#features/desk/going-live/finding.ts';

/**
 * The context of a check. `db` is the owner's connection, and null where the database does not
 * answer.
 */
export type Patient = { config: Config; db: Database | null; sendMailTo: string | undefined };

/** A subject of the doctor. Checks run one after another. */
export type Check = CheckOf<Patient>;
