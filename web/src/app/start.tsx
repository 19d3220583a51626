import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
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
  // that a first render does not have, as after the end of the session.
  if (hasScreen && (isInUse || !isAnswered)) flushSync(() => hydrateRoot(root, <App />));
  else createRoot(root).render(<App />);
  delete root.dataset['screen'];
  globalThis.early?.begun();
}

/** Starts the app in place of the sign-in page's HTML, on the page that the address names now. */
export async function startInPlace(): Promise<void> {
  await openWithSheet();
  expectArrival();
  flushSync(() => createRoot(document.getElementById('root')!).render(<App />));
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
