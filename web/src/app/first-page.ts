import { getSession } from '#session/session.ts';
import { type Route, routeOf, tenantRoutes, visitorRoutes } from './routes.ts';
import { SignedIn } from './signed-in-part.ts';

/**
 * The route whose screen the guards show now: a visitor gets `/login`, a tenant on a visitor's page
 * gets `/`.
 */
export function shownRoute(): Route | undefined {
  const asked = askedRoute();
  const isTenant = getSession() !== null;
  const leadsElsewhere =
    asked !== undefined && (isTenant ? visitorRoutes : tenantRoutes).includes(asked);
  return leadsElsewhere ? routeOf(isTenant ? '/' : '/login') : asked;
}

/**
 * Loads what the first paint needs, so that it renders without waiting. Answers the path of the
 * screen that is ready, with null where there is none or it could not be loaded, which is left to
 * the error page; and whether what it reads first is there too.
 */
export async function openFirstPage(): Promise<{ path: string | null; isAnswered: boolean }> {
  const isTenant = getSession() !== null;
  const shown = shownRoute();
  if (isTenant && shown !== askedRoute()) history.replaceState(null, '', '/');
  try {
    const [screen] = await Promise.all([shown?.Screen.load(), isTenant && SignedIn.load()]);
    if (!isTenant) return { path: shown?.path ?? null, isAnswered: false };
    // In the chunk of the signed-in part, which is loaded.
    const { readFirst } = await import('./first-reads.ts');
    return { path: shown?.path ?? null, isAnswered: await readFirst(screen?.reads) };
  } catch {
    return { path: null, isAnswered: false };
  }
}

function askedRoute(): Route | undefined {
  return routeOf(location.pathname.replace(/(.)\/+$/, '$1'));
}
