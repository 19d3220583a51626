import { getDepositDay, getDeposits } from '@gatehouse/contract/office/reports';
import { expect, test } from 'vitest';
import { toCsv } from '#parts/csv.ts';
import { depositColumns, depositRows } from './deposit-rows.ts';

test('a day’s file has each drawer with what was taken and given back, and then what was posted', () => {
  const { facilities } = getDeposits.example;
  const takenBack = [{ type: 'cash' as const, reason: 'refund', count: 1, amount: 20 }];
  const day = { facilities: [{ ...facilities[0]!, takenBack }], day: getDepositDay.example };
  expect(toCsv(depositRows(day), depositColumns).split('\r\n')).toEqual([
    '"Facility","Part","Type","By","Payout","Count","Taken","Given back","Recorded by mistake","Expected","Counted","Over or short"',
    '"TXDFW03","Drawer","Cash","","","2","340","20","0","320","",""',
    '"TXDFW03","Taken","Cash","Counter","","2","320","","","","",""',
    '"TXDFW03","Given back","Cash","Refund","","1","","20","","","",""',
  ]);
});
