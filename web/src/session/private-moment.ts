import { useLayoutEffect } from 'react';

/**
 * Times in which nothing on the screen may be recorded, because card or bank fields are on it. The
 * screen says so; the recorder listens.
 */
let underWay = 0;
const listeners = new Set<() => void>();

export function isPrivateMoment(): boolean {
  return underWay > 0;
}

/** Begins a private moment; returns how to end it. Several may be under way at once. */
export function beginPrivateMoment(): () => void {
  underWay += 1;
  notifyListeners();
  return () => {
    underWay -= 1;
    notifyListeners();
  };
}

/** Makes a private moment of the time in which the component is shown. */
export function usePrivateMoment(): void {
  // Before the browser, and with it a recorder's observer, sees what the component has put on the
  // page.
  useLayoutEffect(beginPrivateMoment, []);
}

/** Calls `listener` after every begin and end. */
export function onPrivateMoment(listener: () => void): void {
  listeners.add(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}
