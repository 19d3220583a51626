import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCorporation, makeFacility, makeTenant } from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '../../test/app.ts';
import { expectSoundBooks } from '../../test/books.ts';
import { cliOf } from '../../test/cli.ts';
import { rentalsCommand } from './rentals.ts';

let api: TestApp;
let tenantId: string;
beforeAll(async () => {
  api = await openTestApp('empty_template', { clock: { now: () => new Date('2026-11-20T15:00:00Z') } });
  const corporation_id = await makeCorporation(api.owner);
  const settings = { billing_kind: 'first_of_month' as const, deposit_cents: 5000, move_out_proration: true };
  const facility_id = await makeFacility(api.owner, { corporation_id, ...settings });
  tenantId = await makeTenant(api.owner, { facility_id });
  for (const name of ['A101', 'B207'])
    await api.owner
      .insertInto('units')
      .values({ facility_id, name, width_feet: 12, length_feet: 40, type_name: 'RV' })
      .execute();
});
afterAll(() => api.close());

const cli = cliOf(() => api, rentalsCommand);

test('a rental from its quote to its move-out, by commands', async () => {
  const terms = ['--tenant', tenantId, '--unit', 'A101', '--on', '2026-11-20', '--rate', '300'];
  const quoted = 'Deposit: $50.00\nRent 11/20/2026 - 11/30/2026: $110.00\nIn all: $160.00';
  expect(await cli('quote', ...terms)).toBe(quoted);
  const { ledgers, total } = JSON.parse(await cli('move-in', ...terms, '--json')) as {
    ledgers: { ledgerId: string }[];
    total: number;
  };
  expect(total).toBe(160);
  const ledger = ['--ledger', ledgers[0]!.ledgerId];
  expect(await cli('overlock', ...ledger)).toBe('Unit A101 is locked by hand.');
  expect(await cli('release', ...ledger, '--dry-run')).toBe('Unit A101 would be released.');
  expect(await cli('release', ...ledger)).toBe('Unit A101 is released.');
  expect(await cli('rate', ...ledger, '--amount', '330', '--on', '2026-12-20')).toBe(
    'The rent of unit A101 changes from $300.00 to $330.00 with the bill of 1/1/2027, $330.00 in all.',
  );
  expect(await cli('rate', ...ledger, '--cancel', '--dry-run')).toBe(
    'The rent of unit A101 would stay $300.00: the change to $330.00 on 12/20/2026 would be cancelled.',
  );
  expect(await cli('rate', ...ledger, '--cancel')).toBe(
    'The rent of unit A101 stays $300.00: the change to $330.00 on 12/20/2026 is cancelled.',
  );
  await cli('transfer', ...ledger, '--unit', 'B207', '--on', '2026-12-20', '--rate', '330');
  expect(await cli('transfer', ...ledger, '--cancel')).toBe(
    'The transfer of unit A101 to unit B207 on 12/20/2026 is cancelled.\nThe rent of $330.00 that came with it is cancelled.',
  );
  expect(await cli('transfer', ...ledger, '--unit', 'B207', '--on', '2026-11-20')).toBe(
    'The rental of unit A101 is in unit B207 from today.',
  );
  expect(await cli('move-out', ...ledger, '--on', '2026-11-30')).toBe(
    'The rental of unit B207 ends on 11/30/2026. It is settled then, or once its bank debits have settled.',
  );
  expect(await cli('move-out', ...ledger, '--cancel')).toBe('The move-out of unit B207 is cancelled.');
  expect(await cli('move-out', ...ledger, '--on', '2026-11-20')).toBe(
    'Deposit given back: -$50.00\nNot rented any more: Rent 11/20/2026 - 11/30/2026: -$110.00\n' +
      'The rental of unit B207 ended on 11/20/2026 with a balance of $0.00.',
  );
  await expect(cli('move-out', ...ledger, '--on', '2026-11-20')).rejects.toThrow(
    'Unit B207 was moved out of on 2026-11-20 already.',
  );
  await expectSoundBooks(api.owner);
});
