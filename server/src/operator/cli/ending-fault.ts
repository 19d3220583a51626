import { isDatabaseAway } from '#http/errors.ts';
import { StartFault } from '#errors/start-fault.ts';

/**
 * The sentence that ends a command; null for a bug, whose whole error is wanted. `again` says in
 * the imperative how the command is run again.
 */
export function endingFault(error: unknown, again = 'run the command again'): StartFault | null {
  if (error instanceof StartFault) return error;
  // ENOENT is of a socket for a server, and of a file for a command.
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  if (!isDatabaseAway(error)) return null;
  return new StartFault(
    `The database went away meanwhile (${error.message}). What was done stays done; ${again}.`,
  );
}
