import { journalAccounts, type JournalRow } from './journal.ts';

/**
 * A journal as an IIF file of QuickBooks Desktop: its accounts, and one general journal entry a day
 * and facility, which is the entry's class. A debit is above 0, a credit below; dates are month,
 * day and year. Columns as Intuit's reference of transactions has them.
 */
export function journalIif(rows: JournalRow[]): string {
  const line = (...cells: (string | number)[]) => cells.map(plain).join('\t');
  const accounts = new Map(rows.map((row) => [row.account, row]));
  const entries = Map.groupBy(rows, ({ day, locationCode }) => `${day} ${locationCode}`);
  return [
    line('!ACCNT', 'NAME', 'ACCNTTYPE', 'ACCNUM'),
    ...[...accounts.values()].map(({ account, name, number }) =>
      line('ACCNT', name, journalAccounts[account].type, number),
    ),
    line('!TRNS', 'TRNSTYPE', 'DATE', 'ACCNT', 'CLASS', 'AMOUNT', 'DOCNUM', 'MEMO'),
    line('!SPL', 'TRNSTYPE', 'DATE', 'ACCNT', 'CLASS', 'AMOUNT', 'DOCNUM', 'MEMO'),
    '!ENDTRNS',
    ...[...entries].flatMap(([number, entry]) => [
      ...entry.flatMap(sides).map(({ day, name, locationCode, amount }, index) => {
        const [year, month, date] = day.split('-');
        const at = `${month}/${date}/${year}`;
        const kind = index === 0 ? 'TRNS' : 'SPL';
        const type = 'GENERAL JOURNAL';
        return line(kind, type, at, name, locationCode, amount.toFixed(2), number, 'Gatehouse');
      }),
      'ENDTRNS',
    ]),
    '',
  ].join('\r\n');
}

/** Debit and credit of an account are a line each. */
function sides(row: JournalRow): (JournalRow & { amount: number })[] {
  return [row.debit, -row.credit]
    .filter((amount) => amount !== 0)
    .map((amount) => ({ ...row, amount }));
}

/** No cell may end its cell or line. */
function plain(cell: string | number): string {
  return String(cell).replace(/[\t\r\n"]+/g, ' ');
}
