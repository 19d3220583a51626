import { z } from 'zod/mini';

/**
 * What a posting does to the gate of its rental at once, by the facility's rules: `closes` and
 * `staysClosed` with what opens it, `closesLater` with the day. `sentence` says it.
 */
export const gateEffect = z.object({
  effect: z.enum(['none', 'closes', 'staysClosed', 'closesLater']),
  sentence: z.string(),
});
export type GateEffect = z.infer<typeof gateEffect>;
