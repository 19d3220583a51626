import { calendarDateIn, isTimeZone } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { GateUnavailable, type GateController, type GateMessage } from '#adapters/gate/controller.ts';
import type { Context } from '#context.ts';
import { doEach } from '#each.ts';
import { raiseAlarm } from '#features/alarms/alarms.ts';
import { findUnits, openUnits, type UnitRow } from './units.ts';

/** Each facility is looked at this often, so that its gate knows of a change within a minute. */
const LOOK_SECONDS = 30;
/** Longer than a message may take (D31): nobody else takes the facility meanwhile. */
const LEASE_SECONDS = 45;
const FACILITIES_AT_ONCE = 8;
const MOST_CHANGES = 500;
const LONGEST_WAIT_SECONDS = 300;
/** A gate that is behind for so long needs a person. */
const ALARM_MINUTES = 15;
const NAMES_IN_ALARM = 20;

/** A facility that this process alone tells of its units for a while; `sequence` is the number of its next message. */
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
 * Tells the gates what changed since they were last told: code, schedule, lockout, a new rental, a move-out. Every facility
 * whose turn it is, several at once, each by one process at a time whatever their number. Nothing has to tell of a change: what
 * should be known is compared with what was told. A gate that cannot be told is tried again, later and later.
 */
export async function pushToGates(ctx: Context): Promise<void> {
  const { gate } = ctx;
  if (gate === null) return;
  await addFacilities(ctx);
  const workers = Array.from({ length: FACILITIES_AT_ONCE }, (_, number) => number);
  await doEach(workers, { atOnce: workers.length, what: 'facilities could not be looked at' }, async () => {
    while (!ctx.stopping.aborted) {
      const lease = await take(ctx, gate);
      if (lease === null) return;
      await tell(ctx, gate, lease);
    }
  });
}

/** Once a night every gate is told everything; what it had otherwise has an alarm. */
export async function askForWholePush({ db, clock }: Context): Promise<void> {
  await db.updateTable('gate_controllers').set({ is_whole_due: true, next_at: clock.now() }).execute();
}

async function addFacilities({ db, clock }: Context): Promise<void> {
  const now = clock.now();
  await sql`
    INSERT INTO gate_controllers (facility_id, next_at, synced_at)
    SELECT id, ${now}::timestamptz, ${now}::timestamptz FROM facilities f
    WHERE NOT EXISTS (SELECT FROM gate_controllers g WHERE g.facility_id = f.id)
    ON CONFLICT DO NOTHING`.execute(db);
}

/** The facility that has waited the longest, or null where none is due. */
async function take({ db, clock }: Context, { target }: GateController): Promise<Lease | null> {
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

async function tell(ctx: Context, gate: GateController, lease: Lease): Promise<void> {
  const { facilityId, facility, sequence, isWhole } = lease;
  const message = { facility, sequence, at: ctx.clock.now() };
  try {
    if (isWhole) await sendAll(ctx, gate, lease, message);
    else await sendChanges(ctx, gate, lease, message);
  } catch (error) {
    if (!(error instanceof GateUnavailable)) throw error;
    ctx.metrics.gatePushes.inc({ outcome: 'failed' });
    ctx.log.warn({ err: error, facilityId }, 'a gate could not be told and will be told later');
    await postpone(ctx, lease);
  }
}

async function sendChanges(ctx: Context, gate: GateController, lease: Lease, message: GateMessage): Promise<void> {
  const { facilityId } = lease;
  const day = { facilityId, today: todayOf(ctx, lease) };
  const rows = await findUnits(ctx, day, MOST_CHANGES);
  const changes = await openUnits(ctx, facilityId, rows);
  if (changes.length > 0) {
    const readAll = async () => openUnits(ctx, facilityId, (await findUnits(ctx, day)).filter(isRented));
    await gate.push(message, changes, readAll);
    ctx.metrics.gatePushes.inc({ outcome: 'told' });
  }
  await note(ctx, gate, lease, rows, rows.length < MOST_CHANGES);
}

async function sendAll(ctx: Context, gate: GateController, lease: Lease, message: GateMessage): Promise<void> {
  const { facilityId } = lease;
  const rows = await findUnits(ctx, { facilityId, today: todayOf(ctx, lease) });
  const differed = await gate.replace(message, await openUnits(ctx, facilityId, rows.filter(isRented)));
  ctx.metrics.gatePushes.inc({ outcome: 'told' });
  // What it was not told yet it had otherwise for good reason.
  const wereSent = new Set(rows.filter(({ isToSend }) => !isToSend).map(({ unit }) => unit));
  const units = (differed ?? []).filter((unit) => wereSent.has(unit));
  if (units.length > 0) await alarmOfDifferences(ctx, lease, units);
  await note(ctx, gate, lease, rows, true);
}

/** The facility's day; of a zone that does not exist, which billing raises an alarm for, that of UTC. */
function todayOf({ clock }: Context, { timeZone }: Lease): string {
  return calendarDateIn(isTimeZone(timeZone) ? timeZone : 'UTC', clock.now());
}

function isRented({ ledgerId }: UnitRow): boolean {
  return ledgerId !== null;
}

/** Keeps what the gate was told, and when the facility is looked at again; nothing where somebody else tells it by now. */
async function note(ctx: Context, { target }: GateController, lease: Lease, rows: UnitRow[], isAll: boolean) {
  const now = ctx.clock.now();
  const kept = rows.filter(isRented);
  const gone = rows.filter((row) => !isRented(row)).map(({ unitId }) => unitId);
  await sql`
    WITH mine AS (
      UPDATE gate_controllers SET leased_until = NULL, failures = 0, is_whole_due = false, target = ${target}::text,
        next_at = ${now}::timestamptz + make_interval(secs => ${isAll ? LOOK_SECONDS : 0}),
        synced_at = CASE WHEN ${isAll} THEN ${now}::timestamptz ELSE synced_at END
      WHERE facility_id = ${lease.facilityId} AND sequence = ${lease.sequence}
      RETURNING facility_id
    ), forgotten AS (
      DELETE FROM gate_pushes WHERE unit_id = ANY(${gone}::uuid[]) AND EXISTS (SELECT FROM mine)
    )
    INSERT INTO gate_pushes AS p (unit_id, facility_id, unit_name, ledger_id, gate_schedule_id, is_suspended, code_digest,
      pushed_at)
    SELECT told.unit_id, mine.facility_id, told.unit_name, told.ledger_id, told.gate_schedule_id, told.is_suspended,
      told.code_digest, ${now}::timestamptz
    FROM mine, unnest(
      ${kept.map(({ unitId }) => unitId)}::uuid[], ${kept.map(({ unit }) => unit)}::text[],
      ${kept.map(({ ledgerId }) => ledgerId)}::uuid[], ${kept.map(({ scheduleId }) => scheduleId)}::integer[],
      ${kept.map(({ isSuspended }) => isSuspended)}::boolean[], ${kept.map(({ codeDigest }) => codeDigest)}::bytea[]
    ) AS told (unit_id, unit_name, ledger_id, gate_schedule_id, is_suspended, code_digest)
    ON CONFLICT (unit_id) DO UPDATE SET facility_id = excluded.facility_id, unit_name = excluded.unit_name,
      ledger_id = excluded.ledger_id, gate_schedule_id = excluded.gate_schedule_id,
      is_suspended = excluded.is_suspended, code_digest = excluded.code_digest, pushed_at = excluded.pushed_at
    WHERE (p.unit_name, p.ledger_id, p.gate_schedule_id, p.is_suspended, p.code_digest) IS DISTINCT FROM
      (excluded.unit_name, excluded.ledger_id, excluded.gate_schedule_id, excluded.is_suspended, excluded.code_digest)`.execute(
    ctx.db,
  );
}

async function postpone(ctx: Context, { facilityId, facility, sequence, failures, syncedAt }: Lease): Promise<void> {
  const now = ctx.clock.now();
  const wait = Math.min(5 * 2 ** failures, LONGEST_WAIT_SECONDS);
  await sql`
    UPDATE gate_controllers SET leased_until = NULL, failures = failures + 1,
      next_at = ${now}::timestamptz + make_interval(secs => ${wait})
    WHERE facility_id = ${facilityId} AND sequence = ${sequence}`.execute(ctx.db);
  if (now.getTime() - syncedAt.getTime() < ALARM_MINUTES * 60_000) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'gate_behind',
    key: `gate_behind:${facilityId}:${syncedAt.toISOString()}`,
    facilityId,
    sentence: `The gate of ${facility} cannot be told of changes since ${syncedAt.toISOString()}. It is tried again and again; the log says why.`,
    facts: { facility, since: syncedAt.toISOString() },
  });
}

async function alarmOfDifferences(ctx: Context, { facilityId, facility }: Lease, units: string[]): Promise<void> {
  const at = ctx.clock.now().toISOString();
  await raiseAlarm(ctx, ctx.db, {
    kind: 'gate_differs',
    key: `gate_differs:${facilityId}:${at}`,
    facilityId,
    sentence: `The gate of ${facility} had ${units.length} of its units otherwise than it was told. It was told all of them again.`,
    facts: { facility, units: units.slice(0, NAMES_IN_ALARM), count: units.length },
  });
}
