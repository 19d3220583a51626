import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { id } from './ids.ts';
import { formatDate } from './dates.ts';
import { dollars, formatMoney, paymentAmount } from './money.ts';
import { MOST_PAID } from './payments.ts';
import { balanceSentences, field, owedOnSentence, staffVerb, touchedLedger } from './staff-verb.ts';
import { requiredText } from './text.ts';

/** How a payment comes over the counter. */
const counterType = z.enum(
  ['cash', 'check', 'moneyOrder'],
  'Say how it was paid: cash, check or money order, one of them.',
);

/**
 * The number on a check or money order, at most 12 letters, digits and hyphens: no card's number
 * fits (card numbers are never stored). Account numbers of that length cannot be recognised, since
 * serials of money orders have 10 or 11 digits.
 */
export const paperNumber = requiredText('Number', 12).check(
  z.regex(/^[0-9A-Za-z-]+$/, { error: 'Number must be letters, digits and hyphens.' }),
);

/** How staff give money back by hand. */
export const handWay = z.enum(['cash', 'check'], 'Say how it is given back: in cash or by check.');
export const onlyCheckHasNumber = z.refine<{
  way?: string | undefined;
  number?: string | undefined;
}>(({ way, number }) => (way === 'check') === (number !== undefined), {
  error: 'A check has a number, and nothing else has one.',
});

const paidReceipt = requiredText('Receipt number', 50).check(
  z.describe('the receipt number of the payment, or of one rental’s part'),
);
const receiptNumber = z.nullable(z.string());
const exampleLedger = {
  ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
  unitName: 'A101',
  balance: 0,
};

const namedCharge = z.object({
  ledgerId: id,
  chargeId: id,
  description: z.string(),
  dueOn: calendarDate,
  amount: dollars,
});

function listed(charges: z.output<typeof namedCharge>[]): string {
  return charges
    .map(
      ({ description, dueOn, amount }) =>
        `${description} of ${formatDate(dueOn)}, ${formatMoney(amount)}`,
    )
    .join(', and ');
}

/**
 * `payments record`: cash, a check or a money order for ledgers of one tenant record. The amount is
 * spread in the order in which they are named, up to what each owes. More than is owed in all is
 * refused, unless `isPrepaid`: then the rest stays as a credit on the first. It counts from the day
 * `on` which it came: at most as many days ago as the facility allows, and not of a closed drawer.
 */
export const recordPayment = staffVerb({
  name: 'payments.record',
  title: 'Take a payment',
  summary: 'Records a payment by cash, check or money order',
  role: 'clerk',
  isReasonNeeded: true,
  body: z
    .object({
      ledgerIds: field(
        z
          .array(id)
          .check(
            z.minLength(1, 'Name a rental.'),
            z.maxLength(MOST_PAID, `Name at most ${MOST_PAID} rentals.`),
          ),
        { title: 'Rentals' },
      ),
      type: field(counterType, {
        title: 'Paid by',
        names: { cash: 'Cash', check: 'Check', moneyOrder: 'Money order' },
      }),
      number: field(z.optional(paperNumber), { title: 'Number of the check or money order' }),
      amount: field(paymentAmount, { title: 'Amount', unit: 'dollars' }),
      on: field(z.optional(calendarDate), {
        title: 'Came on',
        description: 'Today, unless it came earlier: a check in the night box, for example.',
      }),
      waivesFees: field(z.optional(z.boolean()), {
        title: 'Waive the late fees that it would have prevented on that day',
        role: 'manager',
      }),
      isPrepaid: field(z.optional(z.boolean()), {
        title: 'Keep what is more than owed as a credit',
      }),
    })
    .check(
      z.refine(({ type, number }) => (type === 'cash') === (number === undefined), {
        error: 'A check or money order has a number, and cash has none.',
      }),
    ),
  reply: z.object({
    /** Null in a preview: numbers are given when the payment is recorded. */
    receiptNumber,
    /** The day from which it counts. */
    on: calendarDate,
    payments: z.array(z.object({ ledgerId: id, amount: dollars, receiptNumber })),
    /** The late fees that it would have prevented on its day, with what is left of them. */
    prevented: z.array(z.extend(namedCharge, { isWaived: z.boolean() })),
    ledgers: z.array(touchedLedger),
  }),
  example: {
    receiptNumber: '1000042',
    on: '2026-11-24',
    payments: [{ ledgerId: exampleLedger.ledgerId, amount: 214.5, receiptNumber: '1000042' }],
    prevented: [],
    ledgers: [exampleLedger],
  },
  says: ({ on }) => [`It counts from ${formatDate(on)}.`],
  warns: ({ prevented }) => {
    const open = prevented.filter(({ isWaived }) => !isWaived);
    return open.length === 0
      ? null
      : `On that day it would have prevented ${listed(open)}. That can be waived with the payment, or on its own later.`;
  },
});

/**
 * `payments reverse`: takes a payment back, once and whole: what was refunded of it, or moved away
 * as a credit, is owed again as well. `nsf` is a check or money order that bounced, with the
 * facility's fee; `chargeback` a card payment that the card's issuer took back; `mistake` a payment
 * that no gateway of ours took, or a pending bank debit that the gateway declined or does not have.
 * `receiptNumber` is that of the whole payment or, for a mistake, of one ledger's part.
 */
export const reversePayment = staffVerb({
  name: 'payments.reverse',
  title: 'Reverse a payment',
  summary: 'Takes a payment back: a bounced check, a chargeback or a mistake',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    receiptNumber: paidReceipt,
    reason: field(
      z.enum(['nsf', 'chargeback', 'mistake'], 'Say why: nsf, chargeback or mistake, one of them.'),
      {
        title: 'Because',
        names: {
          nsf: 'A check or money order bounced',
          chargeback: 'The card’s issuer took it back',
          mistake: 'It was recorded by mistake',
        },
      },
    ),
  }),
  reply: z.object({
    receiptNumber: z.string(),
    /** What was taken back, without the fee. */
    amount: dollars,
    /** What was charged for a bounced check. */
    fee: dollars,
    /** What was left, and what is owed again for what had left it before. */
    reversals: z.array(
      z.object({ reversalId: id, ledgerId: id, amount: dollars, receiptNumber: z.string() }),
    ),
    /** From when on what it had paid is enforced again; null: at once. */
    owedOn: z.nullable(calendarDate),
    /** The late fees that were waived because it came earlier: the reversal leaves them waived. */
    leftWaived: z.array(namedCharge),
    ledgers: z.array(touchedLedger),
  }),
  example: {
    receiptNumber: '1000042',
    amount: 214.5,
    fee: 35,
    reversals: [
      {
        reversalId: 'c56a4180-65aa-42ec-a945-5fd21dec0538',
        ledgerId: exampleLedger.ledgerId,
        amount: 214.5,
        receiptNumber: '1000042',
      },
    ],
    owedOn: null,
    leftWaived: [],
    ledgers: [{ ...exampleLedger, balance: 249.5 }],
  },
  warns: ({ leftWaived }) =>
    leftWaived.length === 0
      ? null
      : `${listed(leftWaived)}, was waived with the payment and stays waived. Charge it again if it is owed.`,
  says: ({ amount, fee, owedOn, ledgers }, isDone) => [
    `Taken back: ${formatMoney(amount)}`,
    ...(fee > 0 ? [`Fee for the returned payment: ${formatMoney(fee)}`] : []),
    ...owedOnSentence(owedOn),
    ...balanceSentences(ledgers, isDone),
  ],
});

/**
 * `payments refund`: gives a payment back, all that is left of it or `amount`; what it had paid is
 * owed again. Without `way` it goes back through the gateway that took it. `receiptNumber` is that
 * of the whole payment, whose last rental's part goes back first, or of one rental's part.
 */
export const refundPayment = staffVerb({
  name: 'payments.refund',
  title: 'Refund a payment',
  summary: 'Refunds a payment, wholly or in part',
  role: 'manager',
  isReasonNeeded: true,
  body: z
    .object({
      receiptNumber: paidReceipt,
      amount: field(z.optional(paymentAmount), {
        title: 'Amount',
        description: 'All that is left of it unless less is named.',
        unit: 'dollars',
      }),
      way: field(z.optional(handWay), {
        title: 'Given back',
        names: { cash: 'In cash', check: 'By check' },
      }),
      /** Of the check that it is given back by. */
      number: field(z.optional(paperNumber), { title: 'Check number' }),
    })
    .check(onlyCheckHasNumber),
  reply: z.object({
    /** Both null in a preview. */
    refundId: z.nullable(id),
    /** The refund's own number. */
    receiptNumber,
    amount: dollars,
    way: z.enum(['gateway', 'cash', 'check']),
    /**
     * `submitted`: the gateway has not answered yet; it is asked again until it does, and the
     * refund is posted then. Until then nothing is owed again, and the balances are what they were.
     */
    status: z.enum(['refunded', 'submitted']),
    /** Which charges are owed again, by how much. */
    reopened: z.array(namedCharge),
    /** From when on those are enforced again; null where there are none. */
    owedOn: z.nullable(calendarDate),
    ledgers: z.array(z.extend(touchedLedger, { refunded: dollars })),
  }),
  example: {
    refundId: '0b8f5a9e-3c1d-4f7a-9e2b-6d5c4b3a2f1e',
    receiptNumber: '1000043',
    amount: 214.5,
    way: 'gateway',
    status: 'refunded',
    reopened: [
      {
        ledgerId: exampleLedger.ledgerId,
        chargeId: '9d3e7c1a-5b2f-4a8d-b6e0-1c2d3e4f5a6b',
        description: 'Rent',
        dueOn: '2026-11-14',
        amount: 214.5,
      },
    ],
    owedOn: '2026-12-05',
    ledgers: [{ ...exampleLedger, balance: 214.5, refunded: 214.5 }],
  },
  says: ({ amount, reopened, owedOn, ledgers, status, receiptNumber: number }, isDone) => [
    `Refund: ${formatMoney(amount)}`,
    ...reopened.map(
      ({ description, dueOn, amount: owed }) =>
        `Owed again: ${description}, due ${formatDate(dueOn)}, ${formatMoney(owed)}`,
    ),
    ...owedOnSentence(owedOn),
    ...balanceSentences(ledgers, isDone),
    ...(isDone && status === 'submitted'
      ? ['The gateway has not answered yet. It is asked again until it does.']
      : []),
    ...(number !== null ? [`Its number is ${number}.`] : []),
  ],
});

/**
 * `payments mail-receipt`: mails the receipt of a payment again, to the tenant's address on record
 * and to no other. `receiptNumber` is that of the whole payment or of one rental's part; the
 * receipts of all its rentals go in one mail.
 */
export const mailReceipt = staffVerb({
  name: 'payments.mailReceipt',
  title: 'Mail a receipt',
  summary: 'Mails the receipt of a payment to the tenant again',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({ receiptNumber: paidReceipt }),
  reply: z.object({
    receiptNumber: z.string(),
    /** The address on record. */
    to: z.string(),
    receipts: z.array(
      z.object({ unitName: z.string(), amount: dollars, receiptNumber: z.string() }),
    ),
  }),
  example: {
    receiptNumber: '1000042',
    to: 'dana@example.com',
    receipts: [{ unitName: 'A101', amount: 214.5, receiptNumber: '1000042' }],
  },
  says: ({ to, receipts }, isDone) => [
    `${isDone ? 'It is mailed to' : 'It will be mailed to'} ${to}.`,
    ...receipts.map(
      ({ unitName, receiptNumber: number, amount }) =>
        `${unitName}, receipt ${number}: ${formatMoney(amount)}`,
    ),
  ],
});
