import type { Database } from '@gatehouse/server/src/db/database.ts';
import {
  makeCorporation,
  makeFacility,
  makeProtectionPlan,
} from '@gatehouse/server/src/seeds/builders.ts';
import { sql } from 'kysely';

/** The day on which everything of the billing world is due. */
export const DUE_ON = '2026-11-14';

/**
 * One facility with this many rentals, a tenant each, all due on the same day, made by the set:
 * half are taxed, a third has a protection plan, a tenth a discount and a tenth a credit. Answers
 * the facility.
 */
export async function makeBillingWorld(owner: Database, ledgers: number): Promise<string> {
  return await owner.transaction().execute(async (trx) => {
    const corporation_id = await makeCorporation(trx);
    const taxes = { rent_tax1_basis_points: 625, rent_tax2_basis_points: 200 };
    const facilityId = await makeFacility(trx, { corporation_id, ...taxes, card_fee_cents: 500 });
    const planId = await makeProtectionPlan(trx, { facility_id: facilityId });
    const discount = { facility_id: facilityId, name: 'Military 10%', basis_points: 1000 };
    const { id: discountId } = await trx
      .insertInto('discount_plans')
      .values(discount)
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`
        CREATE TEMPORARY TABLE wanted ON COMMIT DROP AS
        SELECT n, gen_random_uuid() AS tenant_id, gen_random_uuid() AS unit_id, gen_random_uuid() AS ledger_id
        FROM generate_series(1, ${ledgers}::int) AS n`.execute(trx);
    await sql`
        INSERT INTO tenants (id, facility_id, first_name, last_name, email, street1, city, region, postal_code)
        SELECT tenant_id, ${facilityId}, 'Dana', 'Reyes', 'tenant-' || n || '@example.com', '18 Heron Lane', 'Azle', 'TX', '76020'
        FROM wanted`.execute(trx);
    await sql`
        INSERT INTO units (id, facility_id, name, width_feet, length_feet, type_name)
        SELECT unit_id, ${facilityId}, 'U' || n, 12, 40, 'RV' FROM wanted`.execute(trx);
    await sql`
        INSERT INTO ledgers (id, tenant_id, unit_id, rental_rate_cents, discount_plan_id, gate_schedule_id, moved_in_on,
          paid_through, billing_day, billed_through, is_taxed)
        SELECT ledger_id, tenant_id, unit_id, 15000 + n % 100 * 100, CASE WHEN n % 10 = 0 THEN ${discountId}::uuid END, 1,
          '2026-01-14', ${DUE_ON}::date - 1, 14, ${DUE_ON}::date - 1, n % 2 = 0
        FROM wanted`.execute(trx);
    await sql`
        INSERT INTO ledger_protection_plans (ledger_id, protection_plan_id, starts_on)
        SELECT ledger_id, ${planId}, '2026-01-14' FROM wanted WHERE n % 3 = 0`.execute(trx);
    await sql`
        WITH credit AS (
          INSERT INTO entries (ledger_id, facility_id, kind, amount_cents, posted_on)
          SELECT ledger_id, ${facilityId}::uuid, 'credit', -5000, ${DUE_ON}::date - 10 FROM wanted WHERE n % 10 = 5 RETURNING id, ledger_id
        ), described AS (
          INSERT INTO credits (entry_id, ledger_id, description) SELECT id, ledger_id, 'Goodwill' FROM credit
        )
        UPDATE ledgers l SET balance_cents = -5000 FROM credit WHERE l.id = credit.ledger_id`.execute(
      trx,
    );
    return facilityId;
  });
}
