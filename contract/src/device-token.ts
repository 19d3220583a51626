import { z } from 'zod/mini';

/**
 * A device that signed in before names itself with it in the body of a call (safety C4); never in a
 * header.
 */
export const deviceToken = z
  .string('The device token must be text.')
  .check(z.maxLength(100, 'The device token is too long.'));
