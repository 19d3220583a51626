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
    if (!isTenant) {
      await shown?.Screen.load();
      return { path: shown?.path ?? null, isAnswered: false };
    }
    const answered = await beginPage(shown);
    return { path: shown?.path ?? null, isAnswered: await isSettled(answered.reads) };
  } catch {
    return { path: null, isAnswered: false };
  }
}

/**
 * Loads the code of a tenant's page, and then begins its first reads; `reads` settles when they are
 * in the cache. Rejects where code does not come.
 */
export async function beginPage(route: Route | undefined): Promise<{ reads: Promise<void> }> {
  const [screen] = await Promise.all([route?.Screen.load(), SignedIn.load()]);
  // In the chunk of the signed-in part, which is loaded.
  const { readFirst } = await import('./first-reads.ts');
  return { reads: readFirst(screen?.reads) };
}

function askedRoute(): Route | undefined {
  return routeOf(location.pathname.replace(/(.)\/+$/, '$1'));
}

/** Whether nothing has to be waited for: what is here already takes no task of its own. */
function isSettled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 0, false)),
  ]);
}
