import { say } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import type { Round } from './load.ts';
import type { Statement, Trace } from './record.ts';
import { isSentAhead } from './replay.ts';

/** A round of the real server with one of the bare server. */
export type Pairing = { real: Round; bare: Round };

/** Prints rounds and their medians as a Markdown table. */
export function printRounds(title: string, pairings: Pairing[]): void {
  say();
  say(title);
  say();
  say(
    '| round | real req/s | bare req/s | ratio | real p50 / p99 ms | bare p50 / p99 ms | CPU ms a request: real, bare |',
  );
  say('|---|---|---|---|---|---|---|');
  pairings.forEach((pairing, index) => say(row(String(index + 1), pairing, ratioOf(pairing))));
  const middle = {
    real: middleOf(pairings.map(({ real }) => real)),
    bare: middleOf(pairings.map(({ bare }) => bare)),
  };
  say(row('**median**', middle, medianRatio(pairings)));
}

/**
 * The median of the rounds' ratios: a slow moment of the machine touches both sides of a round
 * alike.
 */
export function medianRatio(pairings: Pairing[]): number {
  return median(pairings.map(ratioOf));
}

function ratioOf({ real, bare }: Pairing): number {
  return real.perSecond / bare.perSecond;
}

function row(name: string, { real, bare }: Pairing, ratio: number): string {
  const cells = [
    name,
    real.perSecond.toFixed(0),
    bare.perSecond.toFixed(0),
    ratio.toFixed(2),
    `${real.p50.toFixed(1)} / ${real.p99.toFixed(1)}`,
    `${bare.p50.toFixed(1)} / ${bare.p99.toFixed(1)}`,
    `${real.cpuMs.toFixed(2)}, ${bare.cpuMs.toFixed(2)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function middleOf(rounds: Round[]): Round {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]));
  return {
    answers: of('answers'),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMs: of('cpuMs'),
  };
}

/**
 * Prints each statement of a route with the median time until its answer, from traces of calls made
 * one at a time, and how many round trips to the database they take.
 */
export function printRoundTrips(title: string, traces: Trace[]): void {
  const first = traces[0]!.statements;
  const trips = first.filter((_, index) => !isSentAhead(first, index)).length;
  const same = traces.filter(({ statements }) => statements.length === first.length);
  say();
  say(
    `${title}: ${first.length} statements in ${trips} database round trips, ${ms(median(traces.map((trace) => trace.ms)))} one at a time`,
  );
  say();
  first.forEach((statement, index) => {
    const times = same
      .map(({ statements }) => statements[index]!)
      .map((sent) => sent.answeredAt - sent.sentAt);
    say(
      `  ${String(index + 1).padStart(2)}  ${ms(median(times)).padStart(8)}  ${nameOf(statement)}`,
    );
  });
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

function nameOf({ sql }: Statement): string {
  const words = sql.replace(/\s+/g, ' ').trim();
  return words.length > 90 ? `${words.slice(0, 90)}…` : words;
}

/** The ratio of a bench with its aim. */
export function printVerdict(name: string, against: string, ratio: number, aim: number): void {
  say(
    `${name}: ${ratio.toFixed(2)} of ${against}, aim ${aim}: ${ratio >= aim ? 'reached' : 'missed'}`,
  );
}
