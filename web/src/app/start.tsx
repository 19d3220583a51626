import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { rootOptions } from '#features/error-page/root-options.tsx';
import { App } from './app.tsx';
import { reportCaught } from './error-reporting.ts';
import { openFirstPage, shownRoute } from './first-page.ts';
import { readPlace } from './router.tsx';

/**
 * Starts the app in the page's HTML. The first page's module is waited for: a Suspense fallback on
 * the first paint would hold it back by 300 ms.
 */
export async function start(): Promise<void> {
  const { path, isAnswered } = await openFirstPage();
  const root = document.getElementById('root')!;
  const app = <App first={readPlace('back')} />;
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
    flushSync(() => hydrateRoot(root, app, rootOptions(reportCaught)));
  else createRoot(root, rootOptions(reportCaught)).render(app);
  delete root.dataset['screen'];
  globalThis.early?.begun();
}
