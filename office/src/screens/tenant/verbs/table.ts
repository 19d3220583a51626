import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import type { BookLine } from '@gatehouse/contract/office/tenants';
import { HOLD_STOPS } from '@gatehouse/contract/rentals';
import { todayAt } from '#parts/today-at.ts';
import { addCharge } from './add-charge.tsx';
import { assign } from './assign.tsx';
import { changeRecord } from './change-record.ts';
import { issueStatement } from './issue-statement.tsx';
import { moveCredit } from './move-credit.tsx';
import { moveOut } from './move-out.tsx';
import type { Offer, OfRecord, OfRental } from './offers.tsx';
import { payOutCredit } from './pay-out-credit.tsx';
import { moveIn, quote } from './quote-and-move-in.tsx';
import { refund } from './refund.tsx';
import { reversePayment } from './reverse-payment.ts';
import { sendPayLink } from './send-pay-link.tsx';
import { takePayment } from './take-payment.tsx';
import { transfer } from './transfer.tsx';

const isCurrent = ({ rental }: OfRental) => !rental.isEnded;
const isHeld = ({ rental }: OfRental) => rental.hold !== null;
const fromToday = ({ tenant }: OfRecord) => ({ on: todayAt(tenant.locationCode) });

/** Takes a planned change back: nothing is filled in but the reason. */
const cancelling = { given: { cancel: true }, inputs: 'none' } as const;
const holding = {
  verb: 'rentals.hold',
  explanation: `${HOLD_STOPS} The gate follows what is owed all the same. After it, rent that is still open gets its late fee.`,
} as const;

/** The verbs of a tenant record that are always in sight, with the note. */
export const mainVerbs: Offer<OfRecord>[] = [takePayment, addCharge];

/** The other verbs of a tenant record, by the menu that has them. */
export const tenantVerbs: Record<string, Offer<OfRecord>[]> = {
  Rental: [quote, moveIn],
  Money: [
    sendPayLink,
    issueStatement,
    {
      verb: 'tenants.tax',
      label: 'Change the tax of all',
      explanation: ({ tenant }) =>
        tenant.taxExemptPaper === null
          ? 'Of every rental, and of new ones: an exempt tenant needs a certificate.'
          : `Now exempt by ${tenant.taxExemptPaper}.`,
      defaultValues: fromToday,
    },
  ],
  Person: [
    changeRecord,
    {
      verb: 'tenants.email',
      label: 'Change email',
      explanation: ({ tenant }) =>
        `Now ${tenant.email}. Who signs in with it loses this record; both addresses are mailed.`,
    },
    {
      verb: 'tenants.join',
      label: 'Join the address',
      isFor: ({ tenant }) => tenant.unjoinedWith.length > 0,
      explanation: ({ tenant }) =>
        `Anyone who reads the mail of ${tenant.email} can then sign in to this record and to that of ${tenant.unjoinedWith.join(', ')}.`,
    },
    {
      verb: 'tenants.accept',
      label: 'Rent again',
      isFor: ({ tenant }) => tenant.doNotRent !== null,
      explanation: ({ tenant }) => `Marked now: ${tenant.doNotRent}`,
    },
    {
      verb: 'tenants.recordDeath',
      label: 'Change the executor',
      isFor: ({ tenant }) => tenant.executor !== null,
      explanation: ({ tenant }) => `Now ${tenant.executor?.name}, who is replaced as a whole.`,
    },
    {
      verb: 'tenants.revokeDeath',
      label: 'Take back the death',
      isFor: ({ tenant }) => tenant.executor !== null,
      explanation:
        'For a mistake: the tenant is mailed the way to sign up again. Autopay stays off.',
    },
    {
      verb: 'tenants.recordDeath',
      label: 'Record a death',
      isFor: ({ tenant }) => tenant.executor === null,
      explanation: ({ tenant }) =>
        `Autopay and the sign-in of ${tenant.email} end at once, with mails, texts and reminders. Rentals and billing continue.`,
      isDanger: true,
    },
    {
      verb: 'tenants.refuse',
      label: 'Do not rent',
      isFor: ({ tenant }) => tenant.doNotRent === null,
      explanation: 'The reason is on this page. Quotes and move-ins are refused, also for a clerk.',
      isDanger: true,
    },
  ],
};

/**
 * The verbs of a rental by the menu that has them; of one that has ended, those that its books
 * still need.
 */
export const rentalVerbs: Record<string, Offer<OfRental>[]> = {
  Rental: [
    {
      verb: 'rentals.rate',
      label: 'Change the rent',
      isFor: isCurrent,
      explanation: ({ rental }) =>
        `Now ${formatMoney(rental.rentalRate)}. The notice is mailed at once.`,
    },
    {
      verb: 'rentals.rate',
      label: 'Cancel the rent change',
      isFor: ({ rental }) => !rental.isEnded && rental.scheduledRate !== null,
      explanation: ({ rental: { scheduledRate } }) =>
        scheduledRate
          ? `${formatMoney(scheduledRate.rate)} from ${formatDate(scheduledRate.on)}.`
          : '',
      ...cancelling,
    },
    transfer,
    {
      verb: 'rentals.transfer',
      label: 'Cancel the transfer',
      isFor: ({ rental }) => !rental.isEnded && rental.transfer !== null,
      explanation: ({ rental: { transfer: planned } }) =>
        planned ? `To ${planned.unitName} on ${formatDate(planned.on)}.` : '',
      ...cancelling,
    },
    moveOut,
    assign,
  ],
  Money: [
    { verb: 'credits.add', label: 'Add a credit' },
    moveCredit,
    payOutCredit,
    {
      verb: 'rentals.tax',
      label: 'Change the tax',
      isFor: isCurrent,
      explanation: 'What is billed already stays: add a charge or waive for it.',
      defaultValues: fromToday,
    },
    {
      label: 'Hold',
      isFor: (place) => !isHeld(place) && (isCurrent(place) || place.rental.balance > 0),
      ...holding,
    },
    { label: 'Change the hold', isFor: isHeld, ...holding },
    {
      verb: 'rentals.endHold',
      label: 'End the hold',
      isFor: isHeld,
      explanation: 'From the facility’s next day on autopay and late fees are as usual.',
    },
    {
      verb: 'autopay.stop',
      label: 'Stop autopay',
      isFor: ({ rental }) => rental.autopayMethodId !== null,
      explanation: 'What is owed stays owed. The tenant is mailed.',
      isDanger: true,
    },
    {
      verb: 'charges.writeOff',
      label: 'Write off',
      isFor: ({ rental }) => rental.balance > 0,
      explanation:
        'Bad debt: no longer owed here, and no waiver in the journal. The tenant is not mailed.',
      isDanger: true,
    },
  ],
  Access: [
    {
      verb: 'rentals.changeCode',
      label: 'Change the gate code',
      isFor: isCurrent,
      explanation:
        'The old code stops at once. The tenant is mailed and reads the new one in the portal.',
    },
    {
      verb: 'rentals.authorize',
      label: 'Authorize a person',
      isFor: isCurrent,
      explanation: 'With a gate code of their own. The tenant is mailed that they have one.',
    },
    {
      verb: 'rentals.release',
      label: 'Release the lock',
      isFor: ({ rental }) => rental.overlockedOn !== null,
      explanation: 'What is owed may keep the gate locked all the same.',
    },
    {
      verb: 'rentals.overlock',
      label: 'Overlock',
      isFor: ({ rental }) => !rental.isEnded && rental.overlockedOn === null,
      explanation: 'Locks the unit whatever is owed. The tenant has no code and is asked to call.',
      isDanger: true,
    },
  ],
};

/** A line of the books; `hasRest` of a payment or credit that is not wholly taken back. */
type Line = { line: BookLine; hasRest: boolean };

/** The verbs of a payment or a credit in the books. */
export const lineVerbs: Offer<Line>[] = [
  {
    verb: 'payments.mailReceipt',
    label: 'Mail the receipt',
    isFor: ({ line }) => line.kind === 'payment' && line.receiptNumber !== null,
    explanation: ({ line }) =>
      `The receipt ${line.receiptNumber} goes to the tenant’s address on record.`,
  },
  refund,
  reversePayment,
  {
    verb: 'credits.reverse',
    label: 'Take back',
    isFor: ({ line, hasRest }) => line.kind === 'credit' && hasRest,
    explanation: 'What the credit had settled is owed again.',
    isDanger: true,
  },
];
