import { z } from 'zod/mini';
import { id } from './ids.ts';
import { paymentAmount } from './money.ts';
import { staffVerb, touchedLedger } from './staff-verb.ts';
import { requiredText } from './text.ts';

/** `credits add`: an amount in the tenant's favour that is no payment. It settles what is owed; the rest stays. */
export const addCredit = staffVerb({
  name: 'credits.add',
  summary: 'Posts a credit to a ledger',
  body: z.object({ ledgerId: id, amount: paymentAmount, description: requiredText('Description', 200) }),
  reply: z.object({ creditId: id, ledgers: z.array(touchedLedger) }),
  example: {
    creditId: '7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e',
    ledgers: [{ ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49', unitName: 'A101', balance: -25 }],
  },
});
