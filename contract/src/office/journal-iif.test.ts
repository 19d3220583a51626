import { expect, test } from 'vitest';
import type { JournalRow } from './journal.ts';
import { journalIif } from './journal-iif.ts';

const row = (account: JournalRow['account'], debit: number, credit: number): JournalRow => ({
  id: `2026-11-04 TXDFW03 ${account}`,
  day: '2026-11-04',
  locationCode: 'TXDFW03',
  account,
  number: '1',
  name: account === 'rent' ? 'Rent\t"all"' : account,
  debit,
  credit,
});

test('an IIF file has its accounts, and one general journal entry a day that comes to 0', () => {
  const lines = journalIif([row('receivable', 200, 50.5), row('rent', 0, 149.5)]).split('\r\n');
  expect(lines.slice(0, 3)).toEqual([
    '!ACCNT\tNAME\tACCNTTYPE\tACCNUM',
    'ACCNT\treceivable\tOCASSET\t1',
    'ACCNT\tRent all \tINC\t1',
  ]);
  const entries = lines.slice(3);
  expect(entries.filter((line) => line.startsWith('TRNS'))).toEqual([
    'TRNS\tGENERAL JOURNAL\t11/04/2026\treceivable\tTXDFW03\t200.00\t2026-11-04 TXDFW03\tGatehouse',
  ]);
  const amounts = entries
    .filter((line) => /^(TRNS|SPL)/.test(line))
    .map((line) => Number(line.split('\t')[5]));
  expect(amounts).toEqual([200, -50.5, -149.5]);
  expect(lines.slice(-2)).toEqual(['ENDTRNS', '']);
});
