import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { handWay, onlyCheckHasNumber, paperNumber } from './counter-payments.ts';
import { id } from './ids.ts';
import { dollars, formatMoney, paymentAmount } from './money.ts';
import {
  balanceSentences,
  field,
  owedOnSentence,
  rentalId,
  staffVerb,
  touchedLedger,
} from './staff-verb.ts';
import { requiredText } from './text.ts';

const exampleLedger = {
  ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
  unitName: 'A101',
  balance: -25,
};
const creditId = '7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e';

/**
 * `credits add`: an amount in the tenant's favour that is no payment. It settles what is owed; the
 * rest stays.
 */
export const addCredit = staffVerb({
  name: 'credits.add',
  title: 'Add a credit',
  summary: 'Posts a credit to a ledger',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    ledgerId: rentalId,
    amount: field(paymentAmount, { title: 'Amount', unit: 'dollars' }),
    description: field(requiredText('Description', 200), { title: 'Description' }),
  }),
  reply: z.object({ creditId: id, ledgers: z.array(touchedLedger) }),
  example: { creditId, ledgers: [exampleLedger] },
  says: ({ ledgers }, isDone) => balanceSentences(ledgers, isDone),
});

/**
 * `credits move`: what settles no charge yet on one ledger becomes a credit on another one of the
 * same tenant record; of several, one each. The ledger that it came from is the first of `ledgers`.
 */
export const moveCredit = staffVerb({
  name: 'credits.move',
  title: 'Move a credit',
  summary: 'Moves an open credit to another ledger of the same tenant record',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    fromLedgerId: id.check(z.describe('the rental that has the open credit')),
    toLedgerId: field(id, { title: 'To', description: 'The rental that gets it.' }),
    amount: field(paymentAmount, { title: 'Amount', unit: 'dollars' }),
  }),
  reply: z.object({ creditIds: z.array(id), ledgers: z.array(touchedLedger) }),
  example: {
    creditIds: [creditId],
    ledgers: [
      { ...exampleLedger, balance: 0 },
      { ledgerId: '5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a', unitName: 'B207', balance: -25 },
    ],
  },
  says: ({ ledgers }, isDone) => balanceSentences(ledgers, isDone),
});

/**
 * `credits pay-out`: pays an open credit that no gateway can give back to the tenant, all of it or
 * `amount`: goodwill, a deposit, cash, a check, a won dispute, what was moved from another rental.
 */
export const payOutCredit = staffVerb({
  name: 'credits.payOut',
  title: 'Pay out a credit',
  summary: 'Pays an open credit out, in cash or by check',
  role: 'manager',
  isReasonNeeded: true,
  body: z
    .object({
      ledgerId: rentalId,
      amount: field(z.optional(paymentAmount), {
        title: 'Amount',
        description: 'All that no card or account can get back, unless you name less.',
        unit: 'dollars',
      }),
      way: field(handWay, { title: 'Paid out', names: { cash: 'In cash', check: 'By check' } }),
      number: field(z.optional(paperNumber), { title: 'Check number' }),
    })
    .check(onlyCheckHasNumber),
  reply: z.object({
    /** Both null in a preview. */
    refundId: z.nullable(id),
    receiptNumber: z.nullable(z.string()),
    amount: dollars,
    ledgers: z.array(touchedLedger),
  }),
  example: {
    refundId: '0b8f5a9e-3c1d-4f7a-9e2b-6d5c4b3a2f1e',
    receiptNumber: '1000043',
    amount: 25,
    ledgers: [{ ...exampleLedger, balance: 0 }],
  },
  says: ({ amount, receiptNumber, ledgers }, isDone) => [
    `Paid out: ${formatMoney(amount)}`,
    ...balanceSentences(ledgers, isDone),
    ...(receiptNumber !== null ? [`Its number is ${receiptNumber}.`] : []),
  ],
});

/**
 * `credits reverse`: takes back what is left of a credit or waiver; what it had settled is owed
 * again.
 */
export const reverseCredit = staffVerb({
  name: 'credits.reverse',
  title: 'Take back a credit',
  summary: 'Takes a credit or waiver back',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({ creditId: id.check(z.describe('the credit or waiver')) }),
  reply: z.object({
    reversalId: id,
    amount: dollars,
    /** The late fee that comes back with the rent that it is for; null for none. */
    lateFee: z.nullable(dollars),
    /** From when on what it had settled is enforced again; null where nothing is owed. */
    owedOn: z.nullable(calendarDate),
    ledgers: z.array(touchedLedger),
  }),
  example: {
    reversalId: 'c56a4180-65aa-42ec-a945-5fd21dec0538',
    amount: 25,
    lateFee: null,
    owedOn: '2026-12-05',
    ledgers: [{ ...exampleLedger, balance: 25 }],
  },
  says: ({ amount, lateFee, owedOn, ledgers }, isDone) => [
    `Taken back: ${formatMoney(amount)}`,
    ...(lateFee === null
      ? []
      : [
          `The late fee of ${formatMoney(lateFee)} that went with it ${isDone ? 'is owed' : 'will be owed'} again.`,
        ]),
    ...owedOnSentence(owedOn),
    ...balanceSentences(ledgers, isDone),
  ],
});
