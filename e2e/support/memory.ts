import type { Page } from '@playwright/test';

/**
 * Where the page holds any of the texts: in a field or anything else of the document, in the cache
 * of server data, in the state or properties of a mounted component, in the browser's storage.
 * Reads a production build, by what React leaves at its root.
 */
export async function placesOf(page: Page, texts: string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    type Fiber = {
      child: Fiber | null;
      sibling: Fiber | null;
      memoizedProps: unknown;
      memoizedState: unknown;
      stateNode: unknown;
    };
    /** The query client, whose parts keep what they hold in private fields. */
    type Part = { getAll: () => { queryKey?: unknown; state: unknown }[] };
    type Cache = { getQueryCache?: () => Part; getMutationCache: () => Part };
    // One id in a hundred pages has the four digits of a code by chance.
    const ids = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
    const dense = (text: string) => text.replace(ids, '').replace(/[\s-]/g, '');
    const has = (text: string) => wanted.some((one) => dense(text).includes(one));

    /**
     * Whether a value holds one of the texts, however deep, outside of the document and of React's
     * own tree.
     */
    function holds(value: unknown, seen: Set<unknown>): boolean {
      if (typeof value === 'string') return has(value);
      if (typeof value !== 'object' || value === null || seen.has(value)) return false;
      if (value instanceof Node || value instanceof Window || 'stateNode' in value) return false;
      seen.add(value);
      const parts =
        value instanceof Map
          ? [...value].flat()
          : value instanceof Set
            ? [...value]
            : Object.values(value);
      return parts.some((part) => holds(part, seen));
    }
    const places = new Set<string>();
    if (has(document.body.outerHTML)) places.add('document');
    for (const field of document.querySelectorAll('input, textarea, select'))
      if (has((field as HTMLInputElement).value)) places.add('field');
    for (const storage of [localStorage, sessionStorage])
      if (Object.values(storage).some((text) => has(String(text)))) places.add('storage');

    const root = document.getElementById('root')! as unknown as Record<
      string,
      { stateNode: { current: Fiber } }
    >;
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$'));
    if (key === undefined) throw new Error('React is not in this page');
    const seen = new Set<unknown>();
    let caches = 0;
    function walk(fiber: Fiber | null): void {
      for (let one = fiber; one !== null; one = one.sibling) {
        const { memoizedProps, memoizedState } = one;
        const cache = (memoizedProps as { client?: Cache } | null)?.client;
        if (cache?.getQueryCache !== undefined) {
          caches += 1;
          const held = [
            ...cache.getQueryCache().getAll(),
            ...cache.getMutationCache().getAll(),
          ].map(({ queryKey, state }) => ({ queryKey, state }));
          if (holds(held, new Set())) places.add('cache');
        }
        if (holds(memoizedState, seen) || holds(memoizedProps, seen)) places.add('component');
        walk(one.child);
      }
    }
    walk(root[key]!.stateNode.current);
    if (caches === 0) throw new Error('the cache is not in this page');
    return [...places].sort();
  }, texts);
}
