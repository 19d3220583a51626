import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { strayTexts } from './texts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What tenants read. The office, its calls, staff and the operator read English. */
const files = globSync(
  [
    'web/src/**/*.{ts,tsx}',
    'contract/src/*.ts',
    'server/src/{emails,papers}/*.ts',
    'server/src/features/{service/texts,desk/text-sending}/*.ts',
  ],
  { cwd: root },
)
  .filter((file) => !/\.(test|fixture|contract)\./.test(file))
  .sort();

/** What staff and the operator read or type, or what is no text. */
const english = [
  // The texts of an operator's own, and names of states, which have no Spanish.
  ...['web/src/brand/brand.ts', 'contract/src/states.ts'],
  // The calls and commands of staff.
  /^contract\/src\/(alarms|alarm-kinds|counter-.*|credits|drawers|endpoint|gate-code|journal|late-notices|lease-imports|moves|person-name|rentals|reports|saved-methods|staff-.*|tenant-(records|marks)|authorized-persons|insurance-proofs|unit-records)\.ts$/,
  // Mails and alarms to the operator and to staff.
  /^server\/src\/emails\/(alarm|morning|open-office)\.ts$/,
  'server/src/features/desk/text-sending/provider-alarm.ts',
  // The record of signatures is of the operator's document, whose text has no Spanish either.
  'server/src/papers/signed-document.ts',
];

/** Values that read like texts. */
const values = [
  // What travels: types of cards and accounts, names of headers.
  ...['Visa', 'Master Card', 'American Express', 'Discover'],
  ...['Business Checking', 'Consumer Checking', 'Consumer Savings'],
  ...['Authorization', 'Bearer [token]', '`Bearer ${session.token}`', '`Bearer ${token}`', 'Token'],
  'Bearer error="invalid_token"',
  // Examples on the page of the API.
  ...['Dana', 'Reyes', 'Dana Reyes', 'Azle', 'Fort Worth', 'Chrome on Android', 'Business Hours'],
  ...['Anchor & Axle', 'Anchor & Axle Eagle Mountain', 'Anchor & Axle Storage'],
  ...['Rental Agreement', 'Dana Reyes rents unit A101.'],
  ...['Rent 11/14/2026 - 12/13/2026', 'Rent 12/14/2026 - 1/13/2027'],
  'I agree that Anchor & Axle sends automated reminders … by text message to (817) 555-0142 …',
  // Groups of the cache, and what a dialog is opened for.
  ...['Autopay', 'Add', 'Update'],
  // Each language by its own name.
  ...['English', 'Español'],
  // What staff read of a request; tenants' words are in web/src/features/requests.
  ...['Contact information update', 'Maintenance request', 'Protection plan change'],
  ...['New', 'In progress', 'Done'],
  // The structure of a PDF.
  ...['Artifact', 'Column', 'Div', 'Document', 'Figure', 'Layout', 'Pagination', 'Row', 'Table'],
  // To Twilio.
  'The signature of the call is missing or wrong.',
];

// spec 10.72
test('every text that tenants read is in the catalogue', () => {
  const found = files
    .filter((file) => !english.some((one) => isOf(one, file)))
    .flatMap((file) =>
      strayTexts(file, readFileSync(join(root, file), 'utf8')).map((stray) => ({ file, ...stray })),
    );
  expect(found.filter(({ text }) => !values.includes(text))).toEqual([]);
});

describe('what is looked for', () => {
  const found = (code: string) => strayTexts('page.tsx', code).map(({ text }) => text);

  test('are words in an element, in an attribute and in code', () => {
    expect(
      found(`
        const a = <p title="Pay now">It is <b>due</b> today.</p>;
        const b = 'Please try again.', c = \`Pay \${sum} by \${day}.\`;
        throw new CallError('The server is away.');`),
    ).toEqual([
      ...['Pay now', 'It is', 'due', 'today.', 'Please try again.'],
      ...['`Pay ${sum} by ${day}.`', 'The server is away.'],
    ]);
  });

  test('is nothing of the catalogue, of code, or for programmers', () => {
    expect(
      found(`
        import { Card } from 'Some place';
        const a = <p className="Pay now" data-part="Pay now">{t('Pay now')} {rich('Pay {sum}', { sum })}</p>;
        if (kind === 'Pay now') throw new Error('This cannot be.');
        const b = { 'Pay now': 1 }, c = 'pay-now', d = names['Pay now'];
        type E = 'Pay now';`),
    ).toEqual([]);
  });
});

function isOf(one: string | RegExp, file: string): boolean {
  return typeof one === 'string' ? one === file : one.test(file);
}
