import { useSyncExternalStore } from 'react';

/** What `read` answers in a browser, and `prerendered` in the HTML and while it is hydrated. */
export function useInBrowser<Value>(read: () => Value, prerendered: Value): Value {
  return useSyncExternalStore(never, read, () => prerendered);
}

/** Nothing to listen to. */
const never = () => () => {};
