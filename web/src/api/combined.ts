import { pathOf } from '@gatehouse/contract/endpoint';
import { getSession } from '#session/session.ts';
import type { AnyArgs, AnyEndpoint } from './call.ts';

/** One call that brings the answers of several others. */
type Combined = {
  token: string | undefined;
  begunAt: number;
  /** The calls that wait for it, by URL. */
  awaited: ReadonlySet<string>;
  /** The answers by URL; null where it failed. */
  answers: Promise<Map<string, unknown> | null>;
};

let latest: Combined | null = null;

/** An answer that was not taken by then is stale. */
const KEPT_MS = 30_000;

/**
 * From now on calls take their answers from this one: those `awaited` wait for it, others only find
 * what has arrived. Each is taken once, until something is changed or the session ends.
 */
export function combine({ awaited, answers }: Pick<Combined, 'awaited' | 'answers'>): void {
  const combined = { token: getSession()?.token, begunAt: performance.now(), awaited, answers };
  latest = combined;
  void answers.then((found) => {
    if (found === null && latest === combined) latest = null;
  });
}

/** The answer that a combined call brought for this call; undefined where it has to be sent. */
export async function takeCombined(endpoint: AnyEndpoint, args: AnyArgs): Promise<unknown> {
  const combined = latest;
  if (combined === null) return undefined;
  // What was read before a change is not what is there after it.
  if (
    endpoint.method !== 'GET' ||
    combined.token !== getSession()?.token ||
    performance.now() - combined.begunAt > KEPT_MS
  ) {
    latest = null;
    return undefined;
  }
  const url = urlOf(endpoint, args);
  const found = combined.awaited.has(url)
    ? await combined.answers
    : await Promise.race([combined.answers, Promise.resolve(undefined)]);
  // Something may have been changed meanwhile.
  const answer = latest === combined ? found?.get(url) : undefined;
  found?.delete(url);
  return answer;
}

/** By which a call and its answer are told apart from others. */
export function urlOf({ path }: AnyEndpoint, { params, query }: AnyArgs): string {
  return pathOf(path, params, query);
}
