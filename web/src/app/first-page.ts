import { getSession } from '#session/session.ts';
import { routeOf, tenantRoutes, visitorRoutes } from './routes.ts';
import { readFirst, SignedIn } from './signed-in-part.ts';

/**
 * Loads what the first paint needs, so that it renders without waiting. Mirrors the guards: a visitor gets `/login`,
 * a tenant on a visitor's page gets `/`. Answers the path of the screen that is ready, with null where there is none or
 * it could not be loaded, which is left to the error page; and whether what it reads first is there too.
 */
export async function openFirstPage(): Promise<{ path: string | null; isAnswered: boolean }> {
  const asked = routeOf(location.pathname.replace(/(.)\/+$/, '$1'));
  const isTenant = getSession() !== null;
  const leadsElsewhere = asked !== undefined && (isTenant ? visitorRoutes : tenantRoutes).includes(asked);
  if (leadsElsewhere && isTenant) history.replaceState(null, '', '/');
  const shown = leadsElsewhere ? routeOf(isTenant ? '/' : '/login') : asked;
  try {
    const [isAnswered] = await Promise.all([
      isTenant && shown !== undefined && readFirst(shown.path),
      isTenant && SignedIn.load(),
      shown?.Screen.load(),
    ]);
    return { path: shown?.path ?? null, isAnswered };
  } catch {
    return { path: null, isAnswered: false };
  }
}
