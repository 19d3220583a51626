import { createHash } from 'node:crypto';
import { z } from 'zod';
import { PostFailed, refusalIn } from '../bounded-post.ts';
import { createBreaker } from '../breaker.ts';
import { createSignedPost, type SignedTarget } from '../signed-post.ts';
import {
  GateUnavailable,
  type GateController,
  type GateMessage,
  type GateUnit,
} from './controller.ts';

const MOST_NAMES = 10_000;
/**
 * The answer to `gate.state`; any other answer means that the controller does not report
 * differences.
 */
const differences = z.object({ differed: z.array(z.string().max(200)).max(MOST_NAMES) });
const PATIENCE_MS = 20_000;

/**
 * The gate controller's own software, which receives signed messages (signed-post.ts): `gate.ping`,
 * `gate.changes` with the units that changed, and `gate.state` with all units of a facility, to
 * which it may answer `{"differed": ["A101"]}`, the names of those that differed there.
 * docs/gate.md describes them for the authors of that software. A circuit breaker stops the calls
 * for a while after some failures in a row.
 */
export function createWebhookGate(target: SignedTarget): GateController {
  const post = createSignedPost(target);
  const through = createBreaker({ isFault: () => true });
  function sendUnits(
    type: 'gate.changes' | 'gate.state',
    { facility, sequence, at }: GateMessage,
    units: GateUnit[],
  ) {
    return send({ type, facility, sequence, at: at.toISOString(), units: units.map(wireOf) });
  }
  async function send(message: object): Promise<string> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const body = JSON.stringify(message);
    try {
      const { text } = await through(() => post(body, { signal }), signal);
      return text;
    } catch (error) {
      const isOfPost = error instanceof PostFailed;
      const why = isOfPost
        ? error.message
        : 'it failed several times and is not called for a while';
      throw new GateUnavailable(`the gate controller cannot be reached: ${why}`, {
        cause: error,
        isRefused: isOfPost && refusalIn(error) !== null,
      });
    }
  }
  return {
    target: `webhook ${createHash('sha256').update(target.url).digest('hex')}`,
    ping: async () => {
      await send({ type: 'gate.ping', at: new Date().toISOString() });
    },
    push: async (message, changes) => {
      await sendUnits('gate.changes', message, changes);
    },
    replace: async (message, units) => readDiffering(await sendUnits('gate.state', message, units)),
  };
}

function wireOf({ unitId, unit, access }: GateUnit) {
  if (access === null) return { unitId, unit, access };
  const { code, otherCodes, scheduleId, schedule, isSuspended } = access;
  return {
    unitId,
    unit,
    access: {
      code,
      ...(otherCodes && { otherCodes }),
      scheduleId,
      schedule,
      suspended: isSuspended,
    },
  };
}

function readDiffering(text: string): string[] | null {
  try {
    return differences.parse(JSON.parse(text)).differed;
  } catch {
    // Not an answer to `gate.state`: the message arrived, and differences are unknown.
    return null;
  }
}
