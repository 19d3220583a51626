import PQueue from 'p-queue';
import { NotSent } from './payments/gateway.ts';

/**
 * Runs a call, or throws NotSent where the gateway failed too often of late or too many calls were
 * in progress until `signal` aborted. `signal` ends the wait, not a call that has begun.
 */
export type Breaker = <Answer>(call: () => Promise<Answer>, signal: AbortSignal) => Promise<Answer>;

type Limits = {
  /** Whether a failure shows that the gateway is unavailable; a decline does not. */
  isFault: (error: unknown) => boolean;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
  /**
   * After this many faults in a row no call is sent for `openMs`; then one call probes the gateway.
   */
  faults?: number;
  openMs?: number;
  /** The most calls in progress at once; more wait. */
  atOnce?: number;
};

/** The circuit breaker and the limit of concurrent calls of one gateway. */
export function createBreaker({
  isFault,
  now = () => performance.now(),
  faults = 5,
  openMs = 30_000,
  atOnce = 20,
}: Limits): Breaker {
  const queue = new PQueue({ concurrency: atOnce });
  let inARow = 0;
  let openUntil = 0;
  let isProbing = false;

  const refuse = () => {
    if (inARow >= faults && (isProbing || now() < openUntil))
      throw new NotSent('the gateway keeps failing and is not called for a while');
  };

  const send = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    // Other calls may have failed while this one waited.
    refuse();
    const isProbe = inARow >= faults;
    isProbing ||= isProbe;
    try {
      const answer = await call();
      inARow = 0;
      return answer;
    } catch (error) {
      if (error instanceof NotSent) throw error;
      inARow = isFault(error) ? inARow + 1 : 0;
      if (inARow >= faults) openUntil = now() + openMs;
      throw error;
    } finally {
      if (isProbe) isProbing = false;
    }
  };

  return async (call, signal) => {
    refuse();
    const waiting = new AbortController();
    const giveUp = () =>
      waiting.abort(new NotSent('too many calls were in progress', { cause: signal.reason }));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    return queue.add(
      () => {
        signal.removeEventListener('abort', giveUp);
        return send(call);
      },
      { signal: waiting.signal },
    );
  };
}
