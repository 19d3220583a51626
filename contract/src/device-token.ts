import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';

/** A device that signed in before names itself with it in the body of a call; never in a header. */
export const deviceToken = z
  .string({ error: () => t('The device token must be text.') })
  .check(z.maxLength(100, { error: () => t('The device token is too long.') }));
