import { z } from 'zod/mini';
import { gateEffect } from './gate-effect.ts';
import { id } from './ids.ts';
import { dollars, formatMoney, paymentAmount } from './money.ts';
import {
  balanceSentences,
  field,
  rentalId,
  staffVerb,
  taxSentence,
  touchedLedger,
} from './staff-verb.ts';
import { requiredText } from './text.ts';

/** What staff charge by hand: rent is billed, and a deposit comes with the move-in. */
const category = z.enum(
  ['service', 'insurance', 'fee'],
  'Category must be service, insurance or fee; rent is billed and not charged by hand.',
);

const exampleLedger = {
  ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
  unitName: 'A101',
  balance: 25,
};

/**
 * `charges add`: a charge that is due today. `amount` is before taxes; with `isTaxed` the
 * facility's rates come on top: those of insurance for insurance, those of rent for the others.
 */
export const addCharge = staffVerb({
  name: 'charges.add',
  title: 'Add a charge',
  summary: 'Posts a charge to a ledger',
  role: 'clerk',
  isReasonNeeded: true,
  body: z.object({
    ledgerId: rentalId,
    category: field(category, {
      title: 'Category',
      names: { service: 'Service', insurance: 'Insurance', fee: 'Fee' },
    }),
    description: field(requiredText('Description', 200), { title: 'Description' }),
    amount: field(paymentAmount, { title: 'Amount before tax', unit: 'dollars' }),
    isTaxed: field(z.optional(z.boolean()), { title: "The facility's taxes come on top" }),
  }),
  reply: z.object({
    chargeId: id,
    /** With its taxes. */
    total: dollars,
    tax1: dollars,
    tax2: dollars,
    /** Null of a rental that has not begun or has ended. */
    gate: z.nullable(gateEffect),
    ledgers: z.array(touchedLedger),
  }),
  example: {
    chargeId: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
    total: 25,
    tax1: 0,
    tax2: 0,
    gate: {
      effect: 'closes',
      sentence: 'The gate closes at once. It opens again once $25.00 is paid.',
    },
    ledgers: [exampleLedger],
  },
  says: ({ total, gate, ledgers, ...taxes }, isDone) => [
    `Charge: ${formatMoney(total)}`,
    ...taxSentence(taxes),
    ...balanceSentences(ledgers, isDone),
    ...(gate !== null && gate.effect !== 'closes' ? [gate.sentence] : []),
  ],
  warns: ({ gate }) => (gate?.effect === 'closes' ? gate.sentence : null),
});

/**
 * `charges waive`: takes back a charge, wholly or in part. `amount` includes tax and is all that is
 * left of the charge where it is missing. What had paid the charge becomes an open credit. The late
 * fee of a rent goes with it where what is left of the rent was paid in time.
 */
export const waiveCharge = staffVerb({
  name: 'charges.waive',
  title: 'Waive a charge',
  summary: 'Takes a charge back, wholly or in part, with its tax',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    chargeId: id.check(z.describe('the charge')),
    amount: field(z.optional(paymentAmount), {
      title: 'Amount with tax',
      description: 'All that is left of it unless less is named.',
      unit: 'dollars',
    }),
  }),
  reply: z.object({
    creditId: id,
    amount: dollars,
    /** The part of `amount` that is tax. */
    tax1: dollars,
    tax2: dollars,
    /** The late fee that is waived with it; null for none. */
    lateFee: z.nullable(z.object({ creditId: id, amount: dollars })),
    ledgers: z.array(touchedLedger),
  }),
  example: {
    creditId: '7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e',
    amount: 25,
    tax1: 1.44,
    tax2: 0.46,
    lateFee: null,
    ledgers: [{ ...exampleLedger, balance: 0 }],
  },
  says: ({ amount, lateFee, ledgers, ...taxes }, isDone) => [
    `Waived: ${formatMoney(amount)}`,
    ...taxSentence(taxes),
    ...(lateFee === null ? [] : [`Its late fee is waived with it: ${formatMoney(lateFee.amount)}`]),
    ...balanceSentences(ledgers, isDone),
  ],
});

/**
 * `charges writeOff`: gives up what a rental owes, or a part of it, its oldest charges first. It is
 * a waiver on the rental and bad debt in the journal; the sales tax of it stays due. `credits
 * reverse` of a part makes that owed again.
 */
export const writeOffCharges = staffVerb({
  name: 'charges.writeOff',
  title: 'Write off',
  summary: 'Writes off what a rental owes as bad debt',
  role: 'manager',
  isReasonNeeded: 'everywhere',
  body: z.object({
    ledgerId: rentalId,
    amount: field(z.optional(paymentAmount), {
      title: 'Amount with tax',
      description: 'All that is owed unless less is named; the oldest charges first.',
      unit: 'dollars',
    }),
  }),
  reply: z.object({
    amount: dollars,
    /** What of `amount` is tax, which stays due. */
    tax1: dollars,
    tax2: dollars,
    charges: z.array(z.object({ creditId: id, description: z.string(), amount: dollars })),
    ledgers: z.array(touchedLedger),
  }),
  example: {
    amount: 25,
    tax1: 1.44,
    tax2: 0.46,
    charges: [
      { creditId: '7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e', description: 'Late fee', amount: 25 },
    ],
    ledgers: [{ ...exampleLedger, balance: 0 }],
  },
  says: ({ amount, charges, ledgers, ...taxes }, isDone) => [
    `Written off: ${formatMoney(amount)}`,
    ...charges.map((one) => `${one.description}: ${formatMoney(one.amount)}`),
    ...taxSentence(taxes),
    ...balanceSentences(ledgers, isDone),
  ],
});
