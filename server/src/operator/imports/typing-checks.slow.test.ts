import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import {
  deleteFolders,
  exported,
  faultsOf,
  importInto,
  NOW,
  sound,
  type Files,
} from './import.fixture.ts';

let empty: TestApp;
let imported: TestApp;
beforeAll(async () => {
  const clock = { now: () => NOW };
  empty = await openTestApp('empty_template', { clock });
  imported = await openTestApp('empty_template', { clock });
  expect(faultsOf(await importInto(imported, sound))).toEqual([]);
});
afterAll(async () => {
  await empty.close();
  await imported.close();
  await deleteFolders();
});

const charges =
  'facility,charge_id,ledger_id,category,description,due_on,period_end,price,posted_on\n';
const rent = (days: string, price = '200', postedOn = '2026-11-20') =>
  `${charges}TXDFW03,C9,L1,rent,Rent,${days},${price},${postedOn}\n`;
const fee = (dueOn: string, postedOn = '') =>
  `${charges}TXDFW03,C9,L1,fee,Lock cut,${dueOn},,25,${postedOn}\n`;
const payment = (paidOn: string, back = ',,') =>
  'facility,payment_id,ledger_id,paid_on,amount,taken_back,taken_back_on,taken_back_reason\n' +
  `TXDFW03,P9,L1,${paidOn},215,${back}\n`;

// Of a rental that is billed through 12/13/2026 at $200, on 11/21/2026.
describe('of a rental that is here', () => {
  test.each<[string, Files, string]>([
    [
      'the month of a rent, 3 for 12',
      { 'charges.csv': rent('3/14/2027,4/13/2027') },
      'charges.csv, line 2, due_on: leaves the days from 2026-12-14 to 2027-03-13 without rent: ' +
        'give the rent of every period, at a price of 0 where none was charged.',
    ],
    [
      'the month of a period’s end',
      { 'charges.csv': rent('12/14/2026,3/13/2027') },
      'charges.csv, line 2, period_end: makes a period of 90 days, and the facility bills 31 at most.',
    ],
    [
      'the year of a period’s end',
      { 'charges.csv': rent('12/14/2026,1/13/2028') },
      'charges.csv, line 2, period_end: makes a period of 396 days, and the facility bills 31 at most.',
    ],
    [
      'a rent with a zero too many',
      { 'charges.csv': rent('12/14/2026,1/13/2027', '2000') },
      'charges.csv, line 2, price: is 2000.00, and the rent of the rental is 200.00: ' +
        'what is taken off a rent is its discount.',
    ],
    [
      'a rent with a zero too few',
      { 'charges.csv': rent('12/14/2026,1/13/2027', '20') },
      'charges.csv, line 2, price: is 20.00, and the rent of the rental is 200.00: ' +
        'what is taken off a rent is its discount.',
    ],
    [
      'a rent that was billed ahead without the day of it',
      { 'charges.csv': rent('12/14/2026,1/13/2027', '200', '') },
      'charges.csv, line 2, due_on: is in the future: a bill that was made before its due date needs its posted_on.',
    ],
    [
      'the year of a fee',
      { 'charges.csv': fee('11/20/2027') },
      'charges.csv, line 2, due_on: is in the future: a bill that was made before its due date needs its posted_on.',
    ],
    [
      'the year of a fee with its posting',
      { 'charges.csv': fee('11/20/2027', '11/20/2026') },
      'charges.csv, line 2, due_on: is more than a month ahead.',
    ],
    [
      'the year of a posting',
      { 'charges.csv': fee('11/20/2026', '11/20/2027') },
      'charges.csv, line 2, posted_on: is in the future.',
    ],
    [
      'the year of a fee, one too early',
      { 'charges.csv': fee('7/20/2026') },
      'charges.csv, line 2, due_on: is more than a month before the move-in, which is 2026-09-14.',
    ],
    [
      'the year of a payment',
      { 'payments.csv': payment('11/20/2027') },
      'payments.csv, line 2, paid_on: is in the future.',
    ],
    [
      'the year of a payment, one too early',
      { 'payments.csv': payment('11/20/2025') },
      'payments.csv, line 2, paid_on: is more than a month before the move-in, which is 2026-09-14.',
    ],
    [
      'the day on which a payment bounced',
      { 'payments.csv': payment('11/19/2026', '215,12/20/2026,nsf') },
      'payments.csv, line 2, taken_back_on: is in the future.',
    ],
    [
      'price and tax in each other’s columns',
      {
        'charges.csv':
          'facility,charge_id,ledger_id,category,description,due_on,price,tax1\nTXDFW03,C9,L1,fee,Lock cut,11/20/2026,2.06,25\n',
      },
      'charges.csv, line 2, tax1: is more than the price.',
    ],
  ])('%s is a fault', async (_, files, sentence) => {
    expect(faultsOf(await importInto(imported, files, true))).toEqual([sentence]);
  });

  test('the next rent is none, on the day after what was billed and at its price, or cut short', async () => {
    for (const file of [
      rent('12/14/2026,1/13/2027'),
      rent('12/14/2026,12/31/2026', '116.13'),
      fee('12/1/2026', '11/20/2026'),
    ])
      expect(faultsOf(await importInto(imported, { 'charges.csv': file }, true))).toEqual([]);
  });
});

describe('of a rental that is new', () => {
  const change = (name: string, from: string, to: string): Files => {
    expect(sound[name]).toContain(from);
    return { ...sound, [name]: sound[name]!.replace(from, to) };
  };

  test.each<[string, Files, string]>([
    [
      'a month between two rents',
      change('charges.csv', '10/14/2026,11/13/2026', '9/14/2026,10/13/2026'),
      'charges.csv, line 3, due_on: leaves the days from 2026-10-14 to 2026-11-13 without rent: ' +
        'give the rent of every period, at a price of 0 where none was charged.',
    ],
    [
      'the year through which rent is paid',
      change('ledgers.csv', '168,2026-11-29', '168,2027-11-29'),
      'ledgers.csv, line 3, paid_through: makes 2027-11-30 the next bill, more than two months from today: ' +
        'where that is right, give it as next_billing_on too.',
    ],
    [
      'the same, one too early',
      change('ledgers.csv', '168,2026-11-29', '168,2025-11-29'),
      'ledgers.csv, line 3, paid_through: makes 2025-11-30 the next bill, more than two months from today: ' +
        'where that is right, give it as next_billing_on too.',
    ],
    [
      'a rent with a zero too many in ledgers.csv',
      change('ledgers.csv', '$200.00', '$2000.00'),
      'charges.csv, line 3, price: is 200.00, and the rent of the rental is 2000.00: ' +
        'what is taken off a rent is its discount.',
    ],
    [
      'an old rent with a zero too many',
      {
        ...change('charges.csv', '11/13/2026,200.00', '11/13/2026,2000.00'),
        'payments.csv': sound['payments.csv']!.replace('200.00', '2000.00'),
      },
      'charges.csv, line 2, price: is 2000.00, and the rent of the rental is 200.00: ' +
        'what is taken off a rent is its discount.',
    ],
    [
      'the year of the move-in',
      change('ledgers.csv', '2025-01-31,168,2026-11-29', '2027-11-30,168,2027-11-29'),
      'ledgers.csv, line 3, moved_in_on: is more than half a year ahead: enter it in the office when it is nearer.',
    ],
    [
      'the year of a protection plan',
      change('insurance.csv', '2026-09-14', '2027-09-14'),
      'insurance.csv, line 2, starts_on: is more than half a year ahead: enter it in the office when it is nearer.',
    ],
    [
      'coverage and premium in each other’s columns',
      change('protection-plans.csv', '"5,000",14', '14,"5,000"'),
      'protection-plans.csv, line 2, premium: is more than the coverage.',
    ],
    [
      'the year of a consent to autopay',
      change('autopay.csv', '2026-01-31', '2027-01-31'),
      'autopay.csv, line 2, agreed_on: is in the future.',
    ],
    [
      'a tax with its point one place too far',
      {
        ...sound,
        'facilities.csv': sound['facilities.csv']!.replace('late_fee', 'rent_tax1').replace(
          '$15.00',
          '82.5%',
        ),
      },
      'facilities.csv, line 2, rent_tax1: must be from 0.00 to 30.00.',
    ],
  ])('%s is a fault', async (_, files, sentence) => {
    expect(faultsOf(await importInto(empty, files, true))).toContain(sentence);
  });

  test('a move-out and a coming rent are planned for half a year at most, and a rent is not tripled', async () => {
    const ledgers = (movedOut: string, rate: string) =>
      'facility,ledger_id,tenant_id,unit,moved_in_on,moved_out_on,rental_rate,paid_through,balance,scheduled_rate,scheduled_rate_on\n' +
      `TXDFW03,L2,T2,B207,2025-01-31,${movedOut},168,2026-11-29,0,${rate}\n`;
    const faults = async (movedOut: string, rate: string) =>
      faultsOf(await importInto(imported, { 'ledgers.csv': ledgers(movedOut, rate) }, true));
    const ahead = 'is more than half a year ahead: enter it in the office when it is nearer.';
    expect(await faults('2027-11-20', '1900,2027-12-30')).toEqual([
      `ledgers.csv, line 2, moved_out_on: ${ahead}`,
      `ledgers.csv, line 2, scheduled_rate_on: ${ahead}`,
      'ledgers.csv, line 2, scheduled_rate: is 1900.00, more than three times the rent.',
    ]);
    expect(await faults('2026-12-20', '190,2026-12-30')).toEqual([]);
  });

  test('a rental that is paid for a year says so twice', async () => {
    const paid = change('ledgers.csv', '168,2026-11-29,', '168,2027-11-29,2027-11-30');
    expect(faultsOf(await importInto(empty, paid, true))).toEqual([]);
  });

  test('what was exported is none', async () => {
    expect(faultsOf(await importInto(empty, await exported(imported), true))).toEqual([]);
  });
});
