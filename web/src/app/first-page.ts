import { getSession } from '#session/session.ts';
import { routeOf, tenantRoutes, visitorRoutes } from './routes.ts';
import { SignedIn } from './signed-in-part.ts';

/**
 * Loads what the first paint needs, so that it renders without waiting. Mirrors the guards: a visitor gets `/login`,
 * a tenant on a visitor's page gets `/`. Answers the path of the screen that is ready; null where there is none or it
 * could not be loaded, which is left to the error page.
 */
export async function openFirstPage(): Promise<string | null> {
  const asked = routeOf(location.pathname.replace(/(.)\/+$/, '$1'));
  const isTenant = getSession() !== null;
  const leadsElsewhere = asked !== undefined && (isTenant ? visitorRoutes : tenantRoutes).includes(asked);
  if (leadsElsewhere && isTenant) history.replaceState(null, '', '/');
  const shown = leadsElsewhere ? routeOf(isTenant ? '/' : '/login') : asked;
  try {
    await Promise.all([isTenant && SignedIn.load(), shown?.Screen.load()]);
    return shown?.path ?? null;
  } catch {
    return null;
  }
}
