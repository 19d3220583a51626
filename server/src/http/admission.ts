import { availableParallelism } from 'node:os';
import type { Urgency } from '@gatehouse/contract/endpoint';
import { type Language, language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { inLanguage } from '#context/language.ts';
import { Refusal } from '#errors/refusal.ts';
import { FairQueue, type Call } from '#sharing/fair-queue.ts';
import type { Pressure } from '#telemetry/pressure.ts';
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
  /**
   * After the process has been busy for this long, a call that cannot start at once is refused,
   * unless another client has more places than this one.
   */
  busyMs: number;
  /** The answer to a refused call. */
  status: 429 | 503;
  sentence: () => string;
};

/**
 * The order of load shedding. Photos and usual calls together run eight at once, which leaves two
 * of the ten database connections for payments. The limit of sign-ins is slightly above the number
 * of passwords hashed at once, and 50 wait, because a sign-in queries the database before its hash
 * and a burst would hold up all other calls. Payments, which wait for the gateway without a
 * connection, are shed last.
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
    sentence: () => t('Many photos are arriving right now. Please try again in a moment.'),
  },
  usual: {
    atOnce: 6,
    queued: 200,
    waitMs: 2000,
    delayMs: 500,
    heap: 0.85,
    busyMs: 5000,
    status: 503,
    sentence: () => t('The service is busy for a moment. Please try again.'),
  },
  'sign-in': {
    atOnce: availableParallelism() + 2,
    queued: 50,
    waitMs: 5000,
    delayMs: 1000,
    heap: 0.9,
    busyMs: 10_000,
    status: 429,
    sentence: () => t('Many people are signing in right now. Please try again in a moment.'),
  },
  payment: {
    atOnce: 64,
    queued: 1000,
    waitMs: 10_000,
    delayMs: 2000,
    heap: 0.95,
    busyMs: Infinity,
    status: 503,
    sentence: () =>
      t('The service is very busy right now and nothing was paid. Please try again in a moment.'),
  },
};

function refusalsOf({ status, sentence }: Bounds): Record<Language, Refusal> {
  const refusalIn = (one: Language) =>
    new Refusal(status, inLanguage(one, sentence), AGAIN_SECONDS);
  return { en: refusalIn('en'), es: refusalIn('es') };
}

/** Created once, because creating an error costs as much as sending the answer. */
const refusals: Record<Urgency, Record<Language, Refusal>> = {
  photo: refusalsOf(bounds.photo),
  usual: refusalsOf(bounds.usual),
  'sign-in': refusalsOf(bounds['sign-in']),
  payment: refusalsOf(bounds.payment),
};

/** Reports a disconnected client: the response that is not sent yet. */
type Waiter = {
  readonly destroyed: boolean;
  once(event: 'close', goAway: () => void): unknown;
  off(event: 'close', goAway: () => void): unknown;
};

/** A call that is refused where another client has a better right to its place in the queue. */
type Waiting = Call & { refuse: () => void };

const queueOf = ({ atOnce }: Bounds) => new FairQueue<Waiting>({ atOnce });

/**
 * Admits calls up to the limits of their urgency. Each urgency has its own queue, whose places are
 * shared by client, so that one client can fill neither the places nor the queue (decision 38).
 */
export class Admission {
  readonly #pressure: () => Pressure;
  readonly #endsWaits: boolean;
  readonly #queues: Record<Urgency, FairQueue<Waiting>> = {
    photo: queueOf(bounds.photo),
    usual: queueOf(bounds.usual),
    'sign-in': queueOf(bounds['sign-in']),
    payment: queueOf(bounds.payment),
  };
  /** The number of refused calls, by urgency. */
  readonly refused: Record<Urgency, number> = { photo: 0, usual: 0, 'sign-in': 0, payment: 0 };

  /** With `endsWaits` false a call waits as long as its client does (SHED_LOAD=off). */
  constructor(pressure: () => Pressure, { endsWaits = true } = {}) {
    this.#pressure = pressure;
    this.#endsWaits = endsWaits;
  }

  /**
   * Waits until a call of this urgency and client may run; returns a function that ends it and
   * admits the next one. Throws a Refusal where it is shed, also later for a call of a client that
   * waits with fewer, where it waits too long, and where its client disconnects while it waits.
   */
  async enter(urgency: Urgency, client: string, waiter: Waiter): Promise<() => void> {
    const refusal = this.shed(urgency, () => client);
    if (refusal !== null) throw refusal;
    const queue = this.#queues[urgency];
    const { atOnce, queued, waitMs } = bounds[urgency];
    // In the language of this call: the call that ends its wait may be in another.
    const own = refusals[urgency][language()];
    // Nothing is sent to a client that has disconnected, so it is not counted as refused.
    if (waiter.destroyed && queue.running >= atOnce) throw own;
    if (queue.waiting >= queued) queue.removeNewest()?.refuse();
    const { promise: admitted, resolve, reject } = Promise.withResolvers<() => void>();
    const stopWaiting = () => {
      waiter.off('close', goAway);
      clearTimeout(timer);
    };
    const call: Waiting = {
      client,
      start() {
        stopWaiting();
        resolve(() => queue.end(client));
      },
      refuse: () => {
        this.refused[urgency] += 1;
        stopWaiting();
        reject(own);
      },
    };
    const goAway = () => {
      queue.remove(call);
      stopWaiting();
      reject(own);
    };
    waiter.once('close', goAway);
    const timer = this.#endsWaits
      ? setTimeout(() => {
          queue.remove(call);
          call.refuse();
        }, waitMs)
      : undefined;
    queue.add(call);
    return admitted;
  }

  /**
   * The refusal of a call of this urgency, which is counted; null where it may run or wait. Where
   * others wait no more, one may whose client has fewer calls than another, in whose stead it
   * comes.
   */
  shed(urgency: Urgency, clientOf: () => string): Refusal | null {
    const queue = this.#queues[urgency];
    const { atOnce, queued, delayMs, heap, busyMs } = bounds[urgency];
    const now = this.#pressure();
    if (now.delayMs >= delayMs || now.heap >= heap) return this.#refuse(urgency);
    if (queue.running < atOnce) return null;
    const [isFull, isBusy] = [queue.waiting >= queued, now.busyMs >= busyMs];
    if (!isFull && !isBusy) return null;
    const client = clientOf();
    const mayWait = (!isFull || queue.waitsLess(client)) && (!isBusy || queue.hasLess(client));
    return mayWait ? null : this.#refuse(urgency);
  }

  #refuse(urgency: Urgency): Refusal {
    this.refused[urgency] += 1;
    return refusals[urgency][language()];
  }
}
