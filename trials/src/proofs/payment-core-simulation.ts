import { inWorkerPool } from '../models/worker-pool.ts';
import type { SimulationResult, SimulationTask } from '../models/payment-simulation.ts';
import {
  judgedIf,
  mustBe,
  mustBeAtLeast,
  reported,
  type Figure,
  type Proof,
} from '../harness/proof.ts';

const SEEDS_A_TASK = 5;
/** This many faults are printed, the others counted. */
const MOST_PRINTED = 5;
/** Of this many seeds one is run twice, to see that it does the same. */
const TWICE = 10;
/**
 * Repeats are judged from this many seeds on: one in some hundred differs, by no fault of the
 * product (docs/proof.md).
 */
const FULL = 500;

/** The payment core in a world whose time, order and faults the seed decides. */
export const paymentCoreSimulation: Proof<{ seeds: number }> = {
  name: 'R27',
  title: 'A seeded simulation of the payment core keeps I1 to I8 after every step',
  sizes: { small: { seeds: 30 }, full: { seeds: 1000 } },
  parts({ seeds }) {
    const parts = Math.max(1, Math.round(seeds / 500));
    return Array.from({ length: parts }, () => ({ seeds: seeds / parts }));
  },
  async run({ seeds }, seed, stage) {
    const first = seed * 1_000_000;
    const all = Array.from({ length: seeds }, (_, index) => first + index);
    const once = chunksOf(all);
    const again = chunksOf(all.filter((_, index) => index % TWICE === 0));
    const tasks: SimulationTask[] = [...once, ...again].map((chunk) => ({
      seeds: chunk,
      keepsLog: false,
    }));
    const results = (
      await inWorkerPool<SimulationResult[]>(tasks, { stage, module: 'payment-simulation.ts' })
    ).flat();
    const [played, repeated] = [results.slice(0, all.length), results.slice(all.length)];
    const traces = new Map(played.map((result) => [result.seed, result.trace]));
    const faulty = played.filter(({ fault }) => fault !== null);
    for (const { seed: failing, fault } of faulty.slice(0, MOST_PRINTED))
      stage.say(`  the simulation ${failing} fails: ${fault}`);
    const changed = repeated.filter((result) => traces.get(result.seed) !== result.trace);
    for (const { seed: one } of changed.slice(0, MOST_PRINTED))
      stage.say(`  the simulation ${one} did not do the same again`);
    return [
      mustBe('simulations that broke an invariant', faulty.length, 0),
      judgedIf(
        seeds >= FULL,
        mustBe('simulations that did something else when run again', changed.length, 0),
      ),
      mustBeAtLeast('simulations', played.length, seeds),
      reported(
        'steps',
        played.reduce((sum, { steps }) => sum + steps, 0),
      ),
      reported('simulations run again', repeated.length),
      ...countsOf(played.map(({ done }) => done)),
    ];
  },
};

/** How often each verb and event was done, in all simulations. */
function countsOf(counts: Record<string, number>[]): Figure[] {
  const all = new Map<string, number>();
  for (const [what, count] of counts.flatMap((one) => Object.entries(one)))
    all.set(what, (all.get(what) ?? 0) + count);
  return [...all]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([what, count]) => reported(`  ${what}`, count));
}

function chunksOf(seeds: number[]): number[][] {
  const chunks: number[][] = [];
  for (let from = 0; from < seeds.length; from += SEEDS_A_TASK)
    chunks.push(seeds.slice(from, from + SEEDS_A_TASK));
  return chunks;
}
