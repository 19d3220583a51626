import { type ComponentType, type ReactNode, use } from 'react';
import { RouteError } from './route-error.ts';

/** A component in a chunk of its own that can be fetched ahead; once it is here it renders without suspending. */
export type LazyPart = Part & { load: () => Promise<Part> };

type PartProps = { children?: ReactNode };
type Part = ComponentType<PartProps>;

export function lazyPart(fetchPart: () => Promise<Part>): LazyPart {
  let loaded: Part | undefined;
  let fetching: Promise<Part> | undefined;

  function load(): Promise<Part> {
    fetching ??= fetchPart().then(
      (part) => (loaded = part),
      (cause: unknown) => {
        fetching = undefined;
        throw new RouteError(
          503,
          'Service Unavailable',
          'This page could not be loaded. Check your connection and try again.',
          { cause },
        );
      },
    );
    return fetching;
  }
  function Lazy({ children }: PartProps) {
    const Ready = loaded ?? use(load());
    return <Ready>{children}</Ready>;
  }
  return Object.assign(Lazy, { load });
}

/** Fetches what is likely needed next once the browser has nothing better to do. A failure shows up when it is opened. */
export function fetchWhenIdle(parts: LazyPart[]): () => void {
  return whenIdle(() => {
    for (const part of parts) part.load().catch(() => {});
  });
}

/** Runs `task` once the browser has nothing better to do; returns how to call it off. */
export function whenIdle(task: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(task, 1000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(task, { timeout: 3000 });
  return () => cancelIdleCallback(handle);
}
