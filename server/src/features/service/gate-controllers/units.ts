import { sql } from 'kysely';
import type { GateUnit } from '#adapters/gate/controller.ts';
import type { Context } from '#context/context.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { isAuthorizedOn } from '#features/service/gate-access/authorized-persons.ts';
import { isSuspendedOn } from '#features/service/gate-access/suspension.ts';
import { BrokenSeal } from '#crypto/vault.ts';

/**
 * The state that a unit should have at the gate, and whether the gate has yet to receive it.
 * `ledgerId` and the following fields are null if there is no rental or it has no code: then no
 * code of the unit may open.
 */
export type UnitRow = {
  unitId: string;
  unit: string;
  isToSend: boolean;
  ledgerId: string | null;
  sealedCode: string | null;
  /** Those of further persons, by their ids. */
  persons: { id: string; sealed: string }[] | null;
  codeDigest: Buffer | null;
  scheduleId: number | null;
  schedule: string | null;
  isSuspended: boolean | null;
};

/**
 * The facility's units that have a code on its `today`, or had one in the last message to the gate,
 * by name. With `most`, at most this many, and only units that differ from what was last sent. A
 * rental that begins later has no code yet. Locked-out units are suspended, by `isSuspended`.
 */
export async function findUnits(
  ctx: Pick<Context, 'db' | 'gateway'>,
  { facilityId, today }: { facilityId: string; today: string },
  most: number | null = null,
): Promise<UnitRow[]> {
  const { rows } = await sql<UnitRow>`
    WITH wanted AS (
      SELECT u.id AS unit_id, u.name, l.id AS ledger_id, l.gate_schedule_id, ${isSuspendedOn(ctx, today)} AS is_suspended,
        c.access_code, further.persons,
        sha256(convert_to(c.access_code || coalesce(further.codes, ''), 'UTF8')) AS code_digest
      FROM units u JOIN facilities f ON f.id = u.facility_id
      -- One at most; the limit has it looked up, whatever the size of the tables. On the day of a transfer unit_id changes
      -- hours after midnight.
      CROSS JOIN LATERAL (SELECT rental.* FROM unit_days d JOIN ledgers rental ON rental.id = d.ledger_id
        WHERE d.unit_id = u.id AND d.days @> ${today}::date LIMIT 1) l
      JOIN gate_codes c ON c.ledger_id = l.id
      CROSS JOIN LATERAL (
        SELECT string_agg(p.access_code, ',' ORDER BY p.id) AS codes,
          json_agg(json_build_object('id', p.id, 'sealed', p.access_code) ORDER BY p.id) AS persons
        FROM authorized_persons p WHERE p.ledger_id = l.id AND ${isAuthorizedOn(today)}
      ) further
      WHERE u.facility_id = ${facilityId}
    ), sent AS (
      SELECT unit_id, unit_name, ledger_id, gate_schedule_id, is_suspended, code_digest FROM gate_pushes
      WHERE facility_id = ${facilityId}
    ), both_sides AS (
      SELECT coalesce(w.unit_id, t.unit_id) AS unit_id, coalesce(w.name, t.unit_name) AS unit, w.ledger_id, w.access_code, w.persons,
        w.code_digest, w.gate_schedule_id, w.is_suspended,
        (w.name, w.ledger_id, w.gate_schedule_id, w.is_suspended, w.code_digest) IS DISTINCT FROM
          (t.unit_name, t.ledger_id, t.gate_schedule_id, t.is_suspended, t.code_digest) AS is_to_send
      FROM wanted w FULL JOIN sent t ON t.unit_id = w.unit_id
    )
    SELECT b.unit_id AS "unitId", b.unit, b.is_to_send AS "isToSend", b.ledger_id AS "ledgerId",
      b.access_code AS "sealedCode", b.persons, b.code_digest AS "codeDigest", b.gate_schedule_id AS "scheduleId",
      s.name AS schedule, b.is_suspended AS "isSuspended"
    FROM both_sides b LEFT JOIN gate_schedules s ON s.id = b.gate_schedule_id
    WHERE b.is_to_send OR ${most}::integer IS NULL
    ORDER BY b.unit, b.unit_id LIMIT ${most}::integer`.execute(ctx.db);
  return rows;
}

/**
 * The units as they are sent to the gate, with decrypted codes. A unit whose code cannot be
 * decrypted is left out, with an alarm, so that the others do not wait for it.
 */
export async function openUnits(
  ctx: Context,
  facilityId: string,
  rows: UnitRow[],
): Promise<GateUnit[]> {
  const units: GateUnit[] = [];
  for (const row of rows) {
    try {
      units.push(openUnit(ctx, row));
    } catch (error) {
      if (!(error instanceof BrokenSeal)) throw error;
      await raiseAlarm(ctx, ctx.db, {
        kind: 'gate_code_sealed',
        key: `gate_code_sealed:${row.unitId}:${(row.codeDigest ?? Buffer.alloc(0)).toString('hex')}`,
        facilityId,
        sentence: `The gate code of unit ${row.unit} opens with none of the keys, so the gate cannot be told of it.`,
        facts: { ledger: row.ledgerId, unit: row.unit },
      });
    }
  }
  return units;
}

function openUnit({ vault }: Context, row: UnitRow): GateUnit {
  const { unitId, unit, ledgerId, sealedCode, persons, scheduleId, schedule, isSuspended } = row;
  if (ledgerId === null) return { unitId, unit, access: null };
  // Where there is a rental, the reading has all of these.
  const code = vault.open('gateCode', ledgerId, sealedCode!);
  const otherCodes = persons?.map(({ id, sealed }) => vault.open('personCode', id, sealed));
  return {
    unitId,
    unit,
    access: {
      code,
      ...(otherCodes && { otherCodes }),
      scheduleId: scheduleId!,
      schedule: schedule!,
      isSuspended: isSuspended!,
    },
  };
}
