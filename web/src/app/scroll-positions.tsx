import { useLayoutEffect, useRef } from 'react';
import { usePlace } from './router.tsx';

/** A new page starts at its top; going back returns to where it was left. */
export function ScrollPositions() {
  const { key, path, arrival } = usePlace();
  const positions = useRef(new Map<string, number>());
  const shown = useRef(path);

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    // A reload is left to the browser, which knows the place better than we do.
    const leave = () => (history.scrollRestoration = 'auto');
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, []);

  useLayoutEffect(() => {
    if (shown.current !== path) {
      shown.current = path;
      scrollTo(0, arrival === 'back' ? (positions.current.get(key) ?? 0) : 0);
    }
    const known = positions.current;
    const remember = () => known.set(key, scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [key, path, arrival]);

  return null;
}
