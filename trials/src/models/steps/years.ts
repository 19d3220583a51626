import { findYear, listYears } from '@gatehouse/server/src/features/base/papers/year-data.ts';
import type { ModelLedger } from '../model-ledger.ts';
import {
  dayOf,
  everyCredit,
  same,
  someOf,
  type Account,
  type Entered,
  type Expected,
  type Sequence,
  type Step,
} from './step.ts';

/** The papers of the years: they leave the books as they are. */
export const yearSteps: Step[] = [
  {
    name: 'payments in a year',
    weight: 24,
    situations: [
      'that is over',
      'that is over, of which something came back since',
      'that is over, of which something was recorded since',
      'of a dispute that was won',
    ],
    plan(sequence, random) {
      const [first = null, ...later] = yearsOf(sequence);
      const { ctx, session, renter, yearly, postedOn, recordedLater } = sequence;
      const today = dayOf(sequence);
      const yearsOfLate = [...recordedLater].map((id) => postedOn.get(id)!.slice(0, 4));
      const corrected = yearsOfLate.filter((one) => one < today.slice(0, 4));
      const year =
        someOf(random, corrected) ??
        (random.chance(0.8) ? first : (someOf(random, later) ?? first));
      if (year === null) return null;
      const of = { tenantId: renter.tenantId, today, now: ctx.clock.now() };
      const run = async () => {
        await session.asOwner(async () => {
          const years = await listYears(ctx.db, of);
          same('the years', yearsOf(sequence), years.map((one) => one.year).toReversed());
          const paper = (await findYear(ctx.db, year, of))!;
          same(`the payments in ${year}`, sumsOf(linesOf(sequence, year)), sumsOf(paper.lines));
          const found = paper.paidFor.map(({ category, cents }) => [category, cents]);
          same(`what was paid for in ${year}`, paidFor(sequence, year), Object.fromEntries(found));
          const left = { before: paper.beforeCents, after: paper.leftCents };
          const isBefore = (day: string) => day.slice(0, 4) < year;
          const isUntil = (day: string) => day.slice(0, 4) <= year;
          const expected = { before: unused(sequence, isBefore), after: unused(sequence, isUntil) };
          same(`what was not used in ${year}`, expected, left);
        });
      };
      const isOver = year < today.slice(0, 4);
      const paid = everyCredit(sequence).filter(
        ({ credit }) => credit.isMoney && postedOn.get(credit.id)!.startsWith(year),
      );
      const cameBack = yearly.some(
        ({ day, what, cents }) => what === 'line' && cents < 0 && day.slice(0, 4) > year,
      );
      const isRecordedLater = paid.some(({ credit }) => recordedLater.has(credit.id));
      const isWon = paid.some(({ credit }) => credit.kind === 'credit' && credit.capture !== null);
      return {
        refused: null,
        run,
        expected: () => [],
        situations: [
          isOver && 'that is over',
          isOver && cameBack && 'that is over, of which something came back since',
          isOver && isRecordedLater && 'that is over, of which something was recorded since',
          isWon && 'of a dispute that was won',
        ],
      };
    },
  },
];

/** What of a ledger's payments settles which charges, in cents by both of them. */
export function usesOf(model: ModelLedger): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { id, parts } of model.charges)
    for (const { creditId, cents } of parts)
      if (model.creditOf(creditId).isMoney) {
        const pair = `${creditId} ${id}`;
        uses.set(pair, (uses.get(pair) ?? 0) + cents);
      }
  return uses;
}

/**
 * Notes for the papers of the years what a new entry of an account is and what it has settled or
 * opened, each for the day from which all of it was posted.
 */
export function noteForYears(
  sequence: Sequence,
  { model }: Account,
  entry: Entered & Pick<Expected, 'kind' | 'cents'> & { of: string | null },
  before: Map<string, number>,
): void {
  const { yearly, postedOn } = sequence;
  const after = usesOf(model);
  for (const pair of new Set([...before.keys(), ...after.keys()])) {
    const cents = (after.get(pair) ?? 0) - (before.get(pair) ?? 0);
    const [creditId = '', chargeId = ''] = pair.split(' ');
    const day = [entry.day, postedOn.get(creditId)!, postedOn.get(chargeId)!].toSorted().at(-1)!;
    const { category, isAgain } = model.chargeOf(chargeId);
    if (cents !== 0) yearly.push({ day, what: isAgain ? 'owedAgain' : category, cents });
  }
  const { id, position, day, kind, cents } = entry;
  const line = { day, what: 'line', cents: -cents };
  if (kind === 'charge' && model.chargeOf(id).isAgain)
    yearly.push(line, { ...line, what: 'owedAgain' });
  if (kind === 'payment') yearly.push(line);
  if (kind === 'credit' && model.creditOf(id).isMoney && model.creditOf(id).capture !== null)
    yearly.push(line);
  const credit = kind === 'reversal' ? model.creditOf(entry.of!) : null;
  const isMoved = credit?.backs.some((back) => back.position === position && back.why === 'moved');
  if (credit?.isMoney === true && isMoved === false) yearly.push(line);
}

function yearsOf({ yearly }: Sequence): string[] {
  const lines = yearly.filter(({ what }) => what === 'line');
  return [...new Set(lines.map(({ day }) => day.slice(0, 4)))].toSorted();
}

function linesOf({ yearly }: Sequence, year: string) {
  return yearly
    .filter(({ day, what }) => what === 'line' && day.startsWith(year))
    .map(({ day: postedOn, cents }) => ({ postedOn, cents }));
}

/** The sum of each day. */
function sumsOf(lines: { postedOn: string; cents: number }[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { postedOn, cents } of lines) sums.set(postedOn, (sums.get(postedOn) ?? 0) + cents);
  return [...sums].filter(([, cents]) => cents !== 0).toSorted(([a], [b]) => a.localeCompare(b));
}

function paidFor({ yearly }: Sequence, year: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { day, what, cents } of yearly)
    if (what !== 'line' && day.startsWith(year)) sums[what] = (sums[what] ?? 0) + cents;
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
}

/** What of the payments had settled no charge. */
function unused({ yearly }: Sequence, counts: (day: string) => boolean): number {
  return yearly
    .filter(({ day }) => counts(day))
    .reduce((sum, { what, cents }) => sum + (what === 'line' ? cents : -cents), 0);
}
