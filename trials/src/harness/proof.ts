import type { Cluster } from './cluster.ts';

/** How much of a proof is run, by name: `{ kills: 500, payments: 10000 }`. */
export type Size = Record<string, number>;

/** What a figure must be; null for one that is only reported, such as a rate. */
export type Must = { be: number } | { atMost: number } | { atLeast: number } | null;

/** One number that a proof found, with its limit. */
export type Figure = { what: string; value: number; must: Must; joined: 'sum' | 'max' };

/** What a proof uses while it runs. */
export type Stage = {
  /** A line for who watches; not kept. */
  say: (line: string) => void;
  /**
   * A folder of this run: journals and logs that are worth a look when a figure does not
   * hold.
   */
  folder: string;
  /** The run's PostgreSQL, started when it is first asked for. */
  cluster(): Promise<Cluster>;
};

/**
 * One proof of the reliability plan. `run` throws only for a fault of the harness: what it finds
 * of the product, good or bad, is a figure. The same size and seed make the same choices.
 */
export type Proof<S extends Size = Size> = {
  name: string;
  title: string;
  sizes: { small: S; full: S };
  /**
   * The parts of a size, run one after another with the seeds `seed`, `seed + 1` and so on, and
   * joined by their figures. Without it a size is one part.
   */
  parts?(size: S): S[];
  run(size: S, seed: number, stage: Stage): Promise<Figure[]>;
};

/** A count that must be exactly this; over parts both are added up. */
export function mustBe(what: string, value: number, be: number): Figure {
  return { what, value, must: { be }, joined: 'sum' };
}

/** The worst that was met, such as seconds; over parts the largest. */
export function mustBeAtMost(what: string, value: number, atMost: number): Figure {
  return { what, value, must: { atMost }, joined: 'max' };
}

/** A count that must not be smaller; over parts both are added up. */
export function mustBeAtLeast(what: string, value: number, atLeast: number): Figure {
  return { what, value, must: { atLeast }, joined: 'sum' };
}

/** A number to know; over parts added up, or the largest. */
export function reported(what: string, value: number, joined: 'sum' | 'max' = 'sum'): Figure {
  return { what, value, must: null, joined };
}

/**
 * A figure that depends on how fast the machine is: it must hold where `isJudged`, which is at full
 * size on a quiet machine, and is only reported elsewhere.
 */
export function judgedIf(isJudged: boolean, figure: Figure): Figure {
  return isJudged ? figure : { ...figure, must: null };
}

/** Whether what must hold does. */
export function holds({ value, must }: Figure): boolean {
  if (must === null) return true;
  if ('be' in must) return value === must.be;
  return 'atMost' in must ? value <= must.atMost : value >= must.atLeast;
}

/** The figures of all parts as one list, in the order in which they first came. */
export function join(parts: Figure[][]): Figure[] {
  const joined = new Map<string, Figure>();
  for (const figure of parts.flat()) {
    const before = joined.get(figure.what);
    joined.set(figure.what, before === undefined ? figure : joinTwo(before, figure));
  }
  return [...joined.values()];
}

function joinTwo(a: Figure, b: Figure): Figure {
  const value = a.joined === 'sum' ? a.value + b.value : Math.max(a.value, b.value);
  return { ...a, value, must: joinMusts(a.must, b.must) };
}

function joinMusts(a: Must, b: Must): Must {
  if (a === null || b === null) return null;
  if ('be' in a && 'be' in b) return { be: a.be + b.be };
  if ('atLeast' in a && 'atLeast' in b) return { atLeast: a.atLeast + b.atLeast };
  return a;
}

/** `10.5 (must be at most 60)`. */
export function describeFigure({ what, value, must }: Figure): string {
  return `${what}: ${shown(value)}${must === null ? '' : ` (must be ${formatMust(must)})`}`;
}

function formatMust(must: NonNullable<Must>): string {
  if ('be' in must) return shown(must.be);
  return 'atMost' in must ? `at most ${shown(must.atMost)}` : `at least ${shown(must.atLeast)}`;
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

/** `parts` equal parts of a size: every number is divided and the rest goes to the first parts. */
export function divide<S extends Size>(size: S, parts: number): S[] {
  return Array.from(
    { length: parts },
    (_, index) =>
      Object.fromEntries(
        Object.entries(size).map(([name, whole]) => [
          name,
          Math.floor(whole / parts) + (index < whole % parts ? 1 : 0),
        ]),
      ) as S, // the same names with other numbers
  );
}
