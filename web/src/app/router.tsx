import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { notePayment } from '#api/sent-payment.ts';
import { hrefOfClick } from '#ui/href-of-click.ts';
import { wayBack } from '#ui/way-back.ts';

/**
 * Where the visitor is, and how they came. The portal has few paths, without parameters; what
 * these lines do for them, react-router does in 11 kB, for which the sign-in page's byte budget has
 * no room (docs/decisions/0005).
 */
export type Place = {
  path: string;
  search: string;
  /** What was handed over on the way here, kept by the browser for this history entry. */
  state: unknown;
  /** Names the history entry. */
  key: string;
  arrival: 'pushed' | 'replaced' | 'back';
};

const PlaceContext = createContext<Place | null>(null);

/**
 * Keeps `usePlace` in step with the address bar, from the `first` place on; plain `<a href>` to
 * pages of ours are followed without a page load.
 */
export function Router({ first, children }: { first: Place; children: ReactNode }) {
  const [place, setPlace] = useState(first);

  useLayoutEffect(() => {
    // As a transition, the page that is left stays in sight until the next one is ready.
    show = (arrival) => {
      notePayment(null);
      startTransition(() => setPlace(readPlace(arrival)));
    };
    const back = () => wayBack.isHeld() || show('back');
    addEventListener('popstate', back);
    document.addEventListener('click', follow);
    return () => {
      removeEventListener('popstate', back);
      document.removeEventListener('click', follow);
    };
  }, []);
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

export function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === null) throw new Error('usePlace needs a Router around it');
  return place;
}

/** Goes to a page of ours; with `replace` the present one is not come back to. */
export function goTo(
  href: string,
  { replace = false, state }: { replace?: boolean; state?: unknown } = {},
): void {
  const entry = { state, key: Math.random().toString(36).slice(2) };
  if (replace) history.replaceState(entry, '', href);
  else history.pushState(entry, '', href);
  show(replace ? 'replaced' : 'pushed');
}

/** Goes on to another page as soon as it is rendered. */
export function Redirect({ to, state }: { to: string; state?: unknown }) {
  useEffect(() => goTo(to, { replace: true, state }), [to, state]);
  return null;
}

let show: (arrival: Place['arrival']) => void = () => {};

/** The place that the address bar names. */
export function readPlace(arrival: Place['arrival']): Place {
  const entry = history.state as { state?: unknown; key?: string } | null;
  // A slash at the end is the same page.
  const path = location.pathname.replace(/(.)\/+$/, '$1');
  return { path, search: location.search, state: entry?.state, key: entry?.key ?? '', arrival };
}

function follow(event: MouseEvent): void {
  const href = hrefOfClick(event);
  if (href === null) return;
  event.preventDefault();
  goTo(href, { replace: href === location.pathname + location.search });
}
