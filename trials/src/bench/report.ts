import { say } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import type { Round } from './load.ts';
import type { Statement, Trace } from './record.ts';

/** A round of the real server beside one of the bare. */
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
  const middle = { real: middleOf(pairings.map(({ real }) => real)), bare: middleOf(pairings.map(({ bare }) => bare)) };
  say(row('**median**', middle, medianRatio(pairings)));
}

/** The median of the rounds' ratios: a slow moment of the machine touches both sides of a round alike. */
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
  return { answers: of('answers'), perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), cpuMs: of('cpuMs') };
}

/** Prints each round trip of a route to the database with its median time, from traces of calls made one at a time. */
export function printRoundTrips(title: string, traces: Trace[]): void {
  const first = traces[0]!.statements;
  const same = traces.filter(({ statements }) => statements.length === first.length);
  say();
  say(`${title}: ${first.length} database round trips, ${ms(median(traces.map((trace) => trace.ms)))} one at a time`);
  say();
  first.forEach((statement, index) => {
    const times = same.map(({ statements }) => statements[index]!).map((sent) => sent.answeredAt - sent.sentAt);
    say(`  ${String(index + 1).padStart(2)}  ${ms(median(times)).padStart(8)}  ${nameOf(statement)}`);
  });
  const inDatabase = median(
    traces.map(({ statements }) => statements.reduce((total, sent) => total + sent.answeredAt - sent.sentAt, 0)),
  );
  say(`      ${ms(inDatabase).padStart(8)}  in all of them`);
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

function nameOf({ sql }: Statement): string {
  const words = sql.replace(/\s+/g, ' ').trim();
  return words.length > 90 ? `${words.slice(0, 90)}…` : words;
}

/** The ratio of a bench beside its aim. */
export function printVerdict(name: string, against: string, ratio: number, aim: number): void {
  say(`${name}: ${ratio.toFixed(2)} of ${against}, aim ${aim}: ${ratio >= aim ? 'reached' : 'missed'}`);
}
