import { z } from 'zod/mini';
import { id } from './ids.ts';
import { rentalId, staffVerb, tenantRecordId } from './staff-verb.ts';

/** `autopay stop`: turns autopay of a rental off and ends its mandate; what is owed stays owed. */
export const stopAutopay = staffVerb({
  name: 'autopay.stop',
  title: 'Stop autopay',
  summary: 'Turns autopay of a rental off and mails its tenant',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({ ledgerId: rentalId }),
  reply: z.object({ ledgerId: id, unitName: z.string() }),
  example: { ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49', unitName: 'A101' },
  says: ({ unitName }, isDone) => [`Autopay of ${unitName} ${isDone ? 'is off.' : 'will be off.'}`],
});

/**
 * `payments allow-account`: lets autopay charge a tenant's bank account again that a return or its
 * bank has stopped. Autopay stays off until the tenant sets it up anew. Another tenant's entry of
 * the account stays refused.
 */
export const allowAccount = staffVerb({
  name: 'payments.allowAccount',
  title: 'Allow a refused account again',
  summary: 'Allows a bank account for autopay again that its bank has stopped',
  role: 'manager',
  isReasonNeeded: false,
  body: z.object({
    tenantId: tenantRecordId,
    methodId: id.check(z.describe('its saved bank account')),
  }),
  reply: z.object({
    methodId: id,
    /** Masked to the last four digits. */
    description: z.string(),
    /**
     * Of the return that stopped the account, such as R02; null where it was refused without one.
     */
    returnCode: z.nullable(z.string()),
  }),
  example: {
    methodId: '7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e',
    description: 'ACH ending in 6789',
    returnCode: 'R02',
  },
  says: ({ description, returnCode }) => [
    `${description}${returnCode !== null ? `, which was returned with ${returnCode}` : ''}.`,
  ],
});
