import { availableParallelism } from 'node:os';
import type { Urgency } from '@gatehouse/contract/endpoint';
import type { Pressure } from '#pressure.ts';
import { Refusal } from '#refusal.ts';
import { AGAIN_SECONDS } from './errors.ts';

/** The limits of the calls of one urgency, and the pressure at which they are refused. */
export type Bounds = {
  /** The most calls in progress, the most that wait, and the longest wait. */
  atOnce: number;
  queued: number;
  waitMs: number;
  /**
   * The delay of the event loop, or the share of the heap in use, from which on calls are refused.
   */
  delayMs: number;
  heap: number;
  /** After the process has been busy for this long, a call that cannot start at once is refused. */
  busyMs: number;
  /** The answer to a refused call. */
  status: 429 | 503;
  sentence: string;
};

/**
 * The order of load shedding (D32). Photos and usual calls together run eight at once, which leaves
 * two of the ten database connections for payments. The limit of sign-ins is slightly above the
 * number of passwords hashed at once, and 50 wait (D20), because a sign-in queries the database
 * before its hash and a burst would hold up all other calls. Payments, which wait for the gateway
 * without a connection, are shed last.
 */
export const bounds: Record<Urgency, Bounds> = {
  photo: {
    atOnce: 2,
    queued: 100,
    waitMs: 10_000,
    delayMs: 250,
    heap: 0.8,
    busyMs: 1000,
    status: 503,
    sentence: 'Many photos are arriving right now. Please try again in a moment.',
  },
  usual: {
    atOnce: 6,
    queued: 200,
    waitMs: 2000,
    delayMs: 500,
    heap: 0.85,
    busyMs: 5000,
    status: 503,
    sentence: 'The service is busy for a moment. Please try again.',
  },
  'sign-in': {
    atOnce: availableParallelism() + 2,
    queued: 50,
    waitMs: 5000,
    delayMs: 1000,
    heap: 0.9,
    busyMs: 10_000,
    status: 429,
    sentence: 'Many people are signing in right now. Please try again in a moment.',
  },
  payment: {
    atOnce: 64,
    queued: 1000,
    waitMs: 10_000,
    delayMs: 2000,
    heap: 0.95,
    busyMs: Infinity,
    status: 503,
    sentence: 'The service is very busy right now and nothing was paid. Please try again in a moment.',
  },
};

const refusalOf = ({ status, sentence }: Bounds) => new Refusal(status, sentence, AGAIN_SECONDS);
/** Created once, because creating an error costs as much as sending the answer. */
const refusals: Record<Urgency, Refusal> = {
  photo: refusalOf(bounds.photo),
  usual: refusalOf(bounds.usual),
  'sign-in': refusalOf(bounds['sign-in']),
  payment: refusalOf(bounds.payment),
};

/** Reports a disconnected client: the response that is not sent yet. */
type Waiter = {
  readonly destroyed: boolean;
  once(event: 'close', goAway: () => void): unknown;
  off(event: 'close', goAway: () => void): unknown;
};

/**
 * Admits calls up to the limits of their urgency. Each urgency has its own first-in, first-out
 * queue.
 */
export class Admission {
  readonly #pressure: () => Pressure;
  readonly #queues: Record<Urgency, { atWork: number; waiting: (() => void)[] }> = {
    photo: { atWork: 0, waiting: [] },
    usual: { atWork: 0, waiting: [] },
    'sign-in': { atWork: 0, waiting: [] },
    payment: { atWork: 0, waiting: [] },
  };
  /** The number of refused calls, by urgency. */
  readonly refused: Record<Urgency, number> = { photo: 0, usual: 0, 'sign-in': 0, payment: 0 };

  constructor(pressure: () => Pressure) {
    this.#pressure = pressure;
  }

  /**
   * Waits until a call of this urgency may run. Throws a Refusal where it is shed, where it waits
   * too long, and where its client disconnects while it waits.
   */
  async enter(urgency: Urgency, waiter: Waiter): Promise<void> {
    const refusal = this.shed(urgency);
    if (refusal !== null) throw refusal;
    const queue = this.#queues[urgency];
    if (queue.atWork < bounds[urgency].atOnce) queue.atWork += 1;
    else await this.#wait(urgency, waiter);
  }

  /** The refusal of a call of this urgency, which is counted; null where it may run or wait. */
  shed(urgency: Urgency): Refusal | null {
    const { atWork, waiting } = this.#queues[urgency];
    const { atOnce, queued, delayMs, heap, busyMs } = bounds[urgency];
    const now = this.#pressure();
    const isPressed = now.delayMs >= delayMs || now.heap >= heap;
    const isFull = atWork >= atOnce && (waiting.length >= queued || now.busyMs >= busyMs);
    return isPressed || isFull ? this.#refuse(urgency) : null;
  }

  /** Ends a call and admits the next one. */
  leave(urgency: Urgency): void {
    const queue = this.#queues[urgency];
    const next = queue.waiting.shift();
    if (next === undefined) queue.atWork -= 1;
    else next();
  }

  #wait(urgency: Urgency, waiter: Waiter): Promise<void> {
    const { waiting } = this.#queues[urgency];
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        waiter.off('close', goAway);
      };
      const enter = () => {
        end();
        resolve();
      };
      const giveUp = (refusal: Refusal) => {
        end();
        waiting.splice(waiting.indexOf(enter), 1);
        reject(refusal);
      };
      // No answer is sent, so it is not counted as refused.
      const goAway = () => giveUp(refusals[urgency]);
      const timer = setTimeout(() => giveUp(this.#refuse(urgency)), bounds[urgency].waitMs);
      waiter.once('close', goAway);
      waiting.push(enter);
      if (waiter.destroyed) goAway();
    });
  }

  #refuse(urgency: Urgency): Refusal {
    this.refused[urgency] += 1;
    return refusals[urgency];
  }
}
