import { useSyncExternalStore } from 'react';

/** Whether the page is being printed, for what paper shows in whole and the screen in parts. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, isPrinting, () => false);
}

const print = () => matchMedia('print');
let isBegun = false;

function isPrinting(): boolean {
  return isBegun || print().matches;
}

function subscribe(listener: () => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const begin = (begun: boolean) => () => {
    isBegun = begun;
    listener();
  };
  addEventListener('beforeprint', begin(true), { signal });
  addEventListener('afterprint', begin(false), { signal });
  // Not every browser fires the events above for every way to print.
  print().addEventListener('change', listener, { signal });
  return () => leaving.abort();
}
