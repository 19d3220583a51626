import { type LazyPart, lazyPart } from './lazy-part.tsx';

type Route = { path: string; title: string; Screen: LazyPart };

/** The screens of spec section 2 for visitors; whoever is signed in is sent to `/`. */
export const visitorRoutes: Route[] = [
  { path: '/login', title: 'Sign in', Screen: lazyPart(() => import('#screens/login.tsx').then((m) => m.Login)) },
  {
    path: '/register',
    title: 'Account Lookup',
    Screen: lazyPart(() => import('#screens/register.tsx').then((m) => m.Register)),
  },
  {
    path: '/forgot-password',
    title: 'Account Lookup',
    Screen: lazyPart(() => import('#screens/register.tsx').then((m) => m.Register)),
  },
];

/** The screens of spec section 2 for tenants; whoever is signed out is sent to `/login`. */
export const tenantRoutes: Route[] = [
  { path: '/', title: 'My Units', Screen: lazyPart(() => import('#screens/my-units.tsx').then((m) => m.MyUnits)) },
  {
    path: '/billing-info',
    title: 'Billing Info',
    Screen: lazyPart(() => import('#screens/billing-info.tsx').then((m) => m.BillingInfo)),
  },
  {
    path: '/payment-history',
    title: 'Payment History',
    Screen: lazyPart(() => import('#screens/payment-history.tsx').then((m) => m.PaymentHistory)),
  },
  { path: '/profile', title: 'Profile', Screen: lazyPart(() => import('#screens/profile.tsx').then((m) => m.Profile)) },
  {
    path: '/maintenance-request',
    title: 'Maintenance Request',
    Screen: lazyPart(() => import('#screens/maintenance-request.tsx').then((m) => m.MaintenanceRequest)),
  },
  {
    path: '/schedule-move-out',
    title: 'Schedule Move-Out',
    Screen: lazyPart(() => import('#screens/schedule-move-out.tsx').then((m) => m.ScheduleMoveOut)),
  },
  {
    path: '/account',
    title: 'Account Management',
    Screen: lazyPart(() => import('#screens/account.tsx').then((m) => m.Account)),
  },
];

/** The menu (spec section 2): every tenant screen but `/account`, in the spec's order. */
export const menuRoutes = tenantRoutes.filter(({ path }) => path !== '/account');

export function routeOf(path: string): Route | undefined {
  return [...visitorRoutes, ...tenantRoutes].find((route) => route.path === path);
}
