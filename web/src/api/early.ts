import type { Answer, Transport } from './call.ts';

/** What the HTML's own script (app/before-paint.ts) leaves to the app. */
export type Early = {
  /** The Authorization header that the reads were sent with; null is a visitor's. */
  authorization: string | null;
  /** The answers of the reads that it has sent, by URL. */
  answers: Map<string, Promise<Answer>>;
  /** The button that was pressed last. */
  pressed: HTMLButtonElement | null;
  /** Hands the page over to the code that was waited for. */
  begun: () => void;
};

declare global {
  /** Absent where the page was not prerendered, as in the dev server. */
  var early: Early | undefined;
}

/**
 * Sends a read of the first page. One that was sent early is answered by that, once, and sent again
 * only where it failed.
 */
export const earlyOrFetch: Transport = async (url, init) => {
  const { authorization, answers } = globalThis.early ?? {};
  const answer = answers?.get(url);
  answers?.delete(url);
  if (answer === undefined || authorization !== init.headers.get('Authorization'))
    return fetch(url, init);
  return answer.catch(() => fetch(url, init));
};
