import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '@gatehouse/contract/dates';
import { csvLine } from '@gatehouse/server/src/operator/imports/cells.ts';

const PER_FACILITY = 500;
const FIRST_DUE = '2025-12-01';

/**
 * Writes the files of an import: so many rentals in facilities of 500, a tenant each, and of every
 * rental `months` periods of rent, all paid but the last of every tenth. Answers how many rows.
 */
export async function writeCsvWorld(
  folder: string,
  ledgers: number,
  months: number,
): Promise<number> {
  let rows = 0;
  const write = async (name: string, header: string, lines: Iterable<(string | null)[]>) => {
    const file = createWriteStream(join(folder, name));
    await put(file, csvLine(header.split(' ')));
    for (const line of lines) {
      rows += 1;
      await put(file, csvLine(line));
    }
    file.end();
    await once(file, 'close');
  };
  const facilities = Math.ceil(ledgers / PER_FACILITY);
  const location = (n: number) => `CSV${String(Math.floor(n / PER_FACILITY) + 1).padStart(4, '0')}`;
  const rate = (n: number) => 15_000 + (n % 100) * 100;
  const isOwing = (n: number) => n % 10 === 0;
  const dues = Array.from({ length: months + 1 }, (_, month) => addDays(FIRST_DUE, month * 28));
  const end = (month: number) => addDays(dues[month + 1]!, -1);

  await write('corporation.csv', 'code name', [['ANCHOR', 'Anchor & Axle RV & Boat Storage']]);
  await write(
    'facilities.csv',
    'facility name street1 city region postal_code time_zone billing_kind',
    each(facilities, (n) => [
      ...[
        location(n * PER_FACILITY),
        `Facility ${n}`,
        '4100 Marina Drive',
        'Fort Worth',
        'TX',
        '76135',
      ],
      ...['America/Chicago', 'twenty_eight_days'],
    ]),
  );
  await write(
    'units.csv',
    'facility unit width_feet length_feet unit_type',
    each(ledgers, (n) => [location(n), `U${n % PER_FACILITY}`, '12', '40', 'RV']),
  );
  await write(
    'tenants.csv',
    'facility tenant_id first_name last_name email phone street1 city region postal_code',
    each(ledgers, (n) => [
      ...[
        location(n),
        `T-${n}`,
        'Dana',
        `Reyes ${n}`,
        `tenant-${n}@example.com`,
        '(817) 555-0142',
        '18 Heron Lane',
      ],
      ...['Azle', 'TX', '76020'],
    ]),
  );
  await write(
    'ledgers.csv',
    'facility ledger_id tenant_id unit moved_in_on rental_rate paid_through balance',
    each(ledgers, (n) => [
      ...[location(n), `L-${n}`, `T-${n}`, `U${n % PER_FACILITY}`, FIRST_DUE, dollars(rate(n))],
      ...(isOwing(n)
        ? [addDays(dues[months - 1]!, -1), dollars(rate(n))]
        : [end(months - 1), '0.00']),
    ]),
  );
  await write(
    'charges.csv',
    'facility charge_id ledger_id category description due_on period_end price',
    each(ledgers * months, (index) => {
      const [n, month] = [Math.floor(index / months), index % months];
      return [
        ...[
          location(n),
          `C-${n}-${month}`,
          `L-${n}`,
          'rent',
          `Rent ${dues[month]}`,
          dues[month]!,
          end(month),
        ],
        dollars(rate(n)),
      ];
    }),
  );
  await write(
    'payments.csv',
    'facility payment_id ledger_id paid_on amount description',
    each(ledgers * months, (index) => {
      const [n, month] = [Math.floor(index / months), index % months];
      if (isOwing(n) && month === months - 1) return null;
      return [
        location(n),
        `P-${n}-${month}`,
        `L-${n}`,
        dues[month]!,
        dollars(rate(n)),
        'Visa ending in 4242',
      ];
    }),
  );
  return rows;
}

async function put(file: WriteStream, text: string): Promise<void> {
  if (!file.write(text)) await once(file, 'drain');
}

function* each(
  count: number,
  line: (n: number) => (string | null)[] | null,
): Generator<(string | null)[]> {
  for (let n = 0; n < count; n += 1) {
    const cells = line(n);
    if (cells !== null) yield cells;
  }
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
