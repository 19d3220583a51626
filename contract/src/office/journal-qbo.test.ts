import fc from 'fast-check';
import { expect, test } from 'vitest';
import { journalAccounts, type JournalAccount, type JournalRow } from './journal.ts';
import { journalQbo } from './journal-qbo.ts';

const row = (
  account: JournalAccount,
  debit: number,
  credit: number,
  day = '2026-11-04',
): JournalRow => ({
  ...{ id: `${day} TXDFW03 ${account}`, day, locationCode: 'TXDFW03', account, number: '1' },
  ...{ name: account === 'rent' ? 'Rent, "all"' : account, debit, credit },
});

/** The cells of each row of a file, without its head. */
const cellsOf = (file: string) =>
  file
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.slice(1, -1).split('","'));
const cents = (text: string) => Math.round(Number(text) * 100);

test('a file for QuickBooks Online has an entry a day and facility, of a debit or a credit a row', () => {
  const [file, ...others] = journalQbo([row('receivable', 200, 50.5), row('rent', 0, 149.5)]);
  expect(others).toEqual([]);
  expect(file!.split('\r\n')).toEqual([
    '*JournalNo,*JournalDate,*AccountName,*Debits,*Credits,Description,Name,Currency,Location,Class',
    '"2026-11-04 TXDFW03","11/04/2026","receivable","200.00","","Gatehouse","","USD","TXDFW03",""',
    '"2026-11-04 TXDFW03","11/04/2026","receivable","","50.50","Gatehouse","","USD","TXDFW03",""',
    '"2026-11-04 TXDFW03","11/04/2026","Rent, ""all""","","149.50","Gatehouse","","USD","TXDFW03",""',
    '',
  ]);
});

test('the files come to the journal’s cents, each with whole entries that balance and at most 1,000 rows', () => {
  const accounts = (Object.keys(journalAccounts) as JournalAccount[]).filter(
    (account) => account !== 'rent' && account !== 'bank',
  );
  const days = fc.array(
    fc.array(fc.integer({ min: -1e7, max: 1e7 }), { minLength: 1, maxLength: accounts.length }),
    { maxLength: 120, size: 'max' },
  );
  fc.assert(
    fc.property(days, (sums) => {
      const rows = sums.flatMap((all, index) => {
        const day = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
        const sides = (each: number): [number, number] =>
          each > 0 ? [each / 100, 0] : [0, -each / 100];
        const rest = -all.reduce((sum, each) => sum + each, 0);
        return [
          ...all.map((each, nth) => row(accounts[nth]!, ...sides(each), day)),
          row('bank', ...sides(rest), day),
        ];
      });
      const files = journalQbo(rows).map(cellsOf);
      expect(files.length > 1).toBe(files.flat().length > 1000);
      for (const file of files) {
        expect(file.length).toBeLessThanOrEqual(1000);
        for (const entry of Map.groupBy(file, ([number]) => number).values())
          expect(entry.reduce((sum, cells) => sum + cents(cells[3]!) - cents(cells[4]!), 0)).toBe(
            0,
          );
      }
      const debits = files.flat().reduce((sum, cells) => sum + cents(cells[3]!), 0);
      expect(debits).toBe(rows.reduce((sum, { debit }) => sum + Math.round(debit * 100), 0));
      const numbers = files.flatMap((file) => [...new Set(file.map(([number]) => number))]);
      expect(new Set(numbers).size).toBe(numbers.length);
    }),
    { examples: [[Array.from({ length: 120 }, () => accounts.map(() => 1))]] },
  );
});
