import { say } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import type { Round } from './load.ts';
import type { Turn } from './pairs.ts';

/**
 * Prints rounds and their medians as a Markdown table; the first side is held against the others.
 */
export function printRounds<Side extends string>(title: string, turns: Turn<Side>[]): void {
  const sides = Object.keys(turns[0]!) as Side[];
  const [first, ...others] = sides as [Side, ...Side[]];
  say();
  say(title);
  say();
  const heads = [
    'round',
    ...sides.map((side) => `${side} req/s`),
    ...others.map((side) => `${first} / ${side}`),
    ...sides.map((side) => `${side} p50 / p99 ms`),
    `CPU ms a request, server + PostgreSQL: ${sides.join(', ')}`,
  ];
  say(`| ${heads.join(' | ')} |`);
  say(`|${'---|'.repeat(heads.length)}`);
  const print = (name: string, turn: Turn<Side>, ratios: number[]) => {
    const cells = [
      name,
      ...sides.map((side) => turn[side].perSecond.toFixed(0)),
      ...ratios.map((ratio) => ratio.toFixed(2)),
      ...sides.map((side) => `${turn[side].p50.toFixed(1)} / ${turn[side].p99.toFixed(1)}`),
      sides.map((side) => processorText(turn[side])).join(', '),
    ];
    say(`| ${cells.join(' | ')} |`);
  };
  turns.forEach((turn, index) =>
    print(
      String(index + 1),
      turn,
      others.map((side) => ratioOf(turn, first, side)),
    ),
  );
  const middle = Object.fromEntries(
    sides.map((side) => [side, middleOf(turns.map((turn) => turn[side]))]),
  ) as Turn<Side>;
  print(
    '**median**',
    middle,
    others.map((side) => medianRatio(turns, first, side)),
  );
}

/**
 * The median of the turns' ratios of answers a second: a slow moment of the machine touches both
 * sides of a turn alike.
 */
export function medianRatio<Side extends string>(
  turns: Turn<Side>[],
  side: Side,
  against: Side,
): number {
  return median(turns.map((turn) => ratioOf(turn, side, against)));
}

/** The median of a figure of one side. */
export function middle<Side extends string>(
  turns: Turn<Side>[],
  side: Side,
  of: (round: Round) => number,
): number {
  return median(turns.map((turn) => of(turn[side])));
}

/** Processor time of one answer, of the server's process and of PostgreSQL together. */
export function processorMs({ cpuMs, databaseMs }: Round): number {
  return cpuMs + databaseMs;
}

function processorText({ cpuMs, databaseMs }: Round): string {
  return Number.isNaN(databaseMs)
    ? cpuMs.toFixed(2)
    : `${cpuMs.toFixed(2)} + ${databaseMs.toFixed(2)}`;
}

function ratioOf<Side extends string>(turn: Turn<Side>, side: Side, against: Side): number {
  return turn[side].perSecond / turn[against].perSecond;
}

function middleOf(rounds: Round[]): Round {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]));
  return {
    answers: of('answers'),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMs: of('cpuMs'),
    databaseMs: of('databaseMs'),
  };
}
