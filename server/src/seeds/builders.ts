import { randomInt, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addDays } from '@gatehouse/contract/dates';
import type { Language } from '@gatehouse/language/language';
import { sql, type Insertable, type Kysely } from 'kysely';
import { inTransaction } from '#db/database.ts';
import type { ChargeCategory, MethodType, StaffRole, Tables } from '#db/tables.ts';
import { insertMandate } from '#features/money/mandates/mandates.ts';
import { post, type NewCharge as PostedCharge } from '#features/base/ledgers/books.ts';
import { readBooks, writePostings } from '#features/base/ledgers/postings.ts';
import { writeRateSince } from '#features/base/ledgers/rate-since.ts';
import { hashPassword } from '#features/people/session/password.ts';
import { debtKey } from '#features/money/payments/intent.ts';
import type { Vault } from '#crypto/vault.ts';

/** The owner's connection or a transaction of it: the app role may not insert these rows. */
export type Owner = Kysely<Tables>;

/**
 * Rows for the demo data and for tests: with defaults, so that a caller names only what matters to
 * it.
 */
type Row<T extends keyof Tables> = Insertable<Tables[T]>;

export async function makeCorporation(
  db: Owner,
  row: Partial<Row<'corporations'>> = {},
): Promise<string> {
  return insert(db, 'corporations', {
    code: 'ANCHOR',
    name: 'Anchor & Axle RV & Boat Storage',
    ...row,
  });
}

/** The operator of ANCHOR, who is made where there is none yet. */
async function findOperator(db: Owner): Promise<string> {
  const operator = await db
    .selectFrom('corporations')
    .select('id')
    .where('code', '=', 'ANCHOR')
    .executeTakeFirst();
  return operator?.id ?? makeCorporation(db);
}

/** A facility of ANCHOR, unless another operator is named. */
export async function makeFacility(db: Owner, row: Partial<Row<'facilities'>>): Promise<string> {
  return insert(db, 'facilities', {
    corporation_id: row.corporation_id ?? (await findOperator(db)),
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
  row: Pick<Row<'tenants'>, 'facility_id'> &
    Partial<Omit<Row<'tenants'>, 'drivers_license_number'>>,
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
export async function giveLicense(
  db: Owner,
  vault: Vault,
  tenantId: string,
  number: string,
): Promise<void> {
  await db
    .updateTable('tenants')
    .set({
      drivers_license_number: vault.seal('license', tenantId, number),
      drivers_license_state: 'TX',
    })
    .where('id', '=', tenantId)
    .execute();
}

/** A sign-in for tenant records, in the order in which they are shown. */
export async function makeUser(
  db: Owner,
  user: {
    corporationId?: string;
    email: string;
    password: string;
    tenantIds: string[];
    language?: Language;
  },
): Promise<string> {
  const { email, password, tenantIds, language = null } = user;
  const corporation_id = user.corporationId ?? (await findOperator(db));
  const password_hash = await hashPassword(password);
  const row = { corporation_id, email, password_hash, language };
  const userId = await insert(db, 'users', row);
  const links = tenantIds.map((tenant_id, index) => ({
    user_id: userId,
    tenant_id,
    position: index + 1,
  }));
  if (links.length > 0) await db.insertInto('user_tenants').values(links).execute();
  return userId;
}

/** A member of staff who has accepted the invitation; for all facilities where none are named. */
export async function makeStaffMember(
  db: Owner,
  member: {
    corporationId?: string;
    email: string;
    name: string;
    role: StaffRole;
    password: string;
    facilityIds: string[] | null;
    createdAt: Date;
  },
): Promise<string> {
  const { email, name, role, password, facilityIds, createdAt } = member;
  const staffId = await insert(db, 'staff_members', {
    corporation_id: member.corporationId ?? (await findOperator(db)),
    email,
    name,
    role,
    created_at: createdAt,
    is_for_all: facilityIds === null,
    password_hash: await hashPassword(password),
  });
  const rows = (facilityIds ?? []).map((facility_id) => ({ staff_id: staffId, facility_id }));
  if (rows.length > 0) await db.insertInto('staff_facilities').values(rows).execute();
  return staffId;
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
  const unitId = await insert(db, 'units', {
    name: 'A101',
    width_feet: 12,
    length_feet: 40,
    type_name: 'RV',
    ...unit,
  });
  const moved_in_on = row.moved_in_on ?? '2025-01-01';
  const ledgerId = await insert(db, 'ledgers', {
    unit_id: unitId,
    rental_rate_cents: 20_000,
    gate_schedule_id: 1,
    moved_in_on,
    paid_through: addDays(moved_in_on, -1),
    billing_day: Number(moved_in_on.slice(8)),
    billed_through: addDays(moved_in_on, -1),
    ...row,
  });
  await db
    .insertInto('gate_codes')
    .values({ ledger_id: ledgerId, access_code: vault.seal('gateCode', ledgerId, newGateCode()) })
    .execute();
  return { ledgerId, unitId };
}

const CODES = 10_000;
let lastCode = randomInt(CODES);

/** No two tenants have one code; the step has no factor in common with the number of codes. */
function newGateCode(): string {
  lastCode = (lastCode + 7919) % CODES;
  return `${String(lastCode).padStart(4, '0')}#`;
}

/** One charge to post: cents before and after discount and taxes; `periodEnd` as billing has it. */
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

/**
 * Posts charges on their due dates, as billing would have: rent with its billed period, and all of
 * it settled from credits that are there. They are posted at noon, and none after `now` where that
 * is given. Answers the entries' ids.
 */
export async function postCharges(
  db: Owner,
  ledgerId: string,
  charges: NewCharge[],
  now?: Date,
): Promise<string[]> {
  const rows = charges.map((charge) => asPosted(charge));
  let [books] = await readBooks(db, [ledgerId]);
  if (books === undefined) throw new Error(`there is no ledger ${ledgerId}`);
  for (const [dueOn, day] of Map.groupBy(rows, (row) => row.dueOn)) {
    const rent = day.filter((row) => row.category === 'rent');
    const billedThrough = rent.reduce(
      (last, row) => (row.periodEnd! > last ? row.periodEnd! : last),
      books.billedThrough,
    );
    const { posting, after } = post(books, day, billedThrough);
    const at = { instant: atNoon(dueOn, now), dayOf: () => dueOn };
    await writePostings(db, at, [posting]);
    await noteBilledPeriods(db, ledgerId, rent, at.instant);
    books = { ...books, ...after };
  }
  await writeRateSince(db, sql`l.id = ${ledgerId}`);
  return rows.map((row) => row.id);
}

function asPosted(charge: NewCharge): PostedCharge {
  const none = { periodEnd: null, discountCents: 0, tax1Cents: 0, tax2Cents: 0, lateFor: null };
  return { ...none, ...charge, kind: 'charge', id: randomUUID() };
}

async function noteBilledPeriods(
  db: Owner,
  ledgerId: string,
  rent: PostedCharge[],
  posted_at: Date,
): Promise<void> {
  if (rent.length === 0) return;
  const periods = rent.map(({ dueOn, periodEnd, priceCents }) => ({
    ledger_id: ledgerId,
    due_on: dueOn,
    period_end: periodEnd!,
    rate_cents: priceCents,
    posted_at,
  }));
  await db.insertInto('billed_periods').values(periods).execute();
}

/** What a charge adds to the balance. */
export function totalOf(charge: NewCharge): number {
  return (
    charge.priceCents -
    (charge.discountCents ?? 0) +
    (charge.tax1Cents ?? 0) +
    (charge.tax2Cents ?? 0)
  );
}

/**
 * A past payment that settled whole charges, as the money core would have posted it, with the
 * gateway's own record.
 */
export type PastPayment = {
  tenantId: string;
  ledgerId: string;
  paidOn: string;
  type?: MethodType;
  description?: string;
  charges: { id: string; cents: number }[];
};

/**
 * Posts past payments, one after the other, as `postCharges` does. The charges of each are those
 * that the facility's order settles at that point.
 */
export async function postPastPayments(
  db: Owner,
  payments: PastPayment[],
  now?: Date,
): Promise<void> {
  for (const payment of payments) await postPastPayment(db, payment, now);
}

async function postPastPayment(
  db: Owner,
  payment: PastPayment,
  now: Date | undefined,
): Promise<void> {
  const {
    tenantId,
    ledgerId,
    charges,
    type = 'creditCard',
    description = 'Visa ending in 4242',
  } = payment;
  const cents = charges.reduce((total, charge) => total + charge.cents, 0);
  const at = atNoon(payment.paidOn, now);
  const intentId = randomUUID();
  const state = type === 'ach' ? 'settled' : 'succeeded';
  const key = debtKey(tenantId, [{ ledgerId, cents, epoch: charges[0]?.id ?? 'none' }]);
  const [books] = await readBooks(db, [ledgerId]);
  if (books === undefined) throw new Error(`there is no ledger ${ledgerId}`);
  const { rows } = await sql<{ receiptNumber: string }>`
    SELECT nextval('receipt_numbers')::text AS "receiptNumber"`.execute(db);
  const { receiptNumber } = rows[0]!;
  const { posting } = post(books, [
    { kind: 'payment', id: randomUUID(), cents, intentId, description, receiptNumber },
  ]);
  const settled = posting.allocations.map(({ chargeId, cents: part }) => `${chargeId}:${part}`);
  if (
    !isDeepStrictEqual(
      settled.sort(),
      charges.map((charge) => `${charge.id}:${charge.cents}`).sort(),
    )
  )
    throw new Error(
      `a past payment of ${payment.paidOn} does not settle the charges that it names`,
    );
  await inTransaction(db, async (trx) => {
    await sql`
      INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt,
        receipt_number, created_at, updated_at, told_at)
      VALUES (${intentId}, ${tenantId}, ${type}, ${description}, ${cents}, ${state}, ${key}, 1, ${receiptNumber}, ${at},
        ${at}, ${at})`.execute(trx);
    await sql`
      INSERT INTO payment_intent_ledgers (intent_id, ledger_id, amount_cents, state)
      VALUES (${intentId}, ${ledgerId}, ${cents}, ${state})`.execute(trx);
    await writePostings(trx, { instant: at, dayOf: () => payment.paidOn }, [posting]);
    await sql`
      INSERT INTO sandbox_gateway.charges (reference, amount_cents, type, last_four, outcome, created_at)
      VALUES (${intentId}, ${cents}, ${type}, ${description.slice(-4)}, ${type === 'ach' ? 'accepted' : 'captured'},
        ${at})`.execute(trx);
  });
}

/** A paper on file: a registration that is valid for a year; its file is not in the store. */
export async function makeVehiclePaper(
  db: Owner,
  vault: Vault,
  {
    number = 'TX-88120042',
    ...row
  }: Pick<Row<'vehicle_papers'>, 'ledger_id' | 'expires_on' | 'created_at'> &
    Partial<Row<'vehicle_papers'>>,
): Promise<string> {
  const id = row.id ?? randomUUID();
  const { facility_id } = await db
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .select('units.facility_id')
    .where('ledgers.id', '=', row.ledger_id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('vehicle_papers')
    .values({
      facility_id,
      kind: 'registration',
      content_type: 'application/pdf',
      bytes: 200,
      file_key: randomUUID(),
      ...row,
      id,
      number: vault.seal('vehiclePaper', id, number),
    })
    .execute();
  return id;
}

/**
 * A card or account that was saved in 2025, with its token at the sandbox gateway. A card expires
 * after every day of tests and of the demo, unless the caller says so.
 */
export async function makePaymentMethod(
  db: Owner,
  vault: Vault,
  {
    id = randomUUID(),
    ...row
  }: Pick<Row<'payment_methods'>, 'tenant_id'> &
    Partial<Omit<Row<'payment_methods'>, 'gateway_token'>>,
): Promise<string> {
  const token = `sandbox_${randomUUID()}`;
  const { last_four: lastFour = '4242', type = 'creditCard' } = row;
  await db
    .insertInto('sandbox_gateway.methods')
    .values({
      token,
      type,
      last_four: lastFour,
      behaviour: 'approve',
      ...(type === 'creditCard' && { funding: 'credit' }),
    })
    .execute();
  const card = {
    brand: 'Visa',
    expires_on: '2099-04',
    holder_name: 'Dana Reyes',
    postal_code: '76020',
    funding: 'credit' as const,
  };
  const account = { brand: 'Business Checking', routing_last_four: '0025' };
  return insert(db, 'payment_methods', {
    id,
    type,
    gateway_token: vault.seal('gatewayToken', id, token),
    last_four: lastFour,
    created_at: new Date('2025-01-01T12:00:00Z'),
    ...(type === 'ach' ? account : card),
    ...row,
  });
}

/** Autopay of a rental with a saved method, on, under the tenant's consent. */
export async function makeAutopay(
  db: Owner,
  ledgerId: string,
  methodId: string,
  agreedAt: Date,
): Promise<void> {
  const ledger = await db
    .selectFrom('ledgers as l')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .innerJoin('facilities as f', 'f.id', 'u.facility_id')
    .select([
      'l.id',
      'u.name as unitName',
      'f.name as facilityName',
      'f.card_fee_cents as cardFeeCents',
    ])
    .where('l.id', '=', ledgerId)
    .executeTakeFirstOrThrow();
  const method = await db
    .selectFrom('payment_methods')
    .select(['id', 'type', 'last_four', 'fingerprint'])
    .where('id', '=', methodId)
    .executeTakeFirstOrThrow();
  const origin = { ip: null, userAgent: null };
  const mandate = await insertMandate(db, { ledger, method, userId: null, origin, at: agreedAt });
  await db
    .insertInto('autopays')
    .values({
      ledger_id: ledgerId,
      payment_method_id: methodId,
      active: true,
      updated_at: agreedAt,
      mandate_id: mandate.id,
    })
    .execute();
}

/** The middle of the facility's day, or `now` where that is still to come. */
function atNoon(date: string, now: Date | undefined): Date {
  const noon = new Date(`${date}T17:00:00Z`);
  return now !== undefined && now < noon ? now : noon;
}

/** Inserts one row of a table that has an id, and answers it. */
async function insert<
  T extends
    | 'corporations'
    | 'facilities'
    | 'tenants'
    | 'users'
    | 'units'
    | 'ledgers'
    | 'protection_plans'
    | 'staff_members'
    | 'payment_methods',
>(db: Owner, table: T, row: Row<T>): Promise<string> {
  const { id } = await db
    .insertInto(table as 'corporations')
    .values(row as Row<'corporations'>)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
