/** An answer as `call` reads it. */
export type Answer = Pick<Response, 'status' | 'headers' | 'text'>;

/** A read that the HTML's own script has sent before any module was here (app/before-paint.ts). */
type EarlyCall = {
  answer: Promise<Answer>;
  /** Whether what was asked for is here, and not a refusal or a failure. */
  isHere: boolean;
  stop: AbortController;
};

/** What that script leaves to the app. */
export type Early = {
  /** The Authorization header that the reads were sent with; null is a visitor's. */
  authorization: string | null;
  /** The reads by URL. */
  calls: Map<string, EarlyCall>;
  /** When they were sent, as `performance.now()`. */
  sentAt: number;
  /** The button that was pressed last. */
  pressed: HTMLButtonElement | null;
  /** Sends the first reads of a tenant's page with the session that is stored now. */
  sendReadsOf: (path: string) => void;
  /** Loads the style sheet of the whole portal, which the app is rendered with. */
  loadSheet: () => Promise<void>;
  /** Hands the page over to the code that was waited for. */
  begun: () => void;
};

declare global {
  /** Absent where the page was not prerendered, as in the dev server. */
  var early: Early | undefined;
}

/** An answer that was not taken by then is stale. */
const KEPT_MS = 30_000;

/** Whether reads were sent early and all of those still to be taken have arrived. */
export function areEarlyAnswersHere(): boolean {
  const calls = [...(globalThis.early?.calls.values() ?? [])];
  return calls.length > 0 && calls.every(({ isHere }) => isHere);
}

/**
 * `fetch`, but a read that was sent early is answered by that, once, and sent again only where it
 * failed.
 */
export async function fetchOrTakeEarly(
  url: string,
  init: RequestInit & { headers: Headers },
): Promise<Answer> {
  const early = takeEarly(url, init);
  if (early === undefined) return fetch(url, init);
  init.signal?.addEventListener('abort', () => early.stop.abort());
  return early.answer.catch(() => fetch(url, init));
}

function takeEarly(
  url: string,
  { method, headers, signal }: RequestInit & { headers: Headers },
): EarlyCall | undefined {
  const { early } = globalThis;
  if (early === undefined) return undefined;
  // What was read before a change is not what is there after it.
  if (method !== 'GET' || performance.now() - early.sentAt > KEPT_MS) early.calls.clear();
  const call = early.calls.get(url);
  if (signal?.aborted || early.authorization !== headers.get('Authorization')) return undefined;
  early.calls.delete(url);
  return call;
}
