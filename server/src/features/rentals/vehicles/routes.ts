import { calendarDateIn } from '@gatehouse/contract/dates';
import { updateVehicle } from '@gatehouse/contract/vehicles';
import { sql } from 'kysely';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#errors/refusal.ts';

export function vehicleRoutes({ guarded }: Routes): void {
  guarded(updateVehicle, async ({ ctx, caller, params, body }) => {
    const { licensePlate, description } = body;
    const today = calendarDateIn(caller.timeZone, ctx.clock.now());
    const { rows } = await sql<{ licensePlate: string; description: string }>`
      INSERT INTO vehicles (ledger_id, license_plate, description)
      SELECT id, ${licensePlate}, ${description} FROM ledgers
      WHERE id = ${params.ledgerId} AND tenant_id = ANY(${caller.tenantIds}::uuid[])
        AND is_current_on(moved_out_on, ${today}::date)
      ON CONFLICT (ledger_id) DO UPDATE SET license_plate = excluded.license_plate, description = excluded.description
      RETURNING license_plate AS "licensePlate", description`.execute(ctx.db);
    if (rows[0] === undefined) throw notFound();
    return rows[0];
  });
}
