import type { Call } from '../harness/client.ts';
import { runRound, type Round, type Shape } from './load.ts';
import type { Server } from './servers.ts';

/** One round of each side, right after each other. */
export type Turn<Side extends string> = Record<Side, Round>;

/**
 * Rounds of each side that are not counted: the compiler is still at work on the larger of them.
 */
const WARM_UPS = 2;

type Rounds = { shape: Shape; rounds: number; warmUps?: number };

/**
 * Rounds of all sides in turn, in the other order in every second turn, after some that only warm
 * up.
 */
export async function alternate<Side extends string>(
  sides: Record<Side, Server>,
  { shape, rounds, warmUps = WARM_UPS }: Rounds,
  callsFor: (side: Side) => () => Call,
  onRound: (side: Side, round: Round) => void = () => {},
): Promise<Turn<Side>[]> {
  const names = Object.keys(sides) as Side[];
  const calls = Object.fromEntries(names.map((side) => [side, callsFor(side)])) as Record<
    Side,
    () => Call
  >;
  const turns: Turn<Side>[] = [];
  for (let index = -warmUps; index < rounds; index += 1) {
    const turn: Partial<Turn<Side>> = {};
    for (const side of index % 2 === 0 ? names : names.toReversed()) {
      const round = await runRound(sides[side], shape, calls[side]);
      onRound(side, round);
      turn[side] = round;
    }
    if (index >= 0) turns.push(turn as Turn<Side>);
  }
  return turns;
}
