import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { LOCATION, proofVault } from './world.ts';
import { getRow } from '@gatehouse/server/test/rows.ts';

const AT_ONCE = 500;
const DAYS_APART = 28;

/**
 * Rentals of many further tenants at the facility, each with this many open rents: bulk data in
 * addition to the tenants who pay. Each gate code is sealed as the server seals it.
 */
export async function addRentals(
  owner: Database,
  rentals: number,
  rentsEach: number,
): Promise<void> {
  const { id: facilityId } = await getRow(owner, 'facilities', 'id', { location_code: LOCATION });
  const today = calendarDateIn('America/Chicago', testClock.now());
  // The current period is billed, so nothing falls due while a proof runs.
  const from = addDays(today, -3 - DAYS_APART * (rentsEach - 1));
  for (let done = 0; done < rentals; done += AT_ONCE) {
    const ids = Array.from({ length: Math.min(AT_ONCE, rentals - done) }, () => randomUUID());
    const codes = ids.map((id) =>
      proofVault.seal('gateCode', id, String(100_000 + (done % 900_000))),
    );
    await owner.transaction().execute(async (trx) => {
      await sql`
        WITH given AS (
          SELECT ledger_id, code, ${done}::int + place AS number
          FROM unnest(${ids}::uuid[], ${codes}::text[]) WITH ORDINALITY AS g (ledger_id, code, place)
        ), renters AS (
          INSERT INTO tenants (facility_id, first_name, last_name, email, street1, city, region, postal_code)
          SELECT ${facilityId}, 'Robin', 'Bulk', 'bulk-' || number || '@example.com', '1 Long Lane', 'Azle', 'TX', '76020'
          FROM given RETURNING id, email
        ), spaces AS (
          INSERT INTO units (facility_id, name, width_feet, length_feet, type_name)
          SELECT ${facilityId}, 'BULK' || number, 10, 20, 'Boat' FROM given RETURNING id, name
        ), rented AS (
          INSERT INTO ledgers (id, tenant_id, unit_id, rental_rate_cents, gate_schedule_id, moved_in_on, paid_through,
            billing_day, billed_through, balance_cents, owed_since)
          SELECT g.ledger_id, r.id, s.id, 20000, 1, ${from}::date, ${from}::date - 1,
            extract(day FROM ${from}::date)::int, ${today}::date + 25, 20000 * ${rentsEach}::bigint,
            CASE WHEN ${rentsEach}::int > 0 THEN ${from}::date END
          FROM given g JOIN renters r ON r.email = 'bulk-' || g.number || '@example.com'
          JOIN spaces s ON s.name = 'BULK' || g.number
          RETURNING id
        ) INSERT INTO gate_codes (ledger_id, access_code) SELECT ledger_id, code FROM given`.execute(
        trx,
      );
      await sql`
        WITH posted AS (
          INSERT INTO entries (ledger_id, facility_id, kind, amount_cents, posted_on)
          SELECT ledger_id, ${facilityId}::uuid, 'charge', 20000, ${from}::date + ${DAYS_APART}::int * period
          FROM unnest(${ids}::uuid[]) AS ledger_id, generate_series(0, ${rentsEach}::int - 1) AS period
          RETURNING id, ledger_id, posted_on
        ) INSERT INTO charges (entry_id, ledger_id, category, description, due_on, period_end, price_cents)
        SELECT id, ledger_id, 'rent', 'Rent', posted_on, posted_on + ${DAYS_APART}::int - 1, 20000 FROM posted`.execute(
        trx,
      );
    });
  }
  await sql`ANALYZE`.execute(owner);
}
