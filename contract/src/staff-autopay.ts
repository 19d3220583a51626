import { z } from 'zod/mini';
import { id } from './ids.ts';
import { staffVerb } from './staff-verb.ts';

/** `autopay stop`: turns autopay of a rental off and ends its mandate; what is owed stays owed. */
export const stopAutopay = staffVerb({
  name: 'autopay.stop',
  summary: 'Turns autopay of a rental off and mails its tenant',
  body: z.object({ ledgerId: id }),
  reply: z.object({ ledgerId: id, unitName: z.string() }),
  example: { ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49', unitName: 'A101' },
});
