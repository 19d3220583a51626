import { closeAlarm, type Alarm } from '@gatehouse/contract/alarms';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { within, type Places } from '#db/within.ts';
import { workOf } from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { alarmKinds } from '@gatehouse/contract/alarm-kinds';

/** The alarms that are open, or all of them, the newest first; of one facility or of all. */
export function listAlarms(
  db: Database,
  { facilityId, isAll, most }: { facilityId: string | null; isAll: boolean; most: number },
): Promise<Alarm[]> {
  return read(
    db,
    sql`(${isAll}::boolean OR a.closed_at IS NULL) AND (${facilityId}::uuid IS NULL OR a.facility_id = ${facilityId}::uuid)
    ORDER BY a.raised_at DESC, a.id LIMIT ${most}`,
  );
}

/** One alarm. Refuses with 404 an id that is none or out of the places. */
export async function getAlarm(db: Database, id: string, places: Places): Promise<Alarm> {
  const [found] = await read(db, sql`a.id = ${id} AND ${within(sql`a.facility_id`, places)}`);
  if (found === undefined) throw noAlarm(id);
  return found;
}

const advices = new Map(Object.entries(alarmKinds).map(([kind, { advice }]) => [kind, advice]));

/** What to do about alarms of a kind. One of another version may have no advice of its own. */
export function adviceOf(kind: string): string {
  return advices.get(kind) ?? 'Read the log of that time.';
}

type Row = Omit<Alarm, 'advice' | 'raisedAt' | 'closed'> & {
  raisedAt: Date;
  closedAt: Date | null;
  closedBy: string | null;
  closedWhy: string | null;
};

async function read(db: Database, which: RawBuilder<unknown>): Promise<Alarm[]> {
  const { rows } = await sql<Row>`
    SELECT a.id, a.kind, f.location_code AS facility, a.sentence, a.raised_at AS "raisedAt", a.facts,
      a.closed_at AS "closedAt", a.closed_by AS "closedBy", a.closed_why AS "closedWhy"
    FROM alarms a LEFT JOIN facilities f ON f.id = a.facility_id WHERE ${which}`.execute(db);
  return rows.map(({ raisedAt, closedAt, closedBy, closedWhy, ...row }) => ({
    ...row,
    advice: adviceOf(row.kind),
    raisedAt: raisedAt.toISOString(),
    closed: closedAt && { at: closedAt.toISOString(), by: closedBy ?? '', why: closedWhy ?? '' },
  }));
}

/** `alarms.close`. Refuses with 404 an id that is none, and with 422 one that is closed. */
export const closeAlarmOf = workOf(closeAlarm, async ({ trx, call, now }, { alarmId }) => {
  const { rows } = await sql<{ sentence: string; facilityId: string | null; isClosed: boolean }>`
      SELECT sentence, facility_id AS "facilityId", closed_at IS NOT NULL AS "isClosed" FROM alarms
      WHERE id = ${alarmId} AND (${call.facilityIds}::uuid[] IS NULL OR facility_id = ANY(${call.facilityIds}::uuid[]))
      FOR NO KEY UPDATE`.execute(trx);
  const [found] = rows;
  if (found === undefined) throw noAlarm(alarmId);
  if (found.isClosed) throw new Refusal(422, 'This alarm is closed already.');
  await trx
    .updateTable('alarms')
    .set({ closed_at: now, closed_by: call.by, closed_why: call.why })
    .where('id', '=', alarmId)
    .execute();
  const { sentence, facilityId } = found;
  return { reply: { alarmId, sentence }, about: { facilityId, details: { alarm: alarmId } } };
});

function noAlarm(id: string): Refusal {
  return new Refusal(404, `There is no alarm ${id}.`);
}
