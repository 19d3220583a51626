import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import {
  differing,
  GateUnavailable,
  type GateController,
  type GateMessage,
  type GateUnit,
  type UnitState,
} from './controller.ts';

/**
 * The sandbox's gate: a table of the units that were pushed. Of a code it stores only a keyed
 * digest.
 */
export function createSandboxGate(db: Database, secret: Buffer): GateController {
  const rowOf = ({ facility, sequence }: GateMessage, { unitId, unit, access }: GateUnit) => ({
    facility,
    unit_id: unitId,
    unit_name: unit,
    gate_schedule_id: access!.scheduleId,
    is_suspended: access!.isSuspended,
    code_digest: createHmac('sha256', secret)
      .update([unitId, access!.code, ...(access!.otherCodes ?? [])].join('|'))
      .digest(),
    sequence,
  });

  async function write(trx: Database, message: GateMessage, units: GateUnit[]): Promise<void> {
    const gone = units.filter(({ access }) => access === null).map(({ unitId }) => unitId);
    await sql`
      DELETE FROM sandbox_gateway.gate_units WHERE facility = ${message.facility} AND unit_id = ANY(${gone}::uuid[])`.execute(
      trx,
    );
    const rows = units.filter(({ access }) => access !== null).map((unit) => rowOf(message, unit));
    if (rows.length === 0) return;
    await trx
      .insertInto('sandbox_gateway.gate_units')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['facility', 'unit_id']).doUpdateSet((row) => ({
          unit_name: row.ref('excluded.unit_name'),
          gate_schedule_id: row.ref('excluded.gate_schedule_id'),
          is_suspended: row.ref('excluded.is_suspended'),
          code_digest: row.ref('excluded.code_digest'),
          sequence: row.ref('excluded.sequence'),
        })),
      )
      .execute();
  }

  const inTransaction = <T>(work: (trx: Database) => Promise<T>): Promise<T> =>
    db
      .transaction()
      .execute(work)
      .catch((error: unknown) => {
        throw new GateUnavailable('the sandbox’s gate cannot be reached', { cause: error });
      });

  return {
    target: 'sandbox',
    ping: () =>
      inTransaction(async (trx) => {
        await sql`SELECT FROM sandbox_gateway.gate_units LIMIT 1`.execute(trx);
      }),
    push: (message, changes) => inTransaction((trx) => write(trx, message, changes)),

    replace: (message, units) =>
      inTransaction(async (trx) => {
        const before = await trx
          .deleteFrom('sandbox_gateway.gate_units')
          .where('facility', '=', message.facility)
          .returningAll()
          .execute();
        await write(trx, message, units);
        const after = units.map((unit) => rowOf(message, unit));
        return differing(before.map(stateOf), after.map(stateOf));
      }),
  };
}

function stateOf(row: {
  unit_name: string;
  gate_schedule_id: number;
  is_suspended: boolean;
  code_digest: Buffer;
}): UnitState {
  const { unit_name: unit, gate_schedule_id, is_suspended, code_digest } = row;
  return { unit, state: `${gate_schedule_id} ${is_suspended} ${code_digest.toString('hex')}` };
}
