import { addDays } from '@gatehouse/contract/dates';
import { dayOf, type Account, type Sequence } from './step.ts';

/** The columns of the files after that of the facility. */
export const headers = {
  charges: 'charge_id,ledger_id,category,description,due_on,period_end,price,tax1,posted_on',
  payments:
    'payment_id,ledger_id,kind,paid_on,amount,method,taken_back,taken_back_on,taken_back_reason',
  ledgers:
    'ledger_id,tenant_id,unit,moved_in_on,moved_out_on,rental_rate,paid_through,balance,scheduled_rate,scheduled_rate_on',
  insurance: 'insurance_id,ledger_id,kind,company,policy_number,coverage,starts_on',
};

export type FileName = keyof typeof headers;

type Slip = [
  file: FileName,
  says: string,
  row: (account: Account, sequence: Sequence) => (string | number)[],
];

const YEAR = 365;

/** Rows that a hand has mistyped, with what the import says of them; all else of them is sound. */
export const slips: Record<string, Slip> = {
  'rent a month late': [
    'charges',
    'leaves the days from',
    (of, at) => rentRow(of, at, { late: 31 }),
  ],
  'a period that ends a year late': [
    'charges',
    'makes a period of',
    (of, at) => rentRow(of, at, { days: 28 + YEAR }),
  ],
  'rent with a zero too many': [
    'charges',
    'and the rent of the rental is',
    (of, at) => rentRow(of, at, { price: 10 * Math.max(...ratesOf(of)) }),
  ],
  'rent with a zero too few': [
    'charges',
    'and the rent of the rental is',
    (of, at) => rentRow(of, at, { price: Math.floor(Math.min(...ratesOf(of)) / 10) }),
  ],
  'a due date a year ahead': [
    'charges',
    'needs its posted_on',
    (of, at) => feeRow(of, { dueOn: addDays(dayOf(at), YEAR) }),
  ],
  'a due date a year ahead with its posting': [
    'charges',
    'is more than a month ahead',
    (of, at) => feeRow(of, { dueOn: addDays(dayOf(at), YEAR), postedOn: dayOf(at) }),
  ],
  'a due date a year early': [
    'charges',
    'is more than a month before the move-in',
    (of, at) => feeRow(of, { dueOn: addDays(dayOf(at), -3 * YEAR) }),
  ],
  'a posting a month ahead': [
    'charges',
    'posted_on: is in the future',
    (of, at) => feeRow(of, { dueOn: dayOf(at), postedOn: addDays(dayOf(at), 31) }),
  ],
  'price and tax in swapped columns': [
    'charges',
    'is more than the price',
    (of, at) => feeRow(of, { dueOn: dayOf(at), price: 206, tax: 2500 }),
  ],
  'a payment a month ahead': [
    'payments',
    'paid_on: is in the future',
    (of, at) => paidRow(of, addDays(dayOf(at), 31)),
  ],
  'a payment a year early': [
    'payments',
    'is more than a month before the move-in',
    (of, at) => paidRow(of, addDays(dayOf(at), -3 * YEAR)),
  ],
  'a bounce a year ahead': [
    'payments',
    'taken_back_on: is in the future',
    (of, at) => paidRow(of, dayOf(at), '10.00', addDays(dayOf(at), YEAR), 'mistake'),
  ],
  'a move-in a year ahead': [
    'ledgers',
    'moved_in_on: is more than half a year ahead',
    (_, at) => leaseRow(at, { movedInOn: YEAR, paidThrough: YEAR - 1 }),
  ],
  'a move-out a year ahead': [
    'ledgers',
    'moved_out_on: is more than half a year ahead',
    (_, at) => leaseRow(at, { movedOutOn: YEAR }),
  ],
  'rent paid a year ahead': [
    'ledgers',
    'the next bill',
    (_, at) => leaseRow(at, { paidThrough: YEAR }),
  ],
  'a coming rent with a zero too many': [
    'ledgers',
    'more than three times the rent',
    (_, at) => leaseRow(at, { scheduled: '1000.00', scheduledOn: 60 }),
  ],
  'a coming rent a year late': [
    'ledgers',
    'scheduled_rate_on: is more than half a year ahead',
    (_, at) => leaseRow(at, { scheduled: '110.00', scheduledOn: 60 + YEAR }),
  ],
  'a policy a year ahead': [
    'insurance',
    'starts_on: is more than half a year ahead',
    (of, at) => [of.ledgerId, 'private', 'Acme', 'P-1', '5000', addDays(dayOf(at), YEAR)],
  ],
};

function ratesOf({ terms, scheduled }: Account): number[] {
  return [terms.rateCents, scheduled?.cents ?? terms.rateCents];
}

/** The rent that follows what was billed, 28 days of it. */
function rentRow(
  account: Account,
  sequence: Sequence,
  { late = 0, days = 28, price = account.terms.rateCents },
) {
  const dueOn = addDays(account.model.billedThrough, 1 + late);
  const end = addDays(dueOn, days - 1);
  const postedOn = dayOf(sequence);
  return [account.ledgerId, 'rent', 'Imported', dueOn, end, dollars(price), '0', postedOn];
}

function feeRow(
  { ledgerId }: Account,
  {
    dueOn,
    postedOn = '',
    price = 2500,
    tax = 0,
  }: { dueOn: string } & Partial<Record<'price' | 'tax', number> & { postedOn: string }>,
) {
  return [ledgerId, 'fee', 'Imported', dueOn, '', dollars(price), dollars(tax), postedOn];
}

function paidRow({ ledgerId }: Account, paidOn: string, back = '', backOn = '', reason = '') {
  return [ledgerId, 'payment', paidOn, '10.00', 'cash', back, backOn, reason];
}

/** A new rental, of a unit that may be rented; the days are from today on. */
function leaseRow(
  sequence: Sequence,
  days: Partial<Record<'movedInOn' | 'movedOutOn' | 'paidThrough' | 'scheduledOn', number>> & {
    scheduled?: string;
  },
) {
  const { world, renter } = sequence;
  const on = (ahead: number | undefined) =>
    ahead === undefined ? '' : addDays(dayOf(sequence), ahead);
  const { movedInOn = 0, movedOutOn, paidThrough = 20, scheduled = '', scheduledOn } = days;
  const unit = world.vacant[0]!.unitName;
  const terms = [on(movedInOn), on(movedOutOn), '100.00', on(paidThrough), '0', scheduled];
  return [renter.tenantId, unit, ...terms, on(scheduledOn)];
}

/** As a file has them. */
export function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
