import { once } from 'node:events';
import { NotSent } from './gateway.ts';

/**
 * Lets calls through, or throws NotSent: the gateway failed too often of late, or there was no room in time. `signal` ends
 * the wait for room, not a call that has begun.
 */
export type Breaker = <Answer>(call: () => Promise<Answer>, signal: AbortSignal) => Promise<Answer>;

type Limits = {
  /** Whether a failed call says that the gateway is ill; a decline does not. */
  isFault: (error: unknown) => boolean;
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number;
  /** Faults in a row after which no call is sent for `openMs`; then one goes ahead of the others (D31). */
  faults?: number;
  openMs?: number;
  /** Calls under way at once; more wait. */
  atOnce?: number;
};

/** The breaker and bulkhead of D31 around one gateway. */
export function createBreaker({
  isFault,
  now = () => performance.now(),
  faults = 5,
  openMs = 30_000,
  atOnce = 20,
}: Limits): Breaker {
  const room = createRoom(atOnce);
  let inARow = 0;
  let openUntil = 0;
  let isProbing = false;

  const refuse = () => {
    if (inARow >= faults && (isProbing || now() < openUntil)) throw new NotSent('the gateway fails and is left alone');
  };

  return async (call, signal) => {
    refuse();
    const leave = await room.enter(signal);
    let isProbe = false;
    try {
      // Others may have failed while this one waited.
      refuse();
      isProbe = inARow >= faults;
      isProbing ||= isProbe;
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
      leave();
    }
  };
}

/** A room for so many at once; the others wait at the door in their order. */
function createRoom(places: number): { enter(signal: AbortSignal): Promise<() => void> } {
  let inside = 0;
  const waiting: EventTarget[] = [];
  const leave = () => {
    const next = waiting.shift();
    // The place goes to the next one without ever being free.
    if (next === undefined) inside -= 1;
    else next.dispatchEvent(new Event('turn'));
  };
  return {
    async enter(signal) {
      if (inside < places) {
        inside += 1;
        return leave;
      }
      const turn = new EventTarget();
      waiting.push(turn);
      try {
        await once(turn, 'turn', { signal });
      } catch (error) {
        const place = waiting.indexOf(turn);
        if (place >= 0) waiting.splice(place, 1);
        else leave();
        throw new NotSent('there was no room in time', { cause: error });
      }
      return leave;
    },
  };
}
