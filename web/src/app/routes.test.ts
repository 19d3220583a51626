import { expect, it } from 'vitest';
import { routeOf, tenantRoutes, visitorRoutes } from './routes.ts';

// spec 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9, 6.2
it('has every route of the specification, each on its side of the guards', () => {
  expect(visitorRoutes.map(({ path }) => path)).toEqual([
    '/login',
    '/register',
    '/forgot-password',
  ]);
  const ofTenants = [
    '/',
    '/account',
    '/billing-info',
    '/maintenance-request',
    '/payment-history',
    '/profile',
    '/schedule-move-out',
  ];
  expect(tenantRoutes.map(({ path }) => path)).toEqual(expect.arrayContaining(ofTenants));
});

// spec 2.15
it("lists the menu's items in the spec's words and order", () => {
  expect(tenantRoutes.map(({ title }) => title).slice(0, 6)).toEqual([
    'My Units',
    'Billing Info',
    'Payment History',
    'Profile',
    'Maintenance Request',
    'Schedule Move-Out',
  ]);
});

it('knows no other path', () => {
  expect(routeOf('/billing-info')?.title).toBe('Billing Info');
  expect(routeOf('/billing')).toBeUndefined();
  expect(routeOf('')).toBeUndefined();
});
