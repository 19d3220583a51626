import { t } from '@gatehouse/language/t';
import type { FirstReads } from '#api/first-read.ts';
import { type LazyPart, lazyPart } from '#ui/lazy-part.tsx';

/**
 * A page of the portal, in one record: the build and the start of the page know of it from here
 * only.
 */
export type Route = {
  path: string;
  title: string;
  /** What the menu calls it, where that is not its title. */
  menuTitle?: string;
  /** Its file exports what the screen reads first too (docs/architecture.md, How a page starts). */
  Screen: LazyPart<object, { reads?: FirstReads }>;
  /**
   * Puts the screen into the page's HTML as it first paints: what it shows before any data may
   * depend on nothing but there being a session. The HTML of the other pages has their frame only.
   */
  prerender?: true;
};

/** The screens of the specification for visitors; a signed-in visitor is sent to `/`. */
export const visitorRoutes: Route[] = [
  {
    path: '/login',
    title: t('Sign in'),
    Screen: lazyPart(() => import('#screens/login.tsx')),
    prerender: true,
  },
  {
    path: '/register',
    title: t('Account Lookup'),
    Screen: lazyPart(() => import('#screens/register.tsx')),
  },
  {
    path: '/forgot-password',
    title: t('Account Lookup'),
    Screen: lazyPart(() => import('#screens/register.tsx')),
  },
];

/**
 * The screens for tenants, in the order of the menu, the specification's first; a signed-out
 * visitor is sent to `/login`.
 */
export const tenantRoutes: Route[] = [
  {
    path: '/',
    title: t('My Units'),
    Screen: lazyPart(() => import('#screens/my-units.tsx')),
    prerender: true,
  },
  {
    path: '/billing-info',
    title: t('Billing Info'),
    Screen: lazyPart(() => import('#screens/billing-info.tsx')),
    prerender: true,
  },
  {
    path: '/payment-history',
    title: t('Payment History'),
    Screen: lazyPart(() => import('#screens/payment-history.tsx')),
    prerender: true,
  },
  {
    path: '/profile',
    title: t('Profile'),
    Screen: lazyPart(() => import('#screens/profile.tsx')),
  },
  {
    path: '/maintenance-request',
    title: t('Maintenance Request'),
    Screen: lazyPart(() => import('#screens/maintenance-request.tsx')),
  },
  {
    path: '/schedule-move-out',
    title: t('Schedule Move-Out'),
    Screen: lazyPart(() => import('#screens/schedule-move-out.tsx')),
  },
  {
    path: '/account',
    title: t('Account Management'),
    menuTitle: t('Account'),
    Screen: lazyPart(() => import('#screens/account.tsx')),
  },
];

export function routeOf(path: string): Route | undefined {
  return [...visitorRoutes, ...tenantRoutes].find((route) => route.path === path);
}
