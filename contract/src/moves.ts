import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { id } from './ids.ts';
import { formatDate } from './dates.ts';
import { gateCode } from './gate-code.ts';
import { dollars, formatMoney, paymentAmount, sumDollars } from './money.ts';
import { rateNotes, replacedRate, taxWords } from './rentals.ts';
import {
  balanceSentences,
  field,
  rentalId,
  staffVerb,
  tenantRecordId,
  touchedLedger,
} from './staff-verb.ts';
import { personName } from './person-name.ts';
import { emailAddress, requiredText } from './text.ts';

/** A line of a settlement or bill: dollars, below 0 in the tenant's favour. */
const line = z.object({ description: z.string(), amount: dollars });

const ledgerId = '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49';

/**
 * `rentals move-out`: ends a rental on `on`, the first day that is not rented, or with `cancel`
 * cancels a planned move-out. What is left as a credit goes back through the gateway where it came
 * from it, or stays on the ledger (`credit`; refund unless it is named).
 */
export const moveOut = staffVerb({
  name: 'rentals.moveOut',
  title: 'Move out, or cancel it',
  summary: 'Ends a rental on a day, or cancels a planned move-out',
  role: 'clerk',
  isReasonNeeded: true,
  body: z
    .object({
      ledgerId: rentalId,
      on: field(z.optional(calendarDate), {
        title: 'First day that is not rented',
        isNeeded: true,
      }),
      credit: field(z.optional(z.enum(['refund', 'keep'])), {
        title: 'What is left as a credit',
        names: { refund: 'Refund it', keep: 'Keep it on the ledger' },
      }),
      cancel: z.optional(z.boolean().check(z.describe('cancel the planned move-out'))),
    })
    .check(
      z.refine(
        ({ on, cancel = false }) => (on === undefined) === cancel,
        'Give a day, or cancel the move-out.',
      ),
    ),
  reply: z.object({
    /** Null where the move-out is cancelled. */
    movedOutOn: z.nullable(calendarDate),
    /**
     * False until the day has come and every bank debit of the rental has settled: until then
     * nothing is posted.
     */
    isSettled: z.boolean(),
    lines: z.array(line),
    /**
     * What goes back through the gateway, by the payment's receipt. `submitted` where its answer is
     * not known yet; `failed` where it refused: then staff have an alarm of it. `balance` below
     * counts what was refunded only.
     */
    refunds: z.array(
      z.object({
        /** Null in a preview. */
        refundId: z.nullable(id),
        receiptNumber: z.string(),
        amount: dollars,
        status: z.enum(['refunded', 'submitted', 'failed']),
      }),
    ),
    /** What of the credit no gateway can give back; staff have an alarm of it. */
    byHand: dollars,
    ledgers: z.array(touchedLedger),
  }),
  example: {
    movedOutOn: '2026-11-30',
    isSettled: true,
    lines: [{ description: 'Deposit given back', amount: -50 }],
    refunds: [
      {
        refundId: 'c7b0f8a4-52c1-4d0e-8a3f-9e6b1d2c4f57',
        receiptNumber: '1000042',
        amount: 50,
        status: 'refunded',
      },
    ],
    byHand: 0,
    ledgers: [{ ledgerId, unitName: 'A101', balance: 0 }],
  },
});

/** What a rental is begun with. `unit` is its name at the tenant's facility. */
const moveInBody = z.object({
  tenantId: tenantRecordId,
  on: field(calendarDate, { title: 'From', description: 'The first day of the rental.' }),
  unit: field(requiredText('Unit', 50), { title: 'Unit' }),
  rate: field(z.optional(paymentAmount), {
    title: 'Rent a month',
    description: "That of the unit's last rental unless another is named.",
    unit: 'dollars',
    role: 'manager',
  }),
  discountPlanId: field(z.optional(id), { title: 'Discount' }),
  protectionPlanId: field(z.optional(id), { title: 'Protection plan' }),
  taxes: field(z.optional(z.enum(['charged', 'none'])), {
    ...taxWords,
    description: 'Charged where the facility has some, unless you choose otherwise.',
    role: 'manager',
  }),
  gateScheduleId: z.optional(
    z.int().check(z.describe('the gate schedule; 1, business hours, without it')),
  ),
  /** It is in no answer: the tenant reads it in the portal. */
  gateCode: field(z.optional(gateCode), {
    title: 'Gate code',
    description: 'A random one unless one is named.',
    role: 'manager',
  }),
  quotedTotal: z.optional(
    dollars.check(z.describe('the first bill of a quote; refused where it would be another sum')),
  ),
});

const moveInReply = z.object({
  movedInOn: calendarDate,
  rate: dollars,
  /** Every charge that is posted, with its discount taken off and its taxes added. */
  charges: z.array(
    z.object({
      description: z.string(),
      dueOn: calendarDate,
      price: dollars,
      discount: dollars,
      tax1: dollars,
      tax2: dollars,
      amount: dollars,
    }),
  ),
  total: dollars,
  /** Whether the tenant is mailed the way to a sign-in. */
  isInvited: z.boolean(),
  ledgers: z.array(touchedLedger),
});

const moveInExample = {
  movedInOn: '2026-11-24',
  rate: 200,
  charges: [
    {
      description: 'Rent 11/24/2026 - 11/30/2026',
      dueOn: '2026-11-24',
      price: 46.67,
      discount: 0,
      tax1: 0,
      tax2: 0,
      amount: 46.67,
    },
  ],
  total: 46.67,
  isInvited: true,
  ledgers: [{ ledgerId, unitName: 'A101', balance: 46.67 }],
};

/**
 * A quote is for a tenant record, or without `tenantId` for a guest who has none yet, at the
 * caller's facility.
 */
const quoteBody = z.extend(moveInBody, {
  tenantId: z.optional(tenantRecordId),
});

/**
 * `rentals quote`: what a move-in would charge, to the cent; it writes nothing. The ledger's id is
 * none yet.
 */
export const quoteMoveIn = staffVerb({
  name: 'rentals.quote',
  title: 'Quote a move-in',
  summary: 'Says what a move-in would charge, to the cent',
  role: 'clerk',
  isReasonNeeded: false,
  body: quoteBody,
  reply: moveInReply,
  example: moveInExample,
});

/**
 * `rentals.mailQuote`: the quote of a move-in by mail to the address of the record, or without
 * `tenantId` to the one that is named.
 */
export const mailQuote = staffVerb({
  name: 'rentals.mailQuote',
  title: 'Mail a quote',
  summary: 'Mails a quote of a move-in',
  role: 'clerk',
  isReasonNeeded: false,
  body: z
    .extend(quoteBody, {
      firstName: field(z.optional(personName('First name')), {
        title: 'First name',
        description: 'To mail the quote.',
      }),
      email: field(z.optional(emailAddress('Email')), {
        title: 'Email',
        format: 'email',
        description: 'To mail the quote.',
      }),
    })
    .check(
      z.refine(
        ({ tenantId, firstName, email }) =>
          (firstName === undefined) === (email === undefined) &&
          (tenantId === undefined || email === undefined),
        'Name a tenant record, or the first name and email of a person who has none.',
      ),
    ),
  /** `to`: null in a preview for a guest without a record whose email is not given. */
  reply: z.extend(moveInReply, { to: z.nullable(z.string()) }),
  example: { ...moveInExample, to: 'dana@example.com' },
});

/**
 * `rentals move-in`: begins a rental on `on`, at most 60 days back or any day ahead. Its charges
 * are posted when it is made. A future one can be seen and paid at once; its code opens the gate
 * from its day on.
 */
export const moveIn = staffVerb({
  name: 'rentals.moveIn',
  title: 'Move in',
  summary: 'Begins a rental: its ledger, its first charges, its gate code',
  role: 'clerk',
  isReasonNeeded: true,
  body: moveInBody,
  reply: z.extend(moveInReply, {
    /** The documents to sign that it makes; `mailedTo` is null where that address is invalid. */
    documents: z.array(z.object({ name: z.string(), mailedTo: z.nullable(z.string()) })),
  }),
  example: {
    ...moveInExample,
    documents: [{ name: 'Rental Agreement', mailedTo: 'dana@example.com' }],
  },
});

const transferredRent = z.object({
  before: dollars,
  after: dollars,
  firstBill: z.nullable(z.object({ dueOn: calendarDate, total: dollars })),
});

/**
 * `rentals transfer`: the ledger continues in another unit of its facility from `on` on, with its
 * books, code and autopay. `rate` schedules another rent from that day, as `rentals.rate` does: a
 * rise needs its notice. `cancel` cancels a planned transfer, with the rent that was scheduled with
 * it; so does a transfer that takes the place of another.
 */
export const transfer = staffVerb({
  name: 'rentals.transfer',
  title: 'Transfer, or cancel it',
  summary: 'Moves a rental to another unit of its facility, or cancels a planned transfer',
  role: 'clerk',
  isReasonNeeded: false,
  body: z
    .object({
      ledgerId: rentalId,
      on: field(z.optional(calendarDate), {
        title: 'On',
        description: 'The first day in the other unit.',
        isNeeded: true,
      }),
      unit: field(z.optional(requiredText('Unit', 50)), { title: 'To unit', isNeeded: true }),
      rate: field(z.optional(paymentAmount), {
        title: 'Rent from that day on',
        description: 'It stays as it is unless another is named.',
        unit: 'dollars',
        role: 'manager',
      }),
      cancel: z.optional(z.boolean().check(z.describe('cancel the planned transfer'))),
    })
    .check(
      z.refine(
        ({ unit, on, rate, cancel = false }) =>
          (unit === undefined) === cancel &&
          (on === undefined) === cancel &&
          !(cancel && rate !== undefined),
        'Give a unit and a day, or cancel the transfer.',
      ),
    ),
  reply: z.object({
    on: calendarDate,
    fromUnit: z.string(),
    toUnit: z.string(),
    /** False while the day is still to come. */
    isDone: z.boolean(),
    isCancelled: z.boolean(),
    /**
     * The scheduled rent that is taken back with the transfer that it came with; null where there
     * is none.
     */
    cancelledRate: z.nullable(dollars),
    replacedRate,
    /** The last day of what is paid ahead, where the rise waits for that. */
    paidAheadThrough: z.optional(calendarDate),
    /**
     * A month's rent before and after, and the first bill that is due on the day or later, with all
     * that is on it; null where the rental has ended by then. Until that bill nothing is charged or
     * given back. Null where the transfer is cancelled.
     */
    rent: z.nullable(transferredRent),
    ledgers: z.array(touchedLedger),
  }),
  example: {
    on: '2026-11-24',
    fromUnit: 'A101',
    toUnit: 'B207',
    isDone: true,
    isCancelled: false,
    cancelledRate: null,
    rent: { before: 189, after: 215, firstBill: { dueOn: '2026-12-14', total: 215 } },
    ledgers: [{ ledgerId, unitName: 'B207', balance: 0 }],
  },
  says: (reply, isDone) => {
    const { on, fromUnit, toUnit, isCancelled, cancelledRate, rent, ledgers } = reply;
    const day = `${formatDate(on)}${reply.isDone ? '' : ', when the day comes'}`;
    return [
      isCancelled ? `The rental stays in ${fromUnit}.` : `From ${fromUnit} to ${toUnit} on ${day}.`,
      ...(rent ? [transferRent(rent)] : []),
      ...rateNotes({ replaced: reply.replacedRate, paidAheadThrough: reply.paidAheadThrough }),
      ...(cancelledRate !== null
        ? [
            `The rent of ${formatMoney(cancelledRate)} that came with it ${isDone ? 'is' : 'will be'} cancelled.`,
          ]
        : []),
      ...(isCancelled ? [] : balanceSentences(ledgers, isDone)),
    ];
  },
});

/** What a transfer does to the rent, in a sentence or two. */
export function transferRent({
  before,
  after,
  firstBill,
}: z.infer<typeof transferredRent>): string {
  const difference = formatMoney(Math.abs(sumDollars([after, -before])));
  const rent =
    before === after
      ? `The rent stays ${formatMoney(before)} a month.`
      : `The rent is ${formatMoney(before)} before and ${formatMoney(after)} after, ${difference} ${after > before ? 'more' : 'less'} a month.`;
  const bill =
    firstBill === null
      ? 'No further bill comes: the rental ends before.'
      : `Nothing is charged or given back until the bill of ${formatDate(firstBill.dueOn)}, which is ${formatMoney(firstBill.total)}.`;
  return `${rent} ${bill}`;
}

/**
 * `rentals assign`: a rental continues from today on with another tenant record of its facility
 * (an inheritance, a divorce, a boat that was sold). The ledger of the tenant before ends at 0:
 * what is owed, the deposit and what is billed for days from today on go to a new ledger, with what
 * was paid of them. What was paid for days before stays with who paid it, and so do saved methods,
 * papers, proof of insurance, documents and requests.
 */
export const assignRental = staffVerb({
  name: 'rentals.assign',
  title: 'Assign to another tenant',
  summary: 'Continues a rental with another tenant record from today on',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    ledgerId: rentalId,
    toTenantId: field(id, { title: 'To', description: 'The record that rents from today on.' }),
  }),
  reply: z.object({
    on: calendarDate,
    unitName: z.string(),
    fromName: z.string(),
    toName: z.string(),
    rate: dollars,
    /** What is owed and goes to the other tenant. */
    owed: dollars,
    deposit: dollars,
    /** What is to the tenant's credit, without the deposit. */
    credit: dollars,
    /** The last day that paid rent covers. */
    paidThrough: calendarDate,
    isTaxed: z.boolean(),
    isOverlocked: z.boolean(),
    hasProtectionPlan: z.boolean(),
    /** What ends with the tenant before. */
    ends: z.object({
      autopay: z.boolean(),
      hold: z.boolean(),
      scheduledRate: z.nullable(z.object({ rate: dollars, on: calendarDate })),
      authorized: z.array(z.string()),
      /** The names of the documents that wait for a signature, which are withdrawn. */
      documents: z.array(z.string()),
    }),
    vehicles: z.int(),
    /** How many of them stay with the tenant before. */
    stays: z.object({ papers: z.int(), policies: z.int(), documents: z.int(), requests: z.int() }),
    isInvited: z.boolean(),
    /** Those of the tenant before and of the other one. */
    ledgers: z.array(touchedLedger),
  }),
  example: {
    on: '2026-11-24',
    unitName: 'A101',
    fromName: 'Dana Reyes',
    toName: 'Ann Lee',
    rate: 189,
    owed: 189,
    deposit: 50,
    credit: 0,
    paidThrough: '2026-11-13',
    isTaxed: false,
    isOverlocked: false,
    hasProtectionPlan: true,
    ends: {
      autopay: true,
      hold: false,
      scheduledRate: null,
      authorized: ['Ada Okafor'],
      documents: ['Rules'],
    },
    vehicles: 1,
    stays: { papers: 2, policies: 0, documents: 1, requests: 1 },
    isInvited: true,
    ledgers: [
      { ledgerId, unitName: 'A101', balance: 0 },
      { ledgerId: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d', unitName: 'A101', balance: 189 },
    ],
  },
  says: ({ ends, stays, ...reply }, isDone) => {
    const { fromName, toName, unitName, scheduledRate } = { ...reply, ...ends };
    const goes = [
      `${formatMoney(reply.owed)} owed`,
      ...(reply.deposit > 0 ? [`a deposit of ${formatMoney(reply.deposit)}`] : []),
      ...(reply.credit > 0 ? [`a credit of ${formatMoney(reply.credit)}`] : []),
      `rent paid through ${formatDate(reply.paidThrough)}`,
      ...(reply.hasProtectionPlan ? ['the protection plan'] : []),
      ...(reply.vehicles > 0 ? [`vehicles or vessels (${reply.vehicles})`] : []),
      ...(reply.isOverlocked ? ['the lock by hand'] : []),
    ];
    const left = [
      'what was paid for days before',
      'saved methods',
      ...(stays.papers > 0 ? [`papers of vehicles (${stays.papers})`] : []),
      ...(stays.policies > 0 ? ['the proof of private insurance'] : []),
      ...(stays.documents > 0 ? [`documents (${stays.documents})`] : []),
      ...(stays.requests > 0 ? [`open requests (${stays.requests})`] : []),
    ];
    const ended = [
      ...(ends.autopay ? ['autopay, with its consent'] : []),
      'the gate code',
      ...(ends.authorized.length > 0 ? [`the codes of ${ends.authorized.join(', ')}`] : []),
      ...(ends.hold ? ['the hold'] : []),
      ...(ends.documents.length > 0 ? [`the link to sign ${ends.documents.join(', ')}`] : []),
      ...(scheduledRate === null
        ? []
        : [
            `the rent of ${formatMoney(scheduledRate.rate)} from ${formatDate(scheduledRate.on)}: schedule it again`,
          ]),
    ];
    return [
      `${unitName} ${isDone ? 'is' : 'will be'} rented to ${toName} instead of ${fromName} from ${formatDate(reply.on)} on, for ${formatMoney(reply.rate)} a month${reply.isTaxed ? ' plus taxes' : ' without taxes'}.`,
      `To ${toName}: ${goes.join(', ')}. A new gate code, which the portal shows.`,
      `With ${fromName} stay: ${left.join(', ')}.`,
      `For ${fromName} end: ${ended.join(', ')}. The portal shows them an ended rental.`,
      reply.isInvited
        ? `Both are mailed, and ${toName} the way to sign up.`
        : `Both are mailed. ${toName} is not invited to sign up: they sign in already, or cannot.`,
      `${fromName} ${isDone ? 'owes' : 'will owe'} ${formatMoney(0)}, ${toName} ${formatMoney(Math.max(0, reply.ledgers[1]?.balance ?? 0))}.`,
    ];
  },
});
