import { randomInt, randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import { sql, type Insertable, type Kysely } from 'kysely';
import type { ChargeCategory, MethodType, Tables } from '#db/tables.ts';
import { hashPassword } from '#features/session/password.ts';
import { debtKey } from '#features/payments/intent.ts';
import type { Vault } from '#vault.ts';

/** The owner's connection or a transaction of it: the app role may not make what is made here. */
export type Owner = Kysely<Tables>;

/** Rows for the demo world and for tests: sensible defaults, and a caller names only what matters to it. */
type Row<T extends keyof Tables> = Insertable<Tables[T]>;

export async function makeCorporation(db: Owner, row: Partial<Row<'corporations'>> = {}): Promise<string> {
  return insert(db, 'corporations', { code: 'ANCHOR', name: 'Anchor & Axle RV & Boat Storage', ...row });
}

export async function makeFacility(
  db: Owner,
  row: Pick<Row<'facilities'>, 'corporation_id'> & Partial<Row<'facilities'>>,
): Promise<string> {
  return insert(db, 'facilities', {
    location_code: 'TXDFW03',
    name: 'Anchor & Axle Eagle Mountain',
    phone: '8175550103',
    email: 'eagle-mountain@anchor-axle.example',
    street1: '4100 Marina Drive',
    city: 'Fort Worth',
    region: 'TX',
    postal_code: '76135',
    time_zone: 'America/Chicago',
    move_out_url: 'https://anchor-axle.example/move-out',
    ...row,
  });
}

/** A tenant record without a driver's license; giveLicense adds one. */
export async function makeTenant(
  db: Owner,
  row: Pick<Row<'tenants'>, 'facility_id'> & Partial<Omit<Row<'tenants'>, 'drivers_license_number'>>,
): Promise<string> {
  return insert(db, 'tenants', {
    first_name: 'Dana',
    last_name: 'Reyes',
    email: 'dana@example.com',
    phone: '8175550142',
    street1: '18 Heron Lane',
    city: 'Azle',
    region: 'TX',
    postal_code: '76020',
    ...row,
  });
}

/** A Texan driver's license on a tenant record. */
export async function giveLicense(db: Owner, vault: Vault, tenantId: string, number: string): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ drivers_license_number: vault.seal('license', tenantId, number), drivers_license_state: 'TX' })
    .where('id', '=', tenantId)
    .execute();
}

/** A sign-in for tenant records, in the order in which they are shown. */
export async function makeUser(
  db: Owner,
  user: { corporationId: string; email: string; password: string; tenantIds: string[] },
): Promise<string> {
  const { corporationId, email, password, tenantIds } = user;
  const row = { corporation_id: corporationId, email, password_hash: await hashPassword(password) };
  const userId = await insert(db, 'users', row);
  const links = tenantIds.map((tenant_id, index) => ({ user_id: userId, tenant_id, position: index + 1 }));
  if (links.length > 0) await db.insertInto('user_tenants').values(links).execute();
  return userId;
}

export async function makeProtectionPlan(
  db: Owner,
  row: Pick<Row<'protection_plans'>, 'facility_id'> & Partial<Row<'protection_plans'>>,
): Promise<string> {
  return insert(db, 'protection_plans', {
    description: '$5,000 protection plan',
    coverage_cents: 500_000,
    premium_cents: 1400,
    ...row,
  });
}

/** A rental of a new unit with a gate code; nothing is billed yet. */
export async function makeLedger(
  db: Owner,
  vault: Vault,
  {
    unit,
    ...row
  }: Pick<Row<'ledgers'>, 'tenant_id'> &
    Partial<Row<'ledgers'>> & { unit: Pick<Row<'units'>, 'facility_id'> & Partial<Row<'units'>> },
): Promise<{ ledgerId: string; unitId: string }> {
  const unitId = await insert(db, 'units', { name: 'A101', width_feet: 12, length_feet: 40, type_name: 'RV', ...unit });
  const moved_in_on = row.moved_in_on ?? '2025-01-01';
  const ledgerId = await insert(db, 'ledgers', {
    unit_id: unitId,
    rental_rate_cents: 20_000,
    gate_schedule_id: 1,
    moved_in_on,
    paid_through: addDays(moved_in_on, -1),
    ...row,
  });
  await db
    .insertInto('gate_codes')
    .values({ ledger_id: ledgerId, access_code: vault.seal('gateCode', ledgerId, newGateCode()) })
    .execute();
  return { ledgerId, unitId };
}

function newGateCode(): string {
  return `${String(randomInt(10_000)).padStart(4, '0')}#`;
}

/** One charge to post: cents before and after discount and taxes; `periodEnd` for rent alone. */
export type NewCharge = {
  category: ChargeCategory;
  description: string;
  dueOn: string;
  periodEnd?: string;
  priceCents: number;
  discountCents?: number;
  tax1Cents?: number;
  tax2Cents?: number;
};

/** Posts charges and brings the ledger's balance and paid-through date up to date. Answers the entries' ids. */
export async function postCharges(db: Owner, ledgerId: string, charges: NewCharge[]): Promise<string[]> {
  const rows = charges.map((charge) => ({ id: randomUUID(), ...charge }));
  await db
    .insertInto('entries')
    .values(
      rows.map((row) => ({
        id: row.id,
        ledger_id: ledgerId,
        kind: 'charge' as const,
        amount_cents: totalOf(row),
        posted_on: row.dueOn,
        created_at: atNoon(row.dueOn),
      })),
    )
    .execute();
  await db
    .insertInto('charges')
    .values(
      rows.map((row) => ({
        entry_id: row.id,
        ledger_id: ledgerId,
        category: row.category,
        description: row.description,
        due_on: row.dueOn,
        period_end: row.periodEnd ?? null,
        price_cents: row.priceCents,
        discount_cents: row.discountCents ?? 0,
        tax1_cents: row.tax1Cents ?? 0,
        tax2_cents: row.tax2Cents ?? 0,
      })),
    )
    .execute();
  await refreshLedger(db, ledgerId);
  return rows.map((row) => row.id);
}

/** What a charge adds to the balance. */
export function totalOf(charge: NewCharge): number {
  return charge.priceCents - (charge.discountCents ?? 0) + (charge.tax1Cents ?? 0) + (charge.tax2Cents ?? 0);
}

/** A past payment that settled whole charges, as the money core would have posted it, with the gateway's own record. */
export type PastPayment = {
  tenantId: string;
  ledgerId: string;
  paidOn: string;
  type?: MethodType;
  description?: string;
  charges: { id: string; cents: number }[];
};

/** Posts past payments and brings the ledger up to date. The payments of one call belong to one ledger. */
export async function postPastPayments(db: Owner, payments: PastPayment[]): Promise<void> {
  for (const payment of payments) await postPastPayment(db, payment);
  if (payments[0] !== undefined) await refreshLedger(db, payments[0].ledgerId);
}

async function postPastPayment(db: Owner, payment: PastPayment): Promise<void> {
  const { tenantId, ledgerId, charges, type = 'creditCard', description = 'Visa ending in 4242' } = payment;
  const cents = charges.reduce((total, charge) => total + charge.cents, 0);
  const at = atNoon(payment.paidOn);
  const intentId = randomUUID();
  const entryId = randomUUID();
  const state = type === 'ach' ? ('settled' as const) : ('succeeded' as const);
  const { receipt_number } = await db
    .insertInto('payment_intents')
    .values({
      id: intentId,
      tenant_id: tenantId,
      type,
      method_description: description,
      amount_cents: cents,
      state,
      debt_key: debtKey(Buffer.alloc(32), tenantId, [{ ledgerId, cents, epoch: charges[0]?.id ?? 'none' }]),
      attempt: 1,
      receipt_number: sql<string>`nextval('receipt_numbers')::text`,
      created_at: at,
      updated_at: at,
    })
    .returning('receipt_number')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('payment_intent_ledgers')
    .values({ intent_id: intentId, ledger_id: ledgerId, amount_cents: cents, state })
    .execute();
  await db
    .insertInto('entries')
    .values({
      id: entryId,
      ledger_id: ledgerId,
      kind: 'payment',
      amount_cents: -cents,
      posted_on: payment.paidOn,
      created_at: at,
    })
    .execute();
  await db
    .insertInto('payments')
    .values({
      entry_id: entryId,
      intent_id: intentId,
      ledger_id: ledgerId,
      description,
      receipt_number: receipt_number!,
    })
    .execute();
  await db
    .insertInto('allocations')
    .values(
      charges.map((charge) => ({ credit_entry_id: entryId, charge_entry_id: charge.id, amount_cents: charge.cents })),
    )
    .execute();
  await db
    .insertInto('sandbox_gateway.charges')
    .values({
      reference: intentId,
      amount_cents: cents,
      type,
      last_four: description.slice(-4),
      outcome: type === 'ach' ? 'accepted' : 'captured',
      decline_message: null,
      created_at: at,
    })
    .execute();
}

/** A saved card or account with its token at the sandbox gateway. */
export async function makePaymentMethod(
  db: Owner,
  vault: Vault,
  {
    id = randomUUID(),
    ...row
  }: Pick<Row<'payment_methods'>, 'tenant_id'> & Partial<Omit<Row<'payment_methods'>, 'gateway_token'>>,
): Promise<string> {
  const token = `sandbox_${randomUUID()}`;
  const { last_four: lastFour = '4242', type = 'creditCard' } = row;
  await db
    .insertInto('sandbox_gateway.methods')
    .values({ token, type, last_four: lastFour, behaviour: 'approve' })
    .execute();
  const expires_on = `${new Date().getFullYear() + 3}-04`;
  const card = { brand: 'Visa', expires_on, holder_name: 'Dana Reyes', postal_code: '76020' };
  const account = { brand: 'Business Checking', routing_last_four: '0025' };
  return insert(db, 'payment_methods', {
    id,
    type,
    gateway_token: vault.seal('gatewayToken', id, token),
    last_four: lastFour,
    ...(type === 'ach' ? account : card),
    ...row,
  });
}

/** The ledger's cached balance and paid-through date from its entries, as the money core keeps them. */
async function refreshLedger(db: Owner, ledgerId: string): Promise<void> {
  await sql`
    UPDATE ledgers SET
      balance_cents = (SELECT coalesce(sum(amount_cents), 0) FROM entries WHERE ledger_id = ledgers.id),
      paid_through = coalesce(
        (SELECT min(due_on) - 1 FROM open_charges WHERE ledger_id = ledgers.id AND category = 'rent'),
        (SELECT max(period_end) FROM charges WHERE ledger_id = ledgers.id AND category = 'rent'),
        paid_through)
    WHERE id = ${ledgerId}`.execute(db);
}

/** The middle of the facility's day, or now when that is still to come. */
function atNoon(date: string): Date {
  return new Date(Math.min(Date.parse(`${date}T17:00:00Z`), Date.now()));
}

/** Inserts one row of a table that has an id, and answers it. */
async function insert<
  T extends
    'corporations' | 'facilities' | 'tenants' | 'users' | 'units' | 'ledgers' | 'protection_plans' | 'payment_methods',
>(db: Owner, table: T, row: Row<T>): Promise<string> {
  const { id } = await db
    .insertInto(table as 'corporations')
    .values(row as Row<'corporations'>)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
