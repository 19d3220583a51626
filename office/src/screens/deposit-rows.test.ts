import { expect, test } from 'vitest';
import { toCsv } from '#parts/csv.ts';
import { depositColumns, depositRows } from './deposit-rows.ts';

test('a day’s file has each drawer with what was taken and given back, and then what was posted', () => {
  const facility = {
    locationCode: 'TXDFW03',
    takings: [
      { type: 'cash' as const, via: 'counter' as const, payout: null, count: 2, amount: 320 },
    ],
    takenBack: [{ type: 'cash' as const, reason: 'refund', count: 1, amount: 20 }],
    taken: 320,
    back: 0,
  };
  const cash = {
    type: 'cash' as const,
    count: 2,
    taken: 340,
    back: 20,
    mistaken: 0,
    expected: 320,
  };
  const drawer = {
    locationCode: 'TXDFW03',
    lines: [{ ...cash, counted: null, difference: null }],
    takers: [{ by: 'Ana Flores', count: 2, amount: 340 }],
    closing: null,
    refusal: null,
  };
  const day = { facilities: [facility], day: { drawers: [drawer] } };
  expect(toCsv(depositRows(day), depositColumns).split('\r\n')).toEqual([
    '"Facility","Part","Type","By","Payout","Count","Taken","Given back","Recorded by mistake","Expected","Counted","Over or short"',
    '"TXDFW03","Drawer","Cash","","","2","340","20","0","320","",""',
    '"TXDFW03","Taken","Cash","Counter","","2","320","","","","",""',
    '"TXDFW03","Given back","Cash","Refund","","1","","20","","","",""',
  ]);
});
