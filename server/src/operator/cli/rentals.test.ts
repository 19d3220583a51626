import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCorporation, makeFacility, makeTenant } from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { cliOf } from '#test/cli.ts';
import { rentalsCommand } from './rentals.ts';

let api: TestApp;
let tenantId: string;
beforeAll(async () => {
  api = await openTestApp('empty_template', {
    clock: { now: () => new Date('2026-11-20T15:00:00Z') },
  });
  const corporation_id = await makeCorporation(api.owner);
  const settings = {
    billing_kind: 'first_of_month' as const,
    deposit_cents: 5000,
    move_out_proration: true,
  };
  const facility_id = await makeFacility(api.owner, { corporation_id, ...settings });
  tenantId = await makeTenant(api.owner, { facility_id });
  for (const name of ['A101', 'B207', 'C301'])
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
  const changed = 'changed. The tenant is mailed, without the code.';
  expect(await cli('change-code', ...ledger, '--dry-run')).toBe(
    `The gate code of unit A101 would be ${changed}`,
  );
  expect(await cli('change-code', ...ledger, '--gate-code', '7301#')).toBe(
    `The gate code of unit A101 is ${changed}\nThe gate code of unit A101 is 7301#`,
  );
  expect(await cli('rate', ...ledger, '--amount', '330', '--on', '2026-12-20')).toBe(
    'The rent of unit A101 changes from $300.00 to $330.00 with the bill of 1/1/2027, $330.00 in all.',
  );
  expect(await cli('rate', ...ledger, '--amount', '320', '--on', '2026-12-21')).toBe(
    'The rent of unit A101 changes from $300.00 to $320.00 with the bill of 1/1/2027, $320.00 in all.\n' +
      'The change to $330.00 on 12/20/2026 is replaced.',
  );
  await cli('rate', ...ledger, '--amount', '330', '--on', '2026-12-20');
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
    'The rental of unit A101 is in unit B207 from today.\n' +
      'The rent stays $300.00 a month. Nothing is charged or given back until the bill of 12/1/2026, which is $300.00.',
  );
  expect(await cli('move-out', ...ledger, '--on', '2026-11-30')).toBe(
    'The rental of unit B207 ends on 11/30/2026. It is settled then, or once its bank debits have settled.',
  );
  expect(await cli('move-out', ...ledger, '--cancel')).toBe(
    'The move-out of unit B207 is cancelled.',
  );
  expect(await cli('move-out', ...ledger, '--on', '2026-11-20')).toBe(
    'Deposit given back: -$50.00\nNot rented any more: Rent 11/20/2026 - 11/30/2026: -$110.00\n' +
      'The rental of unit B207 ended on 11/20/2026 with a balance of $0.00.',
  );
  await expect(cli('move-out', ...ledger, '--on', '2026-11-20')).rejects.toThrow(
    'Unit B207 was moved out of on 2026-11-20 already.',
  );
  await expectSoundBooks(api.owner);
});

test('a move-in prints the gate code, and rentals code prints it again; both are in the audit trail', async () => {
  const terms = ['--tenant', tenantId, '--unit', 'C301', '--on', '2026-11-20', '--rate', '300'];
  const code = ['--gate-code', '4821#', '--by', 'Ana'];
  expect(await cli('move-in', ...terms, ...code, '--dry-run')).not.toContain('4821#');
  expect(await cli('move-in', ...terms, ...code)).toContain(
    '\nThe gate code of unit C301 is 4821#',
  );
  const ledger = await rentalOf('C301');
  const shown = await cli('code', '--ledger', ledger, '--by', 'Ana', '--json');
  expect(JSON.parse(shown)).toEqual({ ledgerId: ledger, unitName: 'C301', gateCode: '4821#' });
  const events = await api.owner
    .selectFrom('audit_events')
    .select('details')
    .where('ledger_id', '=', ledger)
    .orderBy('position')
    .execute();
  expect(events.map(({ details }) => details?.['verb'])).toEqual([
    'rentals.moveIn',
    'rentals.code',
    'rentals.code',
  ]);
  const { answer } = await api.owner
    .selectFrom('staff_actions')
    .select('answer')
    .where('verb', '=', 'rentals.moveIn')
    .where('by_name', '=', 'Ana')
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(answer)).not.toContain('4821#');
  await expect(cli('code', '--ledger', randomUUID())).rejects.toThrow('There is no rental');
});

test('the same key again says that nothing was done', async () => {
  const order = ['overlock', '--ledger', await rentalOf('C301'), '--key', randomUUID()];
  expect(await cli(...order)).toBe('Unit C301 is locked by hand.');
  expect(await cli(...order)).toBe(
    'Unit C301 is locked by hand.\nThis was done before under the same key: nothing was done again.',
  );
});

test('an id that is none is refused with the option and where ids are printed', async () => {
  await expect(cli('overlock', '--ledger', 'C301')).rejects.toThrow(
    /option '--ledger <id>' argument 'C301' is invalid.*"tenants show" print them/,
  );
});

const rentalOf = async (unit: string) =>
  (
    await api.owner
      .selectFrom('ledgers as l')
      .innerJoin('units as u', 'u.id', 'l.unit_id')
      .select('l.id')
      .where('u.name', '=', unit)
      .executeTakeFirstOrThrow()
  ).id;
