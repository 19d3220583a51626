import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * For what an action came to, where its button goes away with it: `said` is to be read out by a
 * status, and focus continues in `place`, or on the first of `selector` in it.
 */
export function useSaid<Place extends HTMLElement>(
  selector?: string,
): { said: string; say: (sentence: string) => void; place: RefObject<Place | null> } {
  const [said, say] = useState('');
  const place = useRef<Place>(null);
  useEffect(() => {
    if (said === '') return;
    const target =
      selector === undefined ? place.current : place.current?.querySelector<HTMLElement>(selector);
    target?.focus();
  }, [said, selector]);
  return { said, say, place };
}
