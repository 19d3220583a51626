import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { clockOf } from '#adapters/clock.ts';
import { postWebhook } from '#adapters/webhook.ts';
import { COMMAND } from '#config/command.ts';
import { openGate } from '#app/start.ts';
import { hasTables } from './database.ts';
import { fault, ok, warning } from '#features/desk/going-live/finding.ts';
import type { Check } from './patient.ts';

/** A facility's gate receives its whole state once a night. */
const NIGHT_SECONDS = 26 * 3600;

/**
 * Pings the controller, which changes nothing, and checks how far behind each facility's gate is.
 */
export const gate: Check = {
  subject: 'gate',
  async run({ config, db }) {
    const { kind } = config.gate;
    if (kind === 'none') return [ok('Codes are not pushed to a gate (GATE=none).')];
    if (kind === 'sandbox' && db === null) return [];
    try {
      await openGate(config, db!)!.ping();
    } catch (error) {
      const { message, cause } = error as Error;
      const why =
        cause instanceof Error && kind === 'file' ? `${message}: ${cause.message}` : message;
      return [
        fault(
          `${asSentence(why)}.`,
          kind === 'file'
            ? 'Give the folder that GATE names to the server’s user, and free space on it.'
            : 'See whether GATE and GATE_SECRET are right and the controller’s software runs (docs/gate.md). Until then the gate keeps the codes of the last push.',
        ),
      ];
    }
    const found = [ok(`The gate’s controller (${kind}) answers.`)];
    if (!(await hasTables(db))) return found;
    const now = clockOf(config).now();
    const { rows } = await sql<{ code: string; seconds: number; failures: number }>`
      SELECT f.location_code AS code, g.failures, extract(epoch FROM ${now}::timestamptz - g.synced_at)::float AS seconds
      FROM gate_controllers g JOIN facilities f ON f.id = g.facility_id
      WHERE g.failures > 0 OR g.synced_at < ${now}::timestamptz - ${NIGHT_SECONDS} * interval '1 second'
      ORDER BY g.synced_at`.execute(db!);
    const [worst] = rows;
    if (worst !== undefined)
      found.push(
        warning(
          `${rows.length} facilities’ gates are behind, the first ${worst.code}: for ${(worst.seconds / 3600).toFixed(1)} hours, ${worst.failures} tries failed in a row.`,
          'See whether a server runs that works on jobs (PROCESS=all or worker), and its log; it tries again by itself.',
        ),
      );
    return found;
  },
};

/** Sends a signed ping, and counts undelivered events. */
export const webhook: Check = {
  subject: 'webhook',
  async run({ config, db }) {
    if (config.webhook === undefined)
      return [ok('None is set: requests are not sent to another system.')];
    const found = [];
    const [id, at] = [randomUUID(), new Date()];
    const body = JSON.stringify({ id, type: 'ping', occurredAt: at.toISOString() });
    try {
      await postWebhook(config.webhook, { id, body, at });
      found.push(ok('It takes a signed ping.'));
    } catch (error) {
      found.push(
        fault(
          `A ping was not taken: ${(error as Error).message}.`,
          'See whether WEBHOOK_URL and WEBHOOK_SECRET are right and the receiver runs (docs/webhook.md). Events are tried for a day.',
        ),
      );
    }
    if (!(await hasTables(db))) return found;
    const now = clockOf(config).now();
    const { rows } = await sql<{ dead: number; waiting: number }>`
      SELECT count(*) FILTER (WHERE dead_at > ${now}::timestamptz - interval '7 days')::int AS dead,
        count(*) FILTER (WHERE dead_at IS NULL AND delivered_at IS NULL AND begun_at < ${now}::timestamptz - interval '15 minutes')::int
          AS waiting
      FROM webhook_deliveries`.execute(db!);
    const { dead, waiting } = rows[0]!;
    if (waiting > 0)
      found.push(
        warning(
          `${waiting} events have waited for more than 15 minutes.`,
          'They are tried for a day.',
        ),
      );
    if (dead > 0)
      found.push(
        warning(
          `${dead} events were given up within a week.`,
          `Once the receiver takes events: ${COMMAND} requests replay --dead.`,
        ),
      );
    return found;
  },
};

function asSentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1).replace(/\.$/, '');
}
