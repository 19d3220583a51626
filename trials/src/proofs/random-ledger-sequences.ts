import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import { inWorkerPool } from '../models/worker-pool.ts';
import type { Counts, SequenceResult, SequenceTask } from '../models/steps/ledger-sequence.ts';
import { steps as table } from '../models/steps/steps.ts';

const SEEDS_A_TASK = 10;
/** This many faults are printed, the others counted. */
const MOST_PRINTED = 5;
/**
 * From this many sequences on, each kind of step and situation must have come as often as
 * `LEAST_OF_A_KIND` says: of ten such parts, 500 times and more, with room for chance in each.
 */
const MANY_SEQUENCES = 1000;
const LEAST_OF_A_KIND = 35;
/** From this many sequences on, each situation of a step must have come once. */
const SOME_SEQUENCES = 60;

/**
 * Random sequences of what can happen to a ledger, against the real verbs on PostgreSQL and
 * compared with a model that shares no code with them. `steps` counts all steps of all sequences.
 */
export const randomLedgerSequences: Proof<{ sequences: number; steps: number }> = {
  name: 'R5',
  title: 'Random sequences of everything that posts keep I1 to I4 after every step',
  sizes: {
    small: { sequences: SOME_SEQUENCES, steps: 1440 },
    full: { sequences: 10_000, steps: 240_000 },
  },
  parts({ sequences, steps }) {
    const parts = Math.max(1, Math.round(sequences / 1000));
    return Array.from({ length: parts }, () => ({
      sequences: sequences / parts,
      steps: steps / parts,
    }));
  },
  async run({ sequences, steps }, seed, stage) {
    const tasks: SequenceTask[] = [];
    for (let first = 0; first < sequences; first += SEEDS_A_TASK) {
      const seeds = Array.from(
        { length: Math.min(SEEDS_A_TASK, sequences - first) },
        (_, index) => seed * 100_000 + first + index,
      );
      tasks.push({ seeds, steps: Math.round(steps / sequences) });
    }
    const results = await inWorkerPool<SequenceResult>(tasks, {
      stage,
      module: 'steps/ledger-sequence.ts',
    });
    const faults = results.flatMap((result) => result.faults);
    for (const { seed: failing, kind, sentence, steps: shrunk } of faults.slice(0, MOST_PRINTED))
      stage.say(
        `  sequence ${failing} fails in a step "${kind}", shrunk to the steps ${shrunk.join(' ')}: ${sentence}`,
      );
    const counts = addUp(results.map((result) => result.counts));
    const done = table.map(({ name }) => counts[name]?.done ?? 0);
    const refused = table.map(({ name }) => counts[name]?.refused ?? 0);
    const least = sequences < MANY_SEQUENCES ? 0 : LEAST_OF_A_KIND;
    const leastOfSituation = sequences < SOME_SEQUENCES ? 0 : Math.max(1, least);
    const situations = table.flatMap((step) =>
      (step.situations ?? []).map((situation) => `${step.name} ${situation}`),
    );
    return [
      mustBe('sequences that broke an invariant', faults.length, 0),
      mustBeAtLeast(
        'steps, each with I1 to I4 checked',
        sum(done) + sum(refused),
        faults.length === 0 ? steps : 0,
      ),
      ...table.map(({ name }, index) => mustBeAtLeast(`  ${name}`, done[index]!, least)),
      ...situations.map((name) =>
        mustBeAtLeast(`  ${name}`, counts[name]?.done ?? 0, leastOfSituation),
      ),
      ...table.flatMap(({ name }, index) =>
        refused[index]! > 0 ? [reported(`  ${name}, refused`, refused[index]!)] : [],
      ),
    ];
  },
};

function addUp(counts: Counts[]): Counts {
  const all: Counts = {};
  for (const [name, { done, refused }] of counts.flatMap((one) => Object.entries(one))) {
    const count = (all[name] ??= { done: 0, refused: 0 });
    count.done += done;
    count.refused += refused;
  }
  return all;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
