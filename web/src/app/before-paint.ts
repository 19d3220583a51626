import { idLists } from '@gatehouse/contract/id-lists';
import { LANGUAGE_HEADER } from '@gatehouse/language/header';
import { language } from '@gatehouse/language/language';
import type { Answer } from '#api/call.ts';
import type { Early } from '#api/early.ts';
import { PROOF_HEADER, prove } from '#session/proof.ts';
import { STORAGE_KEY } from '#session/storage-key.ts';

/**
 * The HTML's own script: runs before the page is painted and before any module is here. It leaves a
 * page that the guards would leave, so that a wrong one is never shown, and sends the first reads.
 * The guards (frames.tsx) decide in the end: what this cannot be sure of, it leaves to them.
 */

/**
 * Whose page it is, and the URLs of its first reads with `:locationCode`, `:currentTenant` and
 * `:allTenants`, the first list of them, to fill in.
 */
export type PagePlan = { side: 'visitor' | 'tenant'; calls: string[] };

/** Every page of the route table by its path; put in by the build (vite-prerender.ts). */
declare const __PAGE_PLANS__: Record<string, PagePlan>;

/** What of a session is needed here. It is checked when the app reads it (session/session.ts). */
type Stored = {
  token: string;
  tenants: { id: string }[];
  currentTenantId: string;
  locationCode: string;
};

const early: Early = (globalThis.early = {
  authorization: null,
  answers: new Map(),
  pressed: null,
  begun,
});
/** After that the code is not to be expected any more: it has a tenth of that time on a phone. */
const LATE_MS = 20_000;
const path = location.pathname.replace(/(.)\/+$/, '$1');
const plan = __PAGE_PLANS__[path];
if (plan !== undefined) begin(plan);

// What is pressed before the app is there is pressed again when it is (start.tsx). A form would be
// sent by the browser.
addEventListener('click', ({ target }) => {
  if (isWaiting() && target instanceof Element) early.pressed = target.closest('button');
});
addEventListener('submit', (event) => {
  if (isWaiting()) event.preventDefault();
});

// Where the page's code does not come, the page is loaded once more; then it says so and offers a
// reload.
const late = setTimeout(showNotice, LATE_MS);
let reloading: ReturnType<typeof setTimeout> | undefined;
addEventListener('error', noticeFailure, true);

/** By a reload, because Chromium and older browsers keep the failure of a module until then. */
function noticeFailure({ target }: Event): void {
  if (!(target instanceof HTMLScriptElement)) return;
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // What is typed would be lost; and without a connection the page itself.
  if (page?.type !== 'navigate' || !navigator.onLine || isInUse()) showNotice();
  else reloading ??= setTimeout(() => (isInUse() ? showNotice() : reload()), 1000);
}

function isInUse(): boolean {
  return document.querySelector(':focus') !== null;
}

/** The notice that the build puts into each page (prerender.tsx). */
function showNotice(): void {
  const notice = document.getElementById('notice');
  if (notice === null) return;
  notice.hidden = false;
  notice.querySelector('button')?.addEventListener('click', reload);
}

function reload(): void {
  location.reload();
}

function begun(): void {
  clearTimeout(late);
  clearTimeout(reloading);
  removeEventListener('error', noticeFailure, true);
  document.getElementById('notice')?.remove();
  early.pressed?.click();
}

function begin({ side, calls }: PagePlan): void {
  const text = readStorage();
  const session = typeof text === 'string' ? sessionOf(text) : null;
  if (side === 'visitor') {
    if (session === null) {
      // One line in place of the picker, from the first paint (location-fields.tsx).
      if (text?.includes('locationCode":"'))
        document.documentElement.classList.add('known-location');
      sendAfterPaint(calls, null);
    } else leave(() => location.replace('/'));
  } else if (session !== null) {
    // A line that names the record has room from the first paint (layout.tsx).
    if (session.tenants.length > 1) document.documentElement.classList.add('several-records');
    sendAfterPaint(calls, session);
  } else if (text !== undefined) {
    // Reloaded instead of navigated to: a history entry keeps its state, which says where to go
    // after signing in.
    history.replaceState({ state: path + location.search + location.hash, key: '' }, '', '/login');
    leave(() => location.reload());
  }
}

/**
 * What the page itself needs goes first, and the paint waits for nothing. The answers come long
 * before the app does.
 */
function sendAfterPaint(urls: string[], session: Stored | null): void {
  requestAnimationFrame(() => setTimeout(() => isWaiting() && send(urls, session)));
}

/** Whether the page is in sight and the app has not gone on with it yet. */
function isWaiting(): boolean {
  return document.querySelector('[data-screen]') !== null;
}

/** Goes on to another document; this one is not shown in the meantime. */
function leave(go: () => void): void {
  document.documentElement.hidden = true;
  go();
}

/** Sends the reads as `call` does; the app takes their answers (api/early.ts). */
function send(urls: string[], session: Stored | null): void {
  const authorization = session && `Bearer ${session.token}`;
  early.authorization = authorization;
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(authorization && { Authorization: authorization }),
  };
  if (language() === 'es') headers[LANGUAGE_HEADER] = 'es';
  const proven = session === null ? Promise.resolve(undefined) : prove(session.token);
  for (const template of urls) {
    const url = session === null ? template : fill(template, session);
    const answer = proven
      .then((proof) =>
        fetch(url, {
          headers: { ...headers, ...(proof && { [PROOF_HEADER]: proof }) },
          cache: 'no-store',
          credentials: 'omit',
          signal: AbortSignal.timeout(LATE_MS),
        }),
      )
      .then(readWhole);
    early.answers.set(url, answer);
    // The consumer handles a failure; an answer without a consumer needs no handling.
    answer.catch(() => {});
  }
}

async function readWhole(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text: () => Promise.resolve(text) };
}

function fill(template: string, { tenants, currentTenantId, locationCode }: Stored): string {
  return template
    .replace(':locationCode', encodeURIComponent(locationCode))
    .replace(':currentTenant', currentTenantId)
    .replace(':allTenants', idLists(tenants.map(({ id }) => id))[0]!);
}

/** What is stored; null where nothing is, undefined where storage is blocked. */
function readStorage(): string | null | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return undefined;
  }
}

function sessionOf(text: string): Stored | null {
  try {
    const stored = JSON.parse(text) as Partial<Stored> | null;
    const { token, tenants, currentTenantId, locationCode } = stored ?? {};
    return token && tenants?.length && currentTenantId && locationCode
      ? { token, tenants, currentTenantId, locationCode }
      : null;
  } catch {
    return null;
  }
}
