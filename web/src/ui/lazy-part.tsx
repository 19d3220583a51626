import { type FunctionComponent, type ReactNode, use } from 'react';

/** What the file of a lazy part exports: the component as its default, and whatever else it has. */
type PartModule<Props, More> = { default: (props: Props) => ReactNode } & More;

/**
 * A component in a chunk of its own. It suspends until its chunk is loaded, and not at all where
 * `load` was awaited before; it throws a `LoadError` where it cannot be loaded.
 */
export type LazyPart<Props extends object, More = unknown> = FunctionComponent<Props> & {
  /**
   * Resolves to all that its file exports. Asks for it, and once more after a second; rejects with
   * a `LoadError`.
   */
  load: () => Promise<PartModule<Props, More>>;
  /**
   * The same after a failure, where someone asks for it. Reloads the page where that is what helps
   * and nothing typed is lost.
   */
  tryAgain: () => Promise<PartModule<Props, More>>;
  /** Loads it ahead of its use; a failure shows when it is used. */
  fetchAhead: () => void;
  isLoaded: () => boolean;
};

/** A lazy part could not be loaded; `cause` says why. */
export class LoadError extends Error {
  /** Begins to load it again, as `tryAgain` of the part does. */
  declare tryAgain: () => void;
  /** Lets the next use of the part load it again; until then each fails with this error. */
  declare forget: () => void;
}

/**
 * The one way to write a lazy part: `const form = lazyPart(() => import('./phone-form.tsx'))`. Not
 * React's `lazy`, which keeps a failure until the page is reloaded.
 */
export function lazyPart<Props extends object, More = unknown>(
  fetchModule: () => Promise<PartModule<Props, More>>,
): LazyPart<Props, More> {
  type Loading = Promise<PartModule<Props, More>>;
  let loaded: PartModule<Props, More> | undefined;
  let loading: Loading | undefined;
  // Kept until it was shown: each render that met a new promise would wait, and ask, for ever.
  let failure: LoadError | undefined;

  const forget = () => void (failure = undefined);
  function begin(fetching: () => Loading): Loading {
    forget();
    loading ??= fetching().then(
      (module) => (loaded = module),
      (cause: unknown) => {
        loading = undefined;
        failure = new LoadError('A part of the page could not be loaded.', { cause });
        throw Object.assign(failure, { tryAgain: () => void tryAgain().catch(() => {}), forget });
      },
    );
    return loading;
  }
  const load = () => begin(() => fetchTwice(fetchModule));
  const tryAgain = () => begin(() => fetchAnew(fetchModule));
  function Lazy(props: Props) {
    if (failure) throw failure;
    const Component = (loaded ?? use(load())).default;
    return <Component {...props} />;
  }
  return Object.assign(Lazy, {
    load,
    tryAgain,
    fetchAhead: () => void load().catch(forget),
    isLoaded: () => loaded !== undefined,
  });
}

/** How long a server that is being replaced, or a connection, may be away. */
const PAUSE_MS = 1000;

// The second attempt helps in the browsers that do not keep the failure of the first (fetchAnew).

function fetchTwice<Module>(fetchModule: () => Promise<Module>): Promise<Module> {
  return fetchModule().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return fetchModule();
  });
}

/**
 * Fetches a module again. Where the portal's pages come, but have other code by now or this module
 * still fails, the page is reloaded: not only Chromium keeps the failure of an import until then;
 * Firefox and Safari fetch it again since whatwg/html#10327, of 2026. Without a connection it is
 * not, because nothing would come in its place; nor where a field in sight has text, which would be
 * lost.
 */
async function fetchAnew<Module>(fetchModule: () => Promise<Module>): Promise<Module> {
  // Of the smallest page; a busy server's answer has no code.
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch('/login', { cache: 'no-store', signal }).catch(() => null);
  if (!answer?.ok) return fetchTwice(fetchModule);
  // The hashes of all code; the development server has none.
  const code = document.querySelector('script[type=importmap]')?.textContent ?? '';
  if ((await answer.text()).includes(code)) {
    try {
      return await fetchModule();
    } catch {
      // The reload asks for it once more.
    }
  }
  if (hasText()) return fetchTwice(fetchModule);
  location.reload();
  return new Promise(() => {});
}

/** Whether a field has text, typed or given: the two cannot be distinguished. */
function hasText(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input:read-write, textarea:read-write',
  );
  return [...fields].some(({ value }) => value !== '');
}
