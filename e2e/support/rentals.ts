import { randomUUID } from 'node:crypto';
import { openVault } from '../../server/src/crypto/vault.ts';
import { TEST_DATA_KEYS } from '../../server/test/data-keys.ts';
import { TEST_DAY } from '../../server/test/test-day.ts';
import type { Portal } from './portal.ts';

const vault = openVault([Buffer.from(TEST_DATA_KEYS, 'hex')]);

/**
 * Rents units of four kinds to the record of this person at TXDFW03 that has most rentals, until it
 * has `total`. Every third owes $129.00; every second has its contents entered.
 */
export async function rentUnits(portal: Portal, email: string, total: number): Promise<void> {
  const [tenant] = await portal.sql(
    `SELECT t.id, (SELECT count(*)::int FROM ledgers l WHERE l.tenant_id = t.id AND l.moved_out_on IS NULL) AS rented
     FROM tenants t JOIN facilities f ON f.id = t.facility_id
     WHERE t.email = $1 AND f.location_code = 'TXDFW03' ORDER BY rented DESC LIMIT 1`,
    [email],
  );
  for (let number = tenant?.rented as number; number < total; number++) {
    const ledgerId = randomUUID();
    const isOwing = number % 3 === 0;
    await portal.sql(
      `WITH unit AS (
         INSERT INTO units (facility_id, name, width_feet, length_feet, type_name)
         SELECT facility_id, $3, 12, 30, $4 FROM tenants WHERE id = $1 RETURNING id, facility_id),
       rental AS (
         INSERT INTO ledgers (id, tenant_id, unit_id, rental_rate_cents, gate_schedule_id, moved_in_on, paid_through,
           billing_day, billed_through, balance_cents, owed_since)
         SELECT $2, $1, id, 12900, 1, $8::date - 90, through, extract(day FROM $8::date), billed, $5,
           CASE WHEN $5 > 0 THEN $8::date - 3 END
         FROM unit, (SELECT $8::date + 20 AS billed,
           CASE WHEN $5 > 0 THEN $8::date - 4 ELSE $8::date + 20 END AS through) t
         RETURNING id),
       entry AS (
         INSERT INTO entries (ledger_id, facility_id, kind, amount_cents, posted_on)
         SELECT rental.id, facility_id, 'charge', $5, $8::date - 3 FROM rental, unit WHERE $5 > 0 RETURNING id, ledger_id),
       charge AS (
         INSERT INTO charges (entry_id, ledger_id, category, description, due_on, period_end, price_cents)
         SELECT id, ledger_id, 'rent', 'Rent', $8::date - 3, $8::date + 20, $5 FROM entry),
       contents AS (
         INSERT INTO unit_contents (ledger_id, contents) SELECT id, 'none:' FROM rental WHERE $6)
       INSERT INTO gate_codes (ledger_id, access_code) SELECT id, $7 FROM rental`,
      [
        tenant?.id,
        ledgerId,
        `F${101 + number}`,
        kinds[number % kinds.length],
        isOwing ? 12_900 : 0,
        number % 2 === 0,
        vault.seal('gateCode', ledgerId, `${4100 + number}#`),
        TEST_DAY,
      ],
    );
  }
}

const kinds = ['RV', 'Boat', 'Household', 'Vehicle'];

/** Those of these units whose autopay is off. */
export async function withoutAutopay(portal: Portal, ...unitNames: string[]): Promise<string[]> {
  const rows = await portal.sql(
    `SELECT u.name FROM autopays a JOIN ledgers l ON l.id = a.ledger_id JOIN units u ON u.id = l.unit_id
     WHERE NOT a.active AND u.name = ANY ($1)`,
    [unitNames],
  );
  return rows.map(({ name }) => name as string);
}
