import { beginLoginForm } from '#screens/login-form.ts';
import { getSession, subscribe } from '#session/session.ts';
import { holdErrors, reportErrorsWhenIdle } from './error-reporting.ts';
import { hrefOfClick, wantedPage, writeEntry } from './navigation.ts';
import { whenIdle } from './when-idle.ts';

/**
 * The code of the sign-in page until its visitor has signed in: a few kB that make the form in its
 * HTML work. The app is loaded when the browser is idle, and renders into the same document.
 */

// The screen of the running app has its form's code from this chunk too.
const root = document.querySelector<HTMLElement>('[data-screen="/login"]');
const form = root?.querySelector('form');
if (root && form) takeOver(root, form);

function takeOver(root: HTMLElement, form: HTMLFormElement): void {
  holdErrors();
  // The HTML's own script leaves what is pressed to the page from now on.
  delete root.dataset['screen'];
  let isLeaving = false;
  const { ready } = beginLoginForm(form);
  const year = root.querySelector('[data-year]');
  if (year) year.textContent = String(new Date().getFullYear());
  subscribe(enter);
  enter();
  document.addEventListener('click', follow);
  reportErrorsWhenIdle();
  void ready.then(() => whenIdle(fetchApp));
  globalThis.early?.begun();

  /** Opens the wanted page once there is a session: of this form, or of another tab. */
  function enter(): void {
    if (getSession() === null || isLeaving) return;
    openPage(wantedPage(), true);
    globalThis.early?.sendReadsOf(location.pathname);
  }

  function follow(event: MouseEvent): void {
    const href = hrefOfClick(event);
    if (href === null || isLeaving) return;
    event.preventDefault();
    openPage(href, false);
  }

  /** Opens another page in the same document, with the app. */
  function openPage(href: string, replace: boolean): void {
    isLeaving = true;
    writeEntry(href, { replace });
    import('./start.tsx')
      .then(({ startInPlace }) => startInPlace())
      // The page says by itself that it cannot be loaded.
      .catch(() => location.reload());
  }
}

/** Fetches what is needed after signing in; a failure shows when it is needed. */
function fetchApp(): void {
  import('./start.tsx').then(
    ({ fetchPageAhead }) => fetchPageAhead(wantedPage()),
    () => {},
  );
}
