import { hasPass } from '#features/gate-access/pass-store.ts';

/**
 * The service worker of a phone that keeps a gate pass. Its rules:
 *
 * 1. It stores the page of the pass with its code, style and font, of one version: never an answer
 *    of the API, never another page.
 * 2. Every page comes from the network. Where the network fails, the page of the pass is shown in
 *    its place; so it is where `/` is opened and no answer has begun within a second, because at a
 *    gate there may be a signal that carries nothing.
 * 3. A new version is stored whole before the old one goes; where that fails, as where the servers
 *    are replaced one after another and one of the old answers, the old one stays, and the browser
 *    tries again later.
 * 4. Any message makes it store what is missing; My Units sends one at each visit.
 */

/** The page and its files, each with its hash; put in by the build. */
declare const __GATE_FILES__: Record<string, string>;
/** The paths of the portal's pages. */
declare const __PAGES__: string[];
/** Changes with any byte of the files. */
declare const __VERSION__: string;

/** What is used of a service worker's scope, whose types cannot be next to those of a page. */
type Extendable = Event & { waitUntil(done: Promise<unknown>): void };
type Fetch = Event & {
  request: Request;
  /** Absent where the browser preloads nothing. */
  preloadResponse?: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
};
type Scope = {
  registration: { navigationPreload?: { enable(): Promise<void> } };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: 'install' | 'activate' | 'message',
    listener: (event: Extendable) => void,
  ): void;
  addEventListener(type: 'fetch', listener: (event: Fetch) => void): void;
};
const scope = globalThis as unknown as Scope;

const CACHE = `gate-${__VERSION__}`;
/** Each cache has the pages of one language, so that the `Vary` of an answer does not matter. */
const stored = { ignoreVary: true };
const GATE_PAGE = '/gate';
/** A cheap phone on a slow link has the first byte of a page within this time. */
const LATE_MS = 900;

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) => event.waitUntil(activate()));
scope.addEventListener('message', (event) => event.waitUntil(storeAgain()));
scope.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname, search } = new URL(url);
  if (method !== 'GET' || origin !== location.origin) return;
  if (mode === 'navigate' && __PAGES__.includes(pathname))
    event.respondWith(openPage(event, pathname === '/' && search === ''));
  else if (mode !== 'navigate' && pathname in __GATE_FILES__)
    event.respondWith(openFile(event.request));
});

async function install(): Promise<void> {
  await store();
  await scope.skipWaiting();
}

/** All files of this build, or none. */
async function store(): Promise<void> {
  const cache = await caches.open(CACHE);
  const files = Object.entries(__GATE_FILES__);
  await cache.addAll(files.map(([path, integrity]) => new Request(path, { integrity })));
}

/** A browser that is short of room may have cleared them. */
async function storeAgain(): Promise<void> {
  if ((await gatePage()) === undefined) await store();
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await scope.registration.navigationPreload?.enable();
  await scope.clients.claim();
}

async function openPage(event: Fetch, isHurried: boolean): Promise<Response> {
  const answer = Promise.resolve(event.preloadResponse).then(
    (preloaded) => preloaded ?? fetch(event.request),
  );
  try {
    if (!isHurried || !(await hasPass())) return await answer;
    const first = await orLate(answer);
    // The portal has a page there: a refusal is of a proxy, or of a network that asks to sign in.
    const isPage = first !== undefined && first.status < 400;
    return isPage ? first : ((await gatePage()) ?? (await answer));
  } catch {
    return (await gatePage()) ?? Response.error();
  }
}

/** The answer, or undefined where it has not begun in time. */
function orLate(answer: Promise<Response>): Promise<Response | undefined> {
  answer.catch(() => {});
  return Promise.race([
    answer,
    new Promise<undefined>((resolve) => setTimeout(resolve, LATE_MS, undefined)),
  ]);
}

async function openFile(request: Request): Promise<Response> {
  const kept = await caches.match(new URL(request.url).pathname, stored);
  return kept ?? fetch(request);
}

function gatePage(): Promise<Response | undefined> {
  return caches.match(GATE_PAGE, stored);
}
