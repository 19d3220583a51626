import { expect, it } from 'vitest';
import { recordNames, recordsWithoutUnits, recordTitle } from './record-names.ts';

const ledgers = [
  { tenantId: 't1', unitName: 'A101' },
  { tenantId: 't2', unitName: 'D310' },
  { tenantId: 't1', unitName: 'B207' },
];
const tenants = [{ id: 't3', firstName: 'Reyes Marine', lastName: 'LLC' }];

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

it('titles a record by its units and its tenant, of many units by three', () => {
  const company = { id: 't2', firstName: 'Reyes', lastName: 'Marine LLC' };
  expect(recordTitle(company, ledgers)).toBe('D310, Reyes Marine LLC');
  expect(recordTitle({ ...company, id: 't3' }, ledgers)).toBe('Reyes Marine LLC');
  const fleet = ['B1', 'B2', 'B3', 'B4', 'B5'].map((unitName) => ({ tenantId: 't2', unitName }));
  expect(recordTitle(company, fleet)).toBe('B1, B2, B3, 2 more, Reyes Marine LLC');
});
