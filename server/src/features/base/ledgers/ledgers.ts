import { sql } from 'kysely';
import { anyOf } from '#db/any-of.ts';
import type { Database } from '#db/database.ts';
import type { ChargeCategory } from '#db/tables.ts';
import { rentLateSince } from './owed-since.ts';

/** A charge with something owed, as it is in a ledger row. */
export type OpenChargeRow = {
  id: string;
  category: ChargeCategory;
  description: string;
  owed_cents: number;
  discount_cents: number;
  tax1_cents: number;
  tax2_cents: number;
};

/** A current rental with its unit, vehicle and open charges. */
export type LedgerRow = {
  id: string;
  tenant_id: string;
  unit_id: string;
  unit_name: string;
  width_feet: number;
  length_feet: number;
  type_name: string;
  rental_rate_cents: number;
  balance_cents: number;
  paid_through: string;
  rent_late_since: string | null;
  scheduled_rate_cents: number | null;
  scheduled_rate_on: string | null;
  discount_plan_id: string | null;
  gate_schedule_id: number;
  license_plate: string | null;
  vehicle_description: string | null;
  charges: OpenChargeRow[];
};

/**
 * The current rentals of the tenant records on the facility's `today`, by unit name. One that owes
 * nothing has no open charge: none is looked for.
 */
export async function findLedgers(
  db: Database,
  tenantIds: string[],
  today: string,
): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    SELECT l.id, l.tenant_id, l.unit_id, u.name AS unit_name, u.width_feet, u.length_feet, u.type_name,
      l.rental_rate_cents, l.balance_cents, l.paid_through, ${rentLateSince} AS rent_late_since, l.scheduled_rate_cents, l.scheduled_rate_on,
      l.discount_plan_id, l.gate_schedule_id, v.license_plate, v.description AS vehicle_description, open.charges
    FROM ledgers l
    JOIN units u ON u.id = l.unit_id
    LEFT JOIN vehicles v ON v.ledger_id = l.id
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('id', c.entry_id, 'category', c.category, 'description', c.description,
        'owed_cents', c.owed_cents, 'discount_cents', c.discount_cents, 'tax1_cents', c.tax1_cents,
        'tax2_cents', c.tax2_cents) ORDER BY c.due_on, c.position), '[]') AS charges
      FROM open_charges c WHERE c.ledger_id = l.id AND l.balance_cents > 0
    ) open
    WHERE l.tenant_id = ${anyOf(tenantIds)} AND is_current_on(l.moved_out_on, ${today}::date)
    ORDER BY array_position(${tenantIds}::uuid[], l.tenant_id), u.name`.execute(db);
  return rows;
}
