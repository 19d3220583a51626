import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { rootOptions } from '#features/error-page/root-options.tsx';
import { App } from './app.tsx';
import { reportCaught } from './error-reporting.ts';
import { openFirstPage, shownRoute } from './first-page.ts';
import { expectArrival } from './page.tsx';
import { routeOf } from './routes.ts';
import { SignedIn } from './signed-in-part.ts';

/**
 * Starts the app in the page's HTML. The first page's module is waited for: a Suspense fallback on
 * the first paint would hold it back by 300 ms.
 */
export async function start(): Promise<void> {
  const [{ path, isAnswered }] = await openWithSheet();
  const root = document.getElementById('root')!;
  const isInUse = root.contains(document.activeElement) || Boolean(globalThis.early?.pressed);
  // The session may have ended since that was loaded: what leads to the sign-in page replaces all.
  const hasScreen = root.dataset['screen'] === path && shownRoute()?.path === path;
  // The HTML has that very screen: it is hydrated, and what was typed into it stays. But with
  // its data here most of it would be replaced at once: unless the visitor is in it already, it is
  // rendered from scratch, in half the time. At once, because React removes nothing of the HTML
  // that a first render does not have, as after the end of the session. From scratch it is also
  // where the browser has translated the HTML already: that is not what React expects.
  const isTranslated = root.querySelector('* > font') !== null;
  if (hasScreen && (isInUse || !isAnswered) && !isTranslated)
    flushSync(() => hydrateRoot(root, <App />, rootOptions(reportCaught)));
  else createRoot(root, rootOptions(reportCaught)).render(<App />);
  delete root.dataset['screen'];
  globalThis.early?.begun();
}

/** Starts the app in place of the sign-in page's HTML, on the page that the address names now. */
export async function startInPlace(): Promise<void> {
  await openWithSheet();
  expectArrival();
  const root = createRoot(document.getElementById('root')!, rootOptions(reportCaught));
  flushSync(() => root.render(<App />));
  scrollTo(0, 0);
}

function openWithSheet() {
  return Promise.all([openFirstPage(), globalThis.early?.loadSheet()]);
}

/** Loads what a page needs after signing in. */
export function fetchPageAhead(href: string): void {
  const { pathname } = new URL(href, location.origin);
  void globalThis.early?.loadSheet();
  for (const part of [SignedIn, routeOf(pathname)?.Screen]) part?.fetchAhead();
}
