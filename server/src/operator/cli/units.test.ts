import { freeUnits, type FreeUnits } from '@gatehouse/contract/reports';
import { beforeAll, expect, test } from 'vitest';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { cliOf } from '#test/cli.ts';
import { addRows } from '#test/rows.ts';

const api = useTestApp('empty_template', {
  clock: { now: () => new Date('2026-11-20T15:00:00Z') },
});
beforeAll(async () => {
  const facility_id = await makeFacility(api.owner, { location_code: 'TXDFW03' });
  await makeFacility(api.owner, { location_code: 'AZPHX01' });
  const tenant_id = await makeTenant(api.owner, { facility_id });
  const rented = (name: string, days: { moved_in_on: string; moved_out_on: string | null }) =>
    makeLedger(api.owner, api.ctx.vault, {
      tenant_id,
      unit: { facility_id, name },
      rental_rate_cents: 17_500,
      ...days,
    });
  await rented('RENTED', { moved_in_on: '2026-01-01', moved_out_on: null });
  await rented('LEFT', { moved_in_on: '2026-01-01', moved_out_on: '2026-11-01' });
  await rented('LEAVES', { moved_in_on: '2026-01-01', moved_out_on: '2026-12-01' });
  await rented('COMES', { moved_in_on: '2026-12-01', moved_out_on: null });
  await addRows(api.owner, 'units', {
    facility_id,
    name: 'NEW',
    width_feet: 12,
    length_feet: 40,
    type_name: 'RV',
  });
});

const cli = cliOf(api, 'units');

test('units free lists what no rental has on the day or later, with its last rent', async () => {
  const lines = (await cli('free')).split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(lines.slice(2)).toEqual([
    ['location code', 'unit name', 'width feet', 'length feet', 'type name', 'last rate'],
    ['TXDFW03', 'LEFT', '12', '40', 'RV', '$175.00'],
    ['TXDFW03', 'NEW', '12', '40', 'RV', 'none'],
  ]);
  const later = JSON.parse(await cli('free', '--on', '2026-12-01', '--json')) as FreeUnits;
  expect(freeUnits.parse(later)).toEqual(later);
  expect(later.units.map(({ unitName }) => unitName)).toEqual(['LEAVES', 'LEFT', 'NEW']);
  expect(await cli('free', '--facility', 'AZPHX01')).toContain('units: none');
});
