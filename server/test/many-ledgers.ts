import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Clock } from '#adapters/clock.ts';
import { StartFault } from '#errors/start-fault.ts';
import type { Owner } from '#seeds/builders.ts';

export type ManyLedgers = {
  ledgers: number;
  corporationCode: string;
  clock: Clock;
};

const PER_FACILITY = 500;
/** Paid months of each ledger, one payment each. */
const MONTHS = 12;
/** What every tenth rental owes since yesterday. */
const FEE_CENTS = 1500;
const TIME_ZONE = 'America/Chicago';

/**
 * Creates many rentals with set-based SQL, for measurements: facilities `MANY0001`, `MANY0002` and
 * so on of 500 rentals, a tenant each, and of every rental the twelve months up to today, billed
 * and paid, the payments month after month as they come in; the first one of every twentieth by a
 * check, of 9,000 numbers. Every tenth owes a fee besides. No gateway knows the payments. It is one
 * transaction, which drops indexes and foreign keys and creates them again, so nothing else should
 * use the database. Throws a StartFault if such facilities exist.
 */
export async function makeManyLedgers(owner: Owner, order: ManyLedgers): Promise<void> {
  const { ledgers, clock } = order;
  const today = calendarDateIn(TIME_ZONE, clock.now());
  await owner.transaction().execute(async (trx) => {
    await sql`SET LOCAL maintenance_work_mem = '256MB'`.execute(trx);
    await makeFacilities(trx, order);
    const restore = await takeOff(trx);
    await makeRentals(trx, ledgers, today);
    for (let month = 0; month < MONTHS; month += 1) {
      await makeMonth(trx, month);
    }
    await makeFees(trx, addDays(today, -1));
    await restore();
  });
}

async function makeFacilities(
  trx: Owner,
  { ledgers, corporationCode }: ManyLedgers,
): Promise<void> {
  const there = await trx
    .selectFrom('facilities')
    .select('id')
    .where('location_code', 'like', 'MANY%')
    .limit(1)
    .execute();
  if (there.length > 0) throw new StartFault('There is a world of many rentals already.');
  await sql`
    INSERT INTO corporations (code, name) VALUES (${corporationCode}, 'Anchor & Axle RV & Boat Storage')
    ON CONFLICT (code) DO NOTHING`.execute(trx);
  await sql`
    INSERT INTO facilities (corporation_id, location_code, name, phone, email, street1, city, region, postal_code, time_zone)
    SELECT c.id, 'MANY' || lpad(n::text, 4, '0'), 'Facility ' || n, '8175550103', 'facility-' || n || '@example.com',
      '4100 Marina Drive', 'Fort Worth', 'TX', '76135', ${TIME_ZONE}
    FROM corporations c, generate_series(1, ${Math.ceil(ledgers / PER_FACILITY)}::int) n
    WHERE c.code = ${corporationCode}`.execute(trx);
}

const filled = [
  ...[
    'tenants',
    'units',
    'ledgers',
    'entries',
    'charges',
    'allocations',
    'payments',
    'billed_periods',
  ],
  ...['payment_intents', 'payment_intent_ledgers'],
];

/**
 * Drops indexes and constraints that are maintained row by row, and returns a function that creates
 * them again, which checks all rows at once.
 */
async function takeOff(trx: Owner): Promise<() => Promise<void>> {
  const { rows: keys } = await sql<{ of: string; name: string; definition: string }>`
    SELECT conrelid::regclass::text AS of, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype = 'f' AND conrelid = ANY(${filled}::regclass[])`.execute(trx);
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = ANY(${filled}::regclass[])
      AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = indexrelid)`.execute(trx);
  for (const { of, name } of keys)
    await sql`ALTER TABLE ${sql.raw(of)} DROP CONSTRAINT ${sql.id(name)}`.execute(trx);
  for (const { name } of indexes) await sql`DROP INDEX ${sql.raw(name)}`.execute(trx);
  // It would search each unit's other rentals without an index; here every unit has one.
  await sql`ALTER TABLE ledgers DISABLE TRIGGER USER`.execute(trx);
  return async () => {
    await sql`ALTER TABLE ledgers ENABLE TRIGGER USER`.execute(trx);
    for (const { definition } of indexes) await sql.raw(definition).execute(trx);
    for (const { of, name, definition } of keys)
      await sql`ALTER TABLE ${sql.raw(of)} ADD CONSTRAINT ${sql.id(name)} ${sql.raw(definition)}`.execute(
        trx,
      );
  };
}

/** Ids and days of each rental, for the steps; `last_due` is when the newest period began. */
async function makeRentals(trx: Owner, ledgers: number, today: string): Promise<void> {
  await sql`
    CREATE TEMPORARY TABLE many ON COMMIT DROP AS
    SELECT n, f.id AS facility_id, gen_random_uuid() AS tenant_id, gen_random_uuid() AS unit_id,
      gen_random_uuid() AS ledger_id, 15000 + n % 100 * 100 AS rate_cents,
      (CASE WHEN first + day <= ${today}::date THEN first + day ELSE (first - interval '1 month')::date + day END) AS last_due
    FROM generate_series(0, ${ledgers}::int - 1) n
    CROSS JOIN LATERAL (SELECT date_trunc('month', ${today}::date)::date AS first, n % 28 AS day) d
    JOIN facilities f ON f.location_code = 'MANY' || lpad((n / ${PER_FACILITY} + 1)::text, 4, '0')`.execute(
    trx,
  );
  await sql`ANALYZE many`.execute(trx);
  await sql`
    INSERT INTO tenants (id, facility_id, first_name, last_name, email, phone, street1, city, region, postal_code)
    SELECT tenant_id, facility_id, 'Dana', 'Reyes ' || n, 'tenant-' || n || '@example.com', '8175550142', '18 Heron Lane',
      'Azle', 'TX', '76020' FROM many`.execute(trx);
  await sql`
    INSERT INTO units (id, facility_id, name, width_feet, length_feet, type_name)
    SELECT unit_id, facility_id, 'U' || n % ${PER_FACILITY}, 12, 40, 'RV' FROM many`.execute(trx);
  await sql`
    INSERT INTO ledgers (id, tenant_id, unit_id, rental_rate_cents, gate_schedule_id, moved_in_on,
      balance_cents, owed_since, paid_through, billing_day, billed_through, version)
    SELECT ledger_id, tenant_id, unit_id, rate_cents, 1, (last_due - interval '11 months')::date,
      CASE WHEN n % 10 = 0 THEN ${FEE_CENTS}::bigint ELSE 0 END, CASE WHEN n % 10 = 0 THEN ${addDays(today, -1)}::date END,
      through, extract(day FROM last_due), through, ${MONTHS + 1}
    FROM many, LATERAL (SELECT (last_due + interval '1 month')::date - 1 AS through) t`.execute(
    trx,
  );
}

/** Ids that grow with the time, so that their indexes grow at the end only. */
const idOf = (
  kind: 1 | 2 | 3 | 4,
  month: number,
) => sql`(lpad(to_hex(${month}::int), 8, '0') || '-0000-4000-800'
  || ${String(kind)}::text || '-' || lpad(to_hex(n), 12, '0'))::uuid`;

async function makeMonth(trx: Owner, month: number): Promise<void> {
  const due = sql`(last_due - make_interval(months => ${MONTHS - 1 - month}::int))::date`;
  const through = sql`((last_due - make_interval(months => ${MONTHS - 2 - month}::int))::date - 1)`;
  const charge = idOf(1, month);
  const payment = idOf(2, month);
  const intent = idOf(3, month);
  const isCheck = sql`(${month}::int = 0 AND n % 20 = 0)`;
  const type = sql`CASE WHEN ${isCheck} THEN 'check' ELSE 'creditCard' END`;
  const method = sql`CASE WHEN ${isCheck} THEN 'Check ' || 1000 + n / 20 % 9000 ELSE 'Visa ending in 4242' END`;
  const receipt = sql`'M' || ${month}::int || '-' || n`;
  const noon = sql`((${due} + time '12:00') AT TIME ZONE ${TIME_ZONE})`;
  await sql`
    INSERT INTO entries (id, ledger_id, facility_id, kind, amount_cents, posted_on, created_at)
    SELECT ${charge}, ledger_id, facility_id, 'charge', rate_cents, ${due}, ${noon} FROM many`.execute(
    trx,
  );
  await sql`
    INSERT INTO charges (entry_id, ledger_id, category, description, due_on, period_end, price_cents)
    SELECT ${charge}, ledger_id, 'rent', 'Rent', ${due}, ${through}, rate_cents FROM many`.execute(
    trx,
  );
  await sql`
    INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
    SELECT ledger_id, ${due}, ${through}, rate_cents, ${noon} FROM many`.execute(trx);
  await sql`
    INSERT INTO entries (id, ledger_id, facility_id, kind, amount_cents, posted_on, created_at)
    SELECT ${payment}, ledger_id, facility_id, 'payment', -rate_cents, ${due}, ${noon} FROM many`.execute(
    trx,
  );
  await sql`
    INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt,
      receipt_number, created_at, updated_at, told_at, initiator)
    SELECT ${intent}, tenant_id, ${type}, ${method}, rate_cents, 'succeeded',
      convert_to(${month}::int || '|' || n, 'UTF8'), 1, ${receipt}, ${noon}, ${noon}, ${noon}, 'import' FROM many`.execute(
    trx,
  );
  await sql`
    INSERT INTO payment_intent_ledgers (intent_id, ledger_id, amount_cents, state)
    SELECT ${intent}, ledger_id, rate_cents, 'succeeded' FROM many`.execute(trx);
  await sql`
    INSERT INTO payments (entry_id, intent_id, ledger_id, description, receipt_number)
    SELECT ${payment}, ${intent}, ledger_id, ${method}, ${receipt} FROM many`.execute(trx);
  await sql`
    INSERT INTO allocations (credit_entry_id, charge_entry_id, amount_cents)
    SELECT ${payment}, ${charge}, rate_cents FROM many`.execute(trx);
}

/** A tenth of the rentals is late by a day. */
async function makeFees(trx: Owner, dueOn: string): Promise<void> {
  const fee = idOf(4, MONTHS);
  await sql`
    INSERT INTO entries (id, ledger_id, facility_id, kind, amount_cents, posted_on)
    SELECT ${fee}, ledger_id, facility_id, 'charge', ${FEE_CENTS}::bigint, ${dueOn}::date FROM many WHERE n % 10 = 0`.execute(
    trx,
  );
  await sql`
    INSERT INTO charges (entry_id, ledger_id, category, description, due_on, price_cents)
    SELECT ${fee}, ledger_id, 'fee', 'Late fee', ${dueOn}::date, ${FEE_CENTS}::bigint FROM many WHERE n % 10 = 0`.execute(
    trx,
  );
}
