import { mustBe, mustBeAtLeast, type Proof } from './proof.ts';
import { inCrew } from './models/crew.ts';
import type { SequenceResult, SequenceTask } from './models/ledger-sequence.ts';

const SEEDS_A_TASK = 10;
/** Sequences on which books and model once disagreed; they run each time and in full, beside those of the seed. */
const FAILED_ONCE = [300_004, 300_078, 300_164, 900_735];
/** The first faults are told in full, the others counted. */
const MOST_TOLD = 5;

/**
 * Random sequences of what can happen to a ledger, against the real verbs on PostgreSQL and beside a model that shares no
 * code with them. `steps` counts all steps of all sequences.
 */
export const r5: Proof<{ sequences: number; steps: number }> = {
  name: 'R5',
  title: 'Random sequences of everything that posts keep I1 to I4 after every step',
  sizes: { small: { sequences: 300, steps: 15_000 }, full: { sequences: 10_000, steps: 1_000_000 } },
  parts({ sequences, steps }) {
    const parts = Math.max(1, Math.round(sequences / 1000));
    return Array.from({ length: parts }, () => ({ sequences: sequences / parts, steps: steps / parts }));
  },
  async run({ sequences, steps }, seed, stage) {
    const tasks: SequenceTask[] = [{ seeds: FAILED_ONCE, steps: 100 }];
    for (let first = 0; first < sequences; first += SEEDS_A_TASK) {
      const seeds = Array.from(
        { length: Math.min(SEEDS_A_TASK, sequences - first) },
        (_, index) => seed * 100_000 + first + index,
      );
      tasks.push({ seeds, steps: Math.round(steps / sequences) });
    }
    const results = await inCrew<SequenceResult>(tasks, { stage, trade: 'ledger-sequence.ts' });
    const faults = results.flatMap((result) => result.faults);
    for (const { seed: failing, kind, sentence, steps: shrunk } of faults.slice(0, MOST_TOLD))
      stage.say(
        `  sequence ${failing} fails in a step "${kind}", shrunk to the steps ${shrunk.join(' ')}: ${sentence}`,
      );
    const done = (kind: keyof SequenceResult['steps']) => results.reduce((sum, one) => sum + (one.steps[kind] ?? 0), 0);
    const kinds = [...new Set(results.flatMap((one) => Object.keys(one.steps)))] as (keyof SequenceResult['steps'])[];
    return [
      mustBe('sequences that broke an invariant', faults.length, 0),
      mustBeAtLeast(
        'steps, each with I1 to I4 checked',
        kinds.reduce((sum, kind) => sum + done(kind), 0),
        steps,
      ),
    ];
  },
};
