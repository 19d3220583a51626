import type { Call } from '../harness/client.ts';
import { runRound, type Round, type Shape } from './load.ts';
import type { Pairing } from './report.ts';
import type { Server } from './servers.ts';

/** What is measured, and what it is measured against. */
export type Sides = { real: Server; bare: Server };

/**
 * Rounds of each side that are not counted: the compiler is still at work on the larger of the two.
 */
const WARM_UPS = 2;

/**
 * Rounds of both sides in turn, each first in every second round, after rounds that only warm up.
 */
export async function alternate(
  sides: Sides,
  { shape, rounds }: { shape: Shape; rounds: number },
  callsFor: (side: keyof Sides) => () => Call,
  onRound: (side: keyof Sides, round: Round) => void = () => {},
): Promise<Pairing[]> {
  const calls = { real: callsFor('real'), bare: callsFor('bare') };
  const run = async (side: keyof Sides) => {
    const round = await runRound(sides[side], shape, calls[side]);
    onRound(side, round);
    return round;
  };
  for (let index = 0; index < WARM_UPS; index += 1) {
    await run('real');
    await run('bare');
  }
  const pairings: Pairing[] = [];
  for (let index = 0; index < rounds; index += 1) {
    if (index % 2 === 0) pairings.push({ real: await run('real'), bare: await run('bare') });
    else {
      const bare = await run('bare');
      pairings.push({ real: await run('real'), bare });
    }
  }
  return pairings;
}
