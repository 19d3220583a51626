import { formatDate } from '@gatehouse/contract/dates';
import type { Clock } from '#adapters/clock.ts';
import { insertDocument } from '#features/service/esign/make.ts';
import { nextPeriod } from '#features/money/billing/periods.ts';
import type { Vault } from '#crypto/vault.ts';
import {
  makeLedger,
  postCharges,
  postPastPayments,
  totalOf,
  type NewCharge,
  type Owner,
} from './builders.ts';

/** What the people of the demo are made in. */
export type World = {
  db: Owner;
  clock: Clock;
  vault: Vault;
  corporationId: string;
  facility: (locationCode: string) => DemoFacility;
};
export type DemoFacility = {
  id: string;
  timeZone: string;
  plans: string[];
  discountPlanId: string;
};

type Rental = {
  unit: { name: string; width_feet: number; length_feet: number; type_name: string };
  rent: Pick<NewCharge, 'priceCents' | 'discountCents' | 'tax1Cents' | 'tax2Cents'>;
  /** The protection plan's premium, billed with the rent. */
  plan?: { priceCents: number };
  discountPlanId?: string;
  lastDue: string;
  /** The present, where the last period is due today: nothing is posted after it. */
  now?: Date;
  /** Periods billed, the last one due on `lastDue`. */
  months: number;
  isLastPaid: boolean;
  payWith?: { type: 'ach'; description: string };
  scheduleId?: number;
  raise?: { toCents: number; inMonths: number };
  movedOutOn?: string;
};

/**
 * A rental with its history: a period billed every month on its anniversary and paid on the day.
 * Answers the ledger.
 */
export async function makeRental(
  { db, vault }: World,
  tenantId: string,
  facility: DemoFacility,
  rental: Rental,
): Promise<string> {
  const { rent, plan, lastDue, months, raise } = rental;
  const dueDates = Array.from({ length: months }, (_, index) =>
    monthsAfter(lastDue, index + 1 - months),
  );
  const { ledgerId } = await makeLedger(db, vault, {
    tenant_id: tenantId,
    unit: { facility_id: facility.id, ...rental.unit },
    rental_rate_cents: rent.priceCents,
    moved_in_on: dueDates[0]!,
    moved_out_on: rental.movedOutOn ?? null,
    billing_day: Number(lastDue.slice(8)),
    is_taxed: rent.tax1Cents !== undefined,
    gate_schedule_id: rental.scheduleId ?? 1,
    discount_plan_id: rental.discountPlanId ?? null,
    ...(raise && {
      scheduled_rate_cents: raise.toCents,
      scheduled_rate_on: monthsAfter(lastDue, raise.inMonths),
    }),
  });
  const periods = dueDates.map((dueOn) =>
    periodCharges(dueOn, Number(lastDue.slice(8)), rent, plan),
  );
  const ids = await postCharges(db, ledgerId, periods.flat(), rental.now);
  const perPeriod = plan === undefined ? 1 : 2;
  const paid = rental.isLastPaid ? periods : periods.slice(0, -1);
  await postPastPayments(
    db,
    paid.map((charges, index) => ({
      tenantId,
      ledgerId,
      paidOn: charges[0]!.dueOn,
      ...rental.payWith,
      charges: charges.map((charge, part) => ({
        id: ids[index * perPeriod + part]!,
        cents: totalOf(charge),
      })),
    })),
    rental.now,
  );
  return ledgerId;
}

function periodCharges(
  dueOn: string,
  billingDay: number,
  rent: Rental['rent'],
  plan: Rental['plan'],
): NewCharge[] {
  const { periodEnd } = nextPeriod('anniversary', billingDay, dueOn);
  const period = `${formatDate(dueOn)} - ${formatDate(periodEnd)}`;
  const charges: NewCharge[] = [
    { category: 'rent', description: `Rent ${period}`, dueOn, periodEnd, ...rent },
  ];
  if (plan !== undefined)
    charges.push({
      category: 'insurance',
      description: `Protection plan ${period}`,
      dueOn,
      periodEnd,
      ...plan,
    });
  return charges;
}

/** The anniversary `months` later; the 29th to 31st fall back to the month's end. */
function monthsAfter(date: string, months: number): string {
  return Temporal.PlainDate.from(date).add({ months }).toString();
}

type Contents = { contents: string; plate: string; vehicle: string };

/** What is stored, and on which plate. */
export async function describeContents(
  db: Owner,
  ledgerId: string,
  { contents, plate, vehicle }: Contents,
): Promise<void> {
  await db.insertInto('unit_contents').values({ ledger_id: ledgerId, contents }).execute();
  await db
    .insertInto('vehicles')
    .values({ ledger_id: ledgerId, license_plate: plate, description: vehicle })
    .execute();
}

/** What is stored, on which plate, and a protection plan since the move-in. */
export async function completeRental(
  db: Owner,
  ledgerId: string,
  facility: DemoFacility,
  contents: Contents,
): Promise<void> {
  await describeContents(db, ledgerId, contents);
  const { moved_in_on } = await db
    .selectFrom('ledgers')
    .select('moved_in_on')
    .where('id', '=', ledgerId)
    .executeTakeFirstOrThrow();
  const plan = {
    ledger_id: ledgerId,
    protection_plan_id: facility.plans[0]!,
    starts_on: moved_in_on,
    created_at: new Date(`${moved_in_on}T17:00:00Z`),
  };
  await db.insertInto('ledger_protection_plans').values(plan).execute();
}

/** A form that is to be signed, or is. */
export async function makeDocument(
  db: Owner,
  ledgerId: string,
  formName: string,
  status: 'Sent' | 'Completed',
): Promise<void> {
  const { id } = await db
    .selectFrom('envelope_statuses')
    .select('id')
    .where('name', '=', status)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('esign_documents')
    .values({ ledger_id: ledgerId, form_name: formName, envelope_status_id: id })
    .execute();
}

const ADDENDUM = `{tenant} keeps a vehicle in unit {unit} ({unit size}) at {facility}, {facility address}, in addition to the Rental Agreement.

The vehicle is registered and insured for as long as it is stored. {tenant} tells {facility}, {facility phone}, of a new vehicle before it comes.

{initials}

Fuel, batteries and propane are handled as the facility's rules say. Nobody lives in the vehicle, and no repairs are made on the property.

Both sides agree on {today}.

{signature}`;

/** A form of the facility, and a document of it that waits for the tenant's signature. */
export async function makeDocumentToSign(
  { db, clock }: World,
  facility: DemoFacility,
  ledgerId: string,
): Promise<void> {
  const now = clock.now();
  const form = { name: 'Vehicle Storage Addendum', body: ADDENDUM };
  const { id } = await db
    .insertInto('document_forms')
    .values({
      ...form,
      facility_id: facility.id,
      is_at_move_in: false,
      created_at: now,
      by_name: 'Marcus Webb',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const used = { ...form, id, pages: null, second: null };
  const { documentId } = await insertDocument(db, { ledgerId, form: used, now, by: 'Marcus Webb' });
  await db
    .updateTable('document_signers')
    .set({ linked_at: now })
    .where('document_id', '=', documentId)
    .execute();
}
