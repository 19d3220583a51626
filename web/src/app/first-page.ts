import { getSession } from '#session/session.ts';
import { routeOf, tenantRoutes, visitorRoutes } from './routes.ts';
import { SignedIn } from './signed-in-part.ts';

/**
 * Loads what the first paint needs, so that it renders without waiting. Mirrors the guards: a visitor gets `/login`,
 * a tenant on a visitor's page gets `/`. A failure to load is left to the error page.
 */
export async function openFirstPage(): Promise<void> {
  const asked = routeOf(location.pathname.replace(/(.)\/+$/, '$1'));
  if (getSession() === null) {
    const shown = asked && tenantRoutes.includes(asked) ? routeOf('/login') : asked;
    await shown?.Screen.load().catch(() => {});
    return;
  }
  const isVisitors = asked !== undefined && visitorRoutes.includes(asked);
  if (isVisitors) history.replaceState(null, '', '/');
  const shown = isVisitors ? routeOf('/') : asked;
  await Promise.allSettled([SignedIn.load(), shown?.Screen.load()]);
}
