import { availableParallelism } from 'node:os';
import type { Urgency } from '@gatehouse/contract/endpoint';
import type { Pressure } from '#pressure.ts';
import { Refusal } from '#refusal.ts';
import { AGAIN_SECONDS } from './errors.ts';

/** What the calls of one urgency may take of the process, and from which pressure on they are refused. */
export type Bounds = {
  /** So many are worked on at once, so many wait for that, and each so long. */
  atOnce: number;
  inLine: number;
  waitMs: number;
  /** From such a delay of the event loop, or share of the heap, on, none is taken. */
  delayMs: number;
  heap: number;
  /** Once the process has been busy for so long, none waits: who is not taken at once is refused. */
  busyMs: number;
  /** What the refused are answered. */
  status: 429 | 503;
  sentence: string;
};

/**
 * What gives way first under load (D32). Photos and the usual calls together are worked on eight at once: of the ten
 * connections to the database two are left for those who pay. A few more sign in than passwords are hashed at once, and 50
 * wait (D20): before its hash a sign-in asks the database, and a storm of them would stand there in front of all others.
 * Payments, which wait for their gateway without a connection, give way last.
 */
export const bounds: Record<Urgency, Bounds> = {
  photo: {
    atOnce: 2,
    inLine: 100,
    waitMs: 10_000,
    delayMs: 250,
    heap: 0.8,
    busyMs: 1000,
    status: 503,
    sentence: 'Many photos are arriving right now. Please try again in a moment.',
  },
  usual: {
    atOnce: 6,
    inLine: 200,
    waitMs: 2000,
    delayMs: 500,
    heap: 0.85,
    busyMs: 5000,
    status: 503,
    sentence: 'The service is busy for a moment. Please try again.',
  },
  'sign-in': {
    atOnce: availableParallelism() + 2,
    inLine: 50,
    waitMs: 5000,
    delayMs: 1000,
    heap: 0.9,
    busyMs: 10_000,
    status: 429,
    sentence: 'Many people are signing in right now. Please try again in a moment.',
  },
  payment: {
    atOnce: 64,
    inLine: 1000,
    waitMs: 10_000,
    delayMs: 2000,
    heap: 0.95,
    busyMs: Infinity,
    status: 503,
    sentence: 'The service is very busy right now and nothing was paid. Please try again in a moment.',
  },
};

const refusalOf = ({ status, sentence }: Bounds) => new Refusal(status, sentence, AGAIN_SECONDS);
/** One for all that are refused: to make an error takes as long as to answer with it. */
const refusals: Record<Urgency, Refusal> = {
  photo: refusalOf(bounds.photo),
  usual: refusalOf(bounds.usual),
  'sign-in': refusalOf(bounds['sign-in']),
  payment: refusalOf(bounds.payment),
};

/** What tells that the caller has gone: the answer that is not sent yet. */
type Waiter = {
  readonly destroyed: boolean;
  once(event: 'close', goAway: () => void): unknown;
  off(event: 'close', goAway: () => void): unknown;
};

/** Lets calls in up to the bounds of their urgency. Each urgency has a line of its own: first come, first served. */
export class Admission {
  readonly #pressure: () => Pressure;
  readonly #lines: Record<Urgency, { atWork: number; waiting: (() => void)[] }> = {
    photo: { atWork: 0, waiting: [] },
    usual: { atWork: 0, waiting: [] },
    'sign-in': { atWork: 0, waiting: [] },
    payment: { atWork: 0, waiting: [] },
  };
  /** How many were refused, by urgency. */
  readonly refused: Record<Urgency, number> = { photo: 0, usual: 0, 'sign-in': 0, payment: 0 };

  constructor(pressure: () => Pressure) {
    this.#pressure = pressure;
  }

  /**
   * Waits until a call of this urgency may be worked on. Throws a Refusal where it may not, or not in time, and where the
   * caller goes away meanwhile, whose place the next one has then.
   */
  async enter(urgency: Urgency, waiter: Waiter): Promise<void> {
    const refusal = this.turnAway(urgency);
    if (refusal !== null) throw refusal;
    const line = this.#lines[urgency];
    if (line.atWork < bounds[urgency].atOnce) line.atWork += 1;
    else await this.#wait(urgency, waiter);
  }

  /** The refusal of a call of this urgency that may neither be worked on nor wait, which is counted; else null. */
  turnAway(urgency: Urgency): Refusal | null {
    const { atWork, waiting } = this.#lines[urgency];
    const { atOnce, inLine, delayMs, heap, busyMs } = bounds[urgency];
    const now = this.#pressure();
    const isPressed = now.delayMs >= delayMs || now.heap >= heap;
    const isFull = atWork >= atOnce && (waiting.length >= inLine || now.busyMs >= busyMs);
    return isPressed || isFull ? this.#refuse(urgency) : null;
  }

  /** Makes room for the next. */
  leave(urgency: Urgency): void {
    const line = this.#lines[urgency];
    const next = line.waiting.shift();
    if (next === undefined) line.atWork -= 1;
    else next();
  }

  #wait(urgency: Urgency, waiter: Waiter): Promise<void> {
    const { waiting } = this.#lines[urgency];
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
      // It hears no answer, and is not counted as turned away.
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
