import { expect, it, vi } from 'vitest';

vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
const { planOf } = await import('./page-plan.ts');
const { routeOf } = await import('./routes.ts');

async function callsOf(path: string, side: 'visitor' | 'tenant'): Promise<string[]> {
  const { reads } = await routeOf(path)!.Screen.load();
  return planOf(side, reads).calls;
}

it('asks for the facilities on the sign-in page', async () => {
  expect(await callsOf('/login', 'visitor')).toEqual(['/api/corporations/ANCHOR/locations']);
});

it('asks on My Units for all of it at once', async () => {
  expect(await callsOf('/', 'tenant')).toEqual([
    '/api/corporations/ANCHOR/locations/:locationCode/tenants/:currentTenant/overview',
  ]);
});

it('asks on Payment History for the rentals of all tenant records at once', async () => {
  const prefix = '/api/corporations/ANCHOR/locations/:locationCode';
  expect(await callsOf('/payment-history', 'tenant')).toEqual([
    `${prefix}/tenants/:allTenants/ledgers`,
    prefix,
  ]);
});

it('asks for nothing on a page without first reads', () => {
  expect(planOf('tenant')).toEqual({ side: 'tenant', calls: [] });
});
