import { randomUUID } from 'node:crypto';
import { MANDATE_VERSION } from '@gatehouse/contract/mandate';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { makeCorporation } from '@gatehouse/server/src/seeds/builders.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { simulatorToken } from '../harness/simulator/instruments.ts';
import { makeFacilityOfWorld, vault } from './world.ts';

/** A rental under autopay, whose first period is due on `dueOn`. */
export type Payer = {
  userId: string;
  tenantId: string;
  unitId: string;
  ledgerId: string;
  cardId: string;
  dueOn: string;
};

export const TIME_ZONE = 'America/Chicago';

/**
 * This many rentals under a mandate for autopay by card, due by turns on the days; nothing is
 * billed yet.
 */
export async function makeAutopayWorld(
  owner: Database,
  { ledgers, dueOn }: { ledgers: number; dueOn: string[] },
): Promise<{ facilityId: string; payers: Payer[] }> {
  const corporationId = await makeCorporation(owner);
  const facilityId = await makeFacilityOfWorld(owner, corporationId, { time_zone: TIME_ZONE });
  const payers = Array.from({ length: ledgers }, (_, index) => ({
    userId: randomUUID(),
    tenantId: randomUUID(),
    unitId: randomUUID(),
    ledgerId: randomUUID(),
    cardId: randomUUID(),
    dueOn: dueOn[index % dueOn.length]!,
  }));
  const column = (name: keyof Payer) => payers.map((payer) => payer[name]);
  const tokens = payers.map(({ cardId }) =>
    vault.seal('gatewayToken', cardId, simulatorToken('creditCard')),
  );
  await sql`
    WITH payer AS (
      SELECT * FROM unnest(${column('userId')}::uuid[], ${column('tenantId')}::uuid[], ${column('unitId')}::uuid[],
        ${column('ledgerId')}::uuid[], ${column('cardId')}::uuid[], ${column('dueOn')}::date[], ${tokens}::text[])
        WITH ORDINALITY AS payer (user_id, tenant_id, unit_id, ledger_id, card_id, due_on, token, place)
    ), tenant AS (
      INSERT INTO tenants (id, facility_id, first_name, last_name, email, phone, street1, city, region, postal_code)
      SELECT tenant_id, ${facilityId}, 'Dana', 'Reyes', 'payer' || place || '@example.com', '8175550142', '18 Heron Lane',
        'Azle', 'TX', '76020' FROM payer
    ), signs_in AS (
      INSERT INTO users (id, corporation_id, email, password_hash)
      SELECT user_id, ${corporationId}, 'payer' || place || '@example.com', 'none' FROM payer
    ), unit AS (
      INSERT INTO units (id, facility_id, name, width_feet, length_feet, type_name)
      SELECT unit_id, ${facilityId}, 'U' || place, 12, 40, 'RV' FROM payer
    ), ledger AS (
      INSERT INTO ledgers (id, tenant_id, unit_id, rental_rate_cents, gate_schedule_id, moved_in_on, paid_through,
        billing_day, billed_through)
      SELECT ledger_id, tenant_id, unit_id, 5000 + place, 1, due_on, due_on - 1, extract(day FROM due_on), due_on - 1 FROM payer
    ), method AS (
      INSERT INTO payment_methods (id, tenant_id, type, gateway_token, brand, last_four, expires_on, holder_name, postal_code,
        funding)
      SELECT card_id, tenant_id, 'creditCard', token, 'Visa', '4242', '2039-04', 'Dana Reyes', '76020', 'credit' FROM payer
    ), mandate AS (
      INSERT INTO mandates (id, ledger_id, user_id, payment_method_id, text_version, text, text_hash, agreed_at)
      SELECT ledger_id, ledger_id, user_id, card_id, ${MANDATE_VERSION}, 'Charge me.', sha256('Charge me.'), ${testClock.now()} FROM payer
    )
    INSERT INTO autopays (ledger_id, payment_method_id, active, updated_at, mandate_id)
    SELECT ledger_id, card_id, true, ${testClock.now()}, ledger_id FROM payer`.execute(owner);
  await sql`ANALYZE`.execute(owner);
  return { facilityId, payers };
}
