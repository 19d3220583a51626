import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import type { MonthResult, MonthTask } from '../models/office-month.ts';
import { inWorkerPool } from '../models/worker-pool.ts';

const DAYS = 40;
/** This many faults are printed with all that led to them, the others counted. */
const MOST_PRINTED = 1;
const MOST_FAULTS = 10;

/** Months at a facility whose reports must say what a list of what happened comes to. */
export const officeMonth: Proof<{ months: number }> = {
  name: 'R31',
  title: 'The office’s reports of a month agree to the cent with a list of what happened',
  sizes: { small: { months: 3 }, full: { months: 300 } },
  async run({ months }, seed, stage) {
    const tasks = Array.from({ length: months }, (_, index): MonthTask => ({
      seed: seed * 1000 + index,
      days: DAYS,
    }));
    const results = await inWorkerPool<MonthResult>(tasks, { stage, module: 'office-month.ts' });
    const faulty = results.filter(({ faults }) => faults.length > 0);
    for (const { seed: failing, faults, log } of faulty.slice(0, MOST_PRINTED)) {
      const lines = [`the month ${failing}:`, ...log, ...faults.slice(0, MOST_FAULTS)];
      for (const line of lines) stage.say(`  ${line}`);
    }
    const done = new Map<string, number>();
    for (const [what, count] of results.flatMap((one) => Object.entries(one.done)))
      done.set(what, (done.get(what) ?? 0) + count);
    const compared = results.reduce((sum, one) => sum + one.compared, 0);
    return [
      mustBe('months of which a report differs', faulty.length, 0),
      mustBeAtLeast('reports compared', compared, faulty.length === 0 ? months * DAYS * 5 : 0),
      ...[...done].toSorted().map(([what, count]) => reported(`  ${what}`, count)),
    ];
  },
};
