import { expect, it } from 'vitest';
import { recordNames, recordsWithoutUnits, recordTitles } from './record-names.ts';

const ledgers = [
  { tenantId: 't1', unitName: 'A101' },
  { tenantId: 't2', unitName: 'D310' },
  { tenantId: 't1', unitName: 'B207' },
];
const tenants = [{ id: 't3', company: 'Reyes Marine LLC', firstName: 'Dana', lastName: 'Reyes' }];

// spec 2.93
it('names a tenant record by its units, and by the tenant where it has none', () => {
  expect(recordNames(['t1', 't2', 't3'], ledgers, tenants)).toEqual([
    { id: 't1', name: 'A101, B207' },
    { id: 't2', name: 'D310' },
    { id: 't3', name: 'Reyes Marine LLC' },
  ]);
});

it('knows the records that no unit can name', () => {
  expect(recordsWithoutUnits(['t1', 't2', 't3'], ledgers)).toEqual(['t3']);
  expect(recordsWithoutUnits(['t1'], ledgers)).toEqual([]);
});

it('titles a record by its tenant, and records of one name by their units too, of many by three', () => {
  const dana = { id: 't1', company: null, firstName: 'Dana', lastName: 'Reyes' };
  const company = { id: 't2', company: 'Reyes Marine LLC', firstName: 'Dana', lastName: 'Reyes' };
  expect(recordTitles([dana, company], ledgers)).toEqual([
    { id: 't1', title: 'Dana Reyes' },
    { id: 't2', title: 'Reyes Marine LLC' },
  ]);
  const fleet = ['B1', 'B2', 'B3', 'B4', 'B5'].map((unitName) => ({ tenantId: 't9', unitName }));
  expect(
    recordTitles([dana, { ...dana, id: 't9' }, { ...dana, id: 't8' }], [...ledgers, ...fleet]).map(
      ({ title }) => title,
    ),
  ).toEqual(['Dana Reyes, A101, B207', 'Dana Reyes, B1, B2, B3, 2 more', 'Dana Reyes']);
});
