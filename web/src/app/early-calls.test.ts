import { pathOf } from '@gatehouse/contract/endpoint';
import { listLocations } from '@gatehouse/contract/facilities';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { expect, it, vi } from 'vitest';

vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
vi.stubGlobal('addEventListener', () => {});
const { earlyCalls } = await import('./early-calls.ts');

it('asks for the facilities on the sign-in page, by the URL that the screen asks', () => {
  expect(earlyCalls['/login']).toEqual([`/api${pathOf(listLocations.path, { corp: 'ANCHOR' })}`]);
});

it('asks on My Units for all that needs no rental', () => {
  const prefix = '/api/corporations/ANCHOR/locations/:locationCode';
  expect(earlyCalls['/']).toEqual([
    `${prefix}/tenants/:currentTenant/ledgers`,
    prefix,
    `${prefix}/tenants/:currentTenant/autopays`,
    `${prefix}/tenants/:currentTenant/files`,
    `${prefix}/tenants/:currentTenant`,
  ]);
});

it('asks on Payment History for the rentals of all tenant records at once', () => {
  const params = { corp: 'ANCHOR', locationCode: ':locationCode', tenantIds: ':allTenants' };
  const url = `/api${pathOf(listLedgers.path, params)}`.replaceAll('%3A', ':');
  expect(earlyCalls['/payment-history']).toContain(url);
});
