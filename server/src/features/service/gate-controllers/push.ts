import { calendarDateIn, isTimeZone } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import {
  GateUnavailable,
  type GateController,
  type GateMessage,
} from '#adapters/gate/controller.ts';
import type { Context } from '#context/context.ts';
import { doEach } from '#context/each.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { findUnits, openUnits, type UnitRow } from './units.ts';

/** Each facility is compared this often, so that a change reaches its gate within a minute. */
const COMPARE_SECONDS = 30;
/** Longer than a message may take, so that no other process claims the facility meanwhile. */
const LEASE_SECONDS = 45;
const FACILITIES_AT_ONCE = 8;
const MOST_CHANGES = 500;
const LONGEST_WAIT_SECONDS = 300;
/** A gate that has been behind for this long needs a person, and one that refuses us at once. */
const ALARM_MINUTES = 15;
const NAMES_IN_ALARM = 20;

/**
 * A facility that this process has claimed until the lease ends; `sequence` is the number of its
 * next message.
 */
type Lease = {
  facilityId: string;
  facility: string;
  timeZone: string;
  sequence: number;
  isWhole: boolean;
  failures: number;
  syncedAt: Date;
};

/**
 * Pushes changes to the gates: code, schedule, lockout, a new rental, a move-out. Several
 * facilities at once, each by one process at a time. The state that each gate should have is
 * compared with the state last pushed to it, so no writer has to report a change. A push that fails
 * is retried with growing delays.
 */
export async function pushToGates(ctx: Context): Promise<void> {
  const { gate } = ctx;
  if (gate === null) return;
  await addFacilities(ctx);
  const workers = Array.from({ length: FACILITIES_AT_ONCE }, (_, number) => number);
  await doEach(
    workers,
    { atOnce: workers.length, what: 'pushing to the gates failed' },
    async () => {
      while (!ctx.stopping.aborted) {
        const lease = await claim(ctx, gate);
        if (lease === null) return;
        await push(ctx, gate, lease);
      }
    },
  );
}

/** Marks every gate for a push of its whole state, once a night; differences raise an alarm. */
export async function askForWholePush({ db, clock }: Context): Promise<void> {
  await db
    .updateTable('gate_controllers')
    .set({ is_whole_due: true, next_at: clock.now() })
    .execute();
}

async function addFacilities({ db, clock }: Context): Promise<void> {
  const now = clock.now();
  await sql`
    INSERT INTO gate_controllers (facility_id, next_at, synced_at)
    SELECT id, ${now}::timestamptz, ${now}::timestamptz FROM facilities f
    WHERE NOT EXISTS (SELECT FROM gate_controllers g WHERE g.facility_id = f.id)
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Claims the facility that has been due the longest; null where none is due. */
async function claim({ db, clock }: Context, { target }: GateController): Promise<Lease | null> {
  const now = clock.now();
  const { rows } = await sql<Lease>`
    UPDATE gate_controllers g SET sequence = g.sequence + 1,
      leased_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS})
    FROM facilities f
    WHERE f.id = g.facility_id AND g.facility_id = (
      SELECT facility_id FROM gate_controllers
      WHERE next_at <= ${now}::timestamptz AND (leased_until IS NULL OR leased_until <= ${now}::timestamptz)
      ORDER BY next_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING g.facility_id AS "facilityId", f.location_code AS facility, f.time_zone AS "timeZone", g.sequence,
      g.is_whole_due OR g.target IS DISTINCT FROM ${target}::text AS "isWhole", g.failures, g.synced_at AS "syncedAt"`.execute(
    db,
  );
  return rows[0] ?? null;
}

async function push(ctx: Context, gate: GateController, lease: Lease): Promise<void> {
  const { facilityId, facility, sequence, isWhole } = lease;
  const message = { facility, sequence, at: ctx.clock.now() };
  try {
    if (isWhole) await sendAll(ctx, gate, lease, message);
    else await sendChanges(ctx, gate, lease, message);
  } catch (error) {
    if (!(error instanceof GateUnavailable)) throw error;
    ctx.metrics.gatePushes.inc({ outcome: 'failed' });
    ctx.log.warn({ err: error, facilityId }, 'pushing to a gate failed and will be retried');
    await postpone(ctx, lease, error.isRefused);
  }
}

async function sendChanges(
  ctx: Context,
  gate: GateController,
  lease: Lease,
  message: GateMessage,
): Promise<void> {
  const { facilityId } = lease;
  const day = { facilityId, today: todayOf(ctx, lease) };
  const rows = await findUnits(ctx, day, MOST_CHANGES);
  const changes = await openUnits(ctx, facilityId, rows);
  if (changes.length > 0) {
    const readAll = async () =>
      openUnits(ctx, facilityId, (await findUnits(ctx, day)).filter(isRented));
    await gate.push(message, changes, readAll);
    ctx.metrics.gatePushes.inc({ outcome: 'sent' });
  }
  await recordPush(ctx, gate, lease, rows, rows.length < MOST_CHANGES);
}

async function sendAll(
  ctx: Context,
  gate: GateController,
  lease: Lease,
  message: GateMessage,
): Promise<void> {
  const { facilityId } = lease;
  const rows = await findUnits(ctx, { facilityId, today: todayOf(ctx, lease) });
  const differed = await gate.replace(
    message,
    await openUnits(ctx, facilityId, rows.filter(isRented)),
  );
  ctx.metrics.gatePushes.inc({ outcome: 'sent' });
  // A unit with an unsent change differs because of that change.
  const upToDate = new Set(rows.filter(({ isToSend }) => !isToSend).map(({ unit }) => unit));
  const units = (differed ?? []).filter((unit) => upToDate.has(unit));
  if (units.length > 0) await alarmOfDifferences(ctx, lease, units);
  await recordPush(ctx, gate, lease, rows, true);
}

/** The facility's day; in UTC where its zone is invalid, for which billing raises an alarm. */
function todayOf({ clock }: Context, { timeZone }: Lease): string {
  return calendarDateIn(isTimeZone(timeZone) ? timeZone : 'UTC', clock.now());
}

function isRented({ ledgerId }: UnitRow): boolean {
  return ledgerId !== null;
}

/**
 * Stores what was pushed, and when the facility is due again; does nothing where another process
 * has claimed it since.
 */
async function recordPush(
  ctx: Context,
  { target }: GateController,
  lease: Lease,
  rows: UnitRow[],
  isAll: boolean,
) {
  const now = ctx.clock.now();
  const kept = rows.filter(isRented);
  const gone = rows.filter((row) => !isRented(row)).map(({ unitId }) => unitId);
  await sql`
    WITH mine AS (
      UPDATE gate_controllers SET leased_until = NULL, failures = 0, is_whole_due = false, target = ${target}::text,
        next_at = ${now}::timestamptz + make_interval(secs => ${isAll ? COMPARE_SECONDS : 0}),
        synced_at = CASE WHEN ${isAll} THEN ${now}::timestamptz ELSE synced_at END
      WHERE facility_id = ${lease.facilityId} AND sequence = ${lease.sequence}
      RETURNING facility_id
    ), forgotten AS (
      DELETE FROM gate_pushes WHERE unit_id = ANY(${gone}::uuid[]) AND EXISTS (SELECT FROM mine)
    )
    INSERT INTO gate_pushes AS p (unit_id, facility_id, unit_name, ledger_id, gate_schedule_id, is_suspended, code_digest,
      pushed_at)
    SELECT pushed.unit_id, mine.facility_id, pushed.unit_name, pushed.ledger_id, pushed.gate_schedule_id,
      pushed.is_suspended, pushed.code_digest, ${now}::timestamptz
    FROM mine, unnest(
      ${kept.map(({ unitId }) => unitId)}::uuid[], ${kept.map(({ unit }) => unit)}::text[],
      ${kept.map(({ ledgerId }) => ledgerId)}::uuid[], ${kept.map(({ scheduleId }) => scheduleId)}::integer[],
      ${kept.map(({ isSuspended }) => isSuspended)}::boolean[], ${kept.map(({ codeDigest }) => codeDigest)}::bytea[]
    ) AS pushed (unit_id, unit_name, ledger_id, gate_schedule_id, is_suspended, code_digest)
    ON CONFLICT (unit_id) DO UPDATE SET facility_id = excluded.facility_id, unit_name = excluded.unit_name,
      ledger_id = excluded.ledger_id, gate_schedule_id = excluded.gate_schedule_id,
      is_suspended = excluded.is_suspended, code_digest = excluded.code_digest, pushed_at = excluded.pushed_at
    WHERE (p.unit_name, p.ledger_id, p.gate_schedule_id, p.is_suspended, p.code_digest) IS DISTINCT FROM
      (excluded.unit_name, excluded.ledger_id, excluded.gate_schedule_id, excluded.is_suspended, excluded.code_digest)`.execute(
    ctx.db,
  );
}

async function postpone(
  ctx: Context,
  { facilityId, facility, sequence, failures, syncedAt }: Lease,
  isRefused: boolean,
): Promise<void> {
  const now = ctx.clock.now();
  const wait = Math.min(5 * 2 ** failures, LONGEST_WAIT_SECONDS);
  await sql`
    UPDATE gate_controllers SET leased_until = NULL, failures = failures + 1,
      next_at = ${now}::timestamptz + make_interval(secs => ${wait})
    WHERE facility_id = ${facilityId} AND sequence = ${sequence}`.execute(ctx.db);
  if (!isRefused && now.getTime() - syncedAt.getTime() < ALARM_MINUTES * 60_000) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'gate_behind',
    key: `gate_behind:${facilityId}:${syncedAt.toISOString()}`,
    facilityId,
    sentence: `The gate of ${facility} has not received changes since ${syncedAt.toISOString()}. Pushes are retried; the log says why they fail.`,
    facts: { facility, since: syncedAt.toISOString() },
  });
}

async function alarmOfDifferences(
  ctx: Context,
  { facilityId, facility }: Lease,
  units: string[],
): Promise<void> {
  const at = ctx.clock.now().toISOString();
  await raiseAlarm(ctx, ctx.db, {
    kind: 'gate_differs',
    key: `gate_differs:${facilityId}:${at}`,
    facilityId,
    sentence: `The gate of ${facility} reported ${units.length} of its units as different from what was pushed. All of them were pushed again.`,
    facts: { facility, units: units.slice(0, NAMES_IN_ALARM), count: units.length },
  });
}
