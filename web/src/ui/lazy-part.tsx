import { type FunctionComponent, type ReactNode, use } from 'react';

/** What the file of a lazy part exports: the component as its default, and whatever else it has. */
type PartModule<Props, More> = { default: (props: Props) => ReactNode } & More;

/**
 * A component in a chunk of its own. It suspends until its chunk is loaded, and not at all where
 * `load` was awaited before. `load` resolves to all that its file exports.
 */
export type LazyPart<Props extends object, More = unknown> = FunctionComponent<Props> & {
  load: () => Promise<PartModule<Props, More>>;
  /** Loads it ahead of its use; a failure shows when it is used. */
  fetchAhead: () => void;
  isLoaded: () => boolean;
};

/** A lazy part could not be loaded; `cause` says why. */
export class LoadError extends Error {}

/**
 * The one way to write a lazy part: `const form = lazyPart(() => import('./phone-form.tsx'))`. Not
 * React's `lazy`, which keeps a failure until the page is reloaded.
 */
export function lazyPart<Props extends object, More = unknown>(
  fetchModule: () => Promise<PartModule<Props, More>>,
): LazyPart<Props, More> {
  let loaded: PartModule<Props, More> | undefined;
  let loading: Promise<PartModule<Props, More>> | undefined;

  function load(): Promise<PartModule<Props, More>> {
    loading ??= fetchModule().then(
      (module) => (loaded = module),
      (cause: unknown) => {
        loading = undefined;
        throw new LoadError('A part of the page could not be loaded.', { cause });
      },
    );
    return loading;
  }
  function Lazy(props: Props) {
    const Component = (loaded ?? use(load())).default;
    return <Component {...props} />;
  }
  return Object.assign(Lazy, {
    load,
    fetchAhead: () => void load().catch(() => {}),
    isLoaded: () => loaded !== undefined,
  });
}
