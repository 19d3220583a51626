import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('rows are quoted, and what a spreadsheet would run as a formula is a text', () => {
  const rows = [{ name: '=HYPERLINK("http://x")', owed: -12.5, isLate: true, phone: null }];
  expect(toCsv(rows, { name: 'Tenant', owed: 'Owed', isLate: 'Late', phone: 'Phone' })).toBe(
    '"Tenant","Owed","Late","Phone"\r\n"\'=HYPERLINK(""http://x"")","-12.5","true",""',
  );
  for (const name of ['+1', '-1', '@x', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠x'])
    expect(toCsv([{ name }], { name: 'Tenant' })).toBe(`"Tenant"\r\n"'${name}"`);
});

test.each(['=1+1', '+1', '-1+1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '\0=1'])(
  'a text that begins as %j gets a quote before it',
  (text) => {
    expect(toCsv([{ text }], { text: 'Text' })).toBe(`"Text"\r\n"'${text}"`);
  },
);
