import { appendFileSync } from 'node:fs';
import { say } from '../harness/report.ts';

/** A figure of one run with the figure that it is held against in the same run. */
export type AimRow = {
  what: string;
  ours: string;
  bare: string;
  figure: string;
  aim: string;
  verdict: 'held' | 'missed' | 'not measured';
};

type Measured = {
  what: string;
  /** Both sides as they are read, with their units. */
  ours: string;
  bare: string;
  /** What the aim is about; NaN where this machine does not say it. */
  value: number;
  unit?: string;
  digits?: number;
} & ({ atLeast: number } | { atMost: number });

/** The environment's name of the file in which the rows of a run are collected. */
export const AIMS_FILE = 'BENCH_AIMS';

/** A row from what was measured. */
export function aimRow({ what, ours, bare, value, unit = '', digits = 2, ...aim }: Measured) {
  const isHeld = 'atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost;
  const row: AimRow = {
    what,
    ours,
    bare,
    figure: Number.isNaN(value) ? '–' : value.toFixed(digits) + unit,
    aim: 'atLeast' in aim ? `≥ ${aim.atLeast}${unit}` : `≤ ${aim.atMost}${unit}`,
    verdict: Number.isNaN(value) ? 'not measured' : isHeld ? 'held' : 'missed',
  };
  return row;
}

/** Prints the rows of a bench, and leaves them to the run that it is a part of. */
export function reportAims(rows: AimRow[]): void {
  if (rows.length > 0) printAims(rows);
  const file = process.env[AIMS_FILE];
  if (file !== undefined)
    appendFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

export function printAims(rows: AimRow[]): void {
  say();
  say('| what | ours | bare | figure | aim | |');
  say('|---|---|---|---|---|---|');
  for (const { what, ours, bare, figure, aim, verdict } of rows)
    say(`| ${what} | ${ours} | ${bare} | ${figure} | ${aim} | ${verdict} |`);
  say();
}
