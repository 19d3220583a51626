import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createBreaker } from '../payments/stripe-breaker.ts';
import { createSignedPost, PostFailed, type SignedTarget } from '../signed-post.ts';
import { GateUnavailable, type GateController, type GateMessage, type GateUnit } from './controller.ts';

const MOST_NAMES = 10_000;
/** What may be answered to all of a facility's units; anything else says nothing. */
const told = z.object({ differed: z.array(z.string().max(200)).max(MOST_NAMES) });
const PATIENCE_MS = 20_000;

/**
 * The gate controller's own software, which takes signed messages (signed-post.ts): `gate.ping`, `gate.changes` with the units that
 * changed, and `gate.state` with all of a facility, to which it may answer `{"differed": ["A101"]}`, the names of those that
 * it had otherwise. docs/gate.md describes them for who writes that software. After some faults in a row it is left alone
 * for a while (D31).
 */
export function createWebhookGate(target: SignedTarget): GateController {
  const post = createSignedPost(target);
  const through = createBreaker({ isFault: () => true });
  function tell(type: 'gate.changes' | 'gate.state', { facility, sequence, at }: GateMessage, units: GateUnit[]) {
    return send({ type, facility, sequence, at: at.toISOString(), units: units.map(wireOf) });
  }
  async function send(message: object): Promise<string> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const body = JSON.stringify(message);
    try {
      const { text } = await through(() => post(body, { signal }), signal);
      return text;
    } catch (error) {
      const why = error instanceof PostFailed ? error.message : 'it failed several times and is left alone for a while';
      throw new GateUnavailable(`the gate’s controller cannot be told: ${why}`, { cause: error });
    }
  }
  return {
    target: `webhook ${createHash('sha256').update(target.url).digest('hex')}`,
    greet: async () => {
      await send({ type: 'gate.ping', at: new Date().toISOString() });
    },
    push: async (message, changes) => {
      await tell('gate.changes', message, changes);
    },
    replace: async (message, units) => readDiffering(await tell('gate.state', message, units)),
  };
}

function wireOf({ unitId, unit, access }: GateUnit) {
  if (access === null) return { unitId, unit, access };
  const { code, scheduleId, schedule, isSuspended } = access;
  return { unitId, unit, access: { code, scheduleId, schedule, suspended: isSuspended } };
}

function readDiffering(text: string): string[] | null {
  try {
    return told.parse(JSON.parse(text)).differed;
  } catch {
    // Nothing that we understand: it took the message and does not say.
    return null;
  }
}
