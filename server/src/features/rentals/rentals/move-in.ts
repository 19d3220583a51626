import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn, daysBetween } from '@gatehouse/contract/dates';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import { mailQuote, moveIn, quoteMoveIn } from '@gatehouse/contract/moves';
import type { VerbBody, VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { quoteEmail } from '#emails/quote.ts';
import { readBillable } from '#features/money/billing/billable.ts';
import { billLedger, type BilledPeriod } from '#features/money/billing/ledger-bill.ts';
import { makeMoveInDocuments } from '#features/service/esign/make.ts';
import { giveGateCode } from '#features/service/gate-access/codes.ts';
import { entryCents, post, type NewCharge } from '#features/base/ledgers/books.ts';
import { lockBooks, postLocked } from '#features/base/ledgers/postings.ts';
import { countStaffMail, takeStaffMail } from '#features/base/limits/staff-mails.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import {
  getOneFacility,
  runStaffVerb,
  type StaffCall,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { inviteTenant } from '#features/people/users/users.ts';
import { Refusal } from '#errors/refusal.ts';
import { demandDayAhead } from './day-ahead.ts';
import { demandRentable, demandRentableGuest } from './do-not-rent.ts';
import { isOverlap } from './unit-days.ts';
import { demandInService } from './units.ts';

type Body = VerbBody<typeof moveIn>;
type Reply = VerbReply<typeof quoteMoveIn>;

/** A rental begins and ends this many days back at most: more is a slip of the keyboard. */
export const MOST_DAYS_BACK = 60;
const BUSINESS_HOURS = 1;

/** `rentals.quote`: a move-in that is rolled back, so that it says what `rentals.moveIn` does. */
export function quoteMoveInOf(ctx: Context, call: StaffCall, body: unknown): Promise<Reply> {
  return runStaffVerb(ctx, quoteMoveIn, { ...call, isPreview: true }, body, quote);
}

/**
 * `rentals.mailQuote`: the same, mailed to the record's address or the one that is named. Refuses
 * as `rentals.moveIn` does, with 422 where that address is none, and with 429 too many mails to
 * strangers.
 */
export const mailQuoteOf = workOf(mailQuote, async (on, terms) => {
  // A move-in that is taken back before the mail is queued.
  await sql`SAVEPOINT quote`.execute(on.trx);
  const { reply, about } = await quote(on, terms);
  await sql`ROLLBACK TO SAVEPOINT quote`.execute(on.trx);
  const { facilityId } = about;
  const { unitName } = reply.ledgers[0]!;
  const { tenantId } = terms;
  const details = { unit: unitName, rate: String(reply.rate), total: String(reply.total) };
  const noted = { facilityId, ...(tenantId !== undefined && { tenantId }), details };
  const addressee = await findAddressee(on.trx, terms);
  if (addressee === null) {
    if (!on.call.isPreview) throw new Refusal(422, 'Give the first name and the email to mail it.');
    return { reply: { ...reply, to: null }, about: noted };
  }
  const { to, firstName } = addressee;
  if (tenantId === undefined) await demandRentableGuest(on.trx, { email: to, facilityId });
  await countStaffMail(on.ctx, on.trx, { to, staffId: on.call.staff?.id });
  const facility = await on.trx
    .selectFrom('facilities')
    .select(['name', 'phone'])
    .where('id', '=', facilityId)
    .executeTakeFirstOrThrow();
  const mailId = await queueMail(on.ctx, on.trx, {
    to,
    kind: 'quote',
    tenantId: tenantId ?? null,
    email: () => quoteEmail({ firstName, facility, unitName, quote: reply }),
  });
  if (mailId === null) throw new Refusal(422, 'The address on file is no mail address.');
  return {
    reply: { ...reply, to },
    about: { ...noted, details: { ...details, mailedTo: to } },
  };
});

type Quoted = Omit<Body, 'tenantId'> & { tenantId?: string | undefined };

/** The move-in of a quote; the caller takes it back. */
async function quote(on: StaffWork, terms: Quoted) {
  return beginRental(on, { ...terms, tenantId: terms.tenantId ?? (await insertGuest(on)) });
}

/**
 * A tenant record for a guest who has none, which is taken back with the quote. Refuses with 422 a
 * caller who works for several facilities.
 */
async function insertGuest({ trx, call }: StaffWork): Promise<string> {
  const facilityId = getOneFacility(call, 'Name the facility of the quote.');
  const nowhere = { street1: '', city: '', region: '', postal_code: '' };
  const { id } = await trx
    .insertInto('tenants')
    .values({
      facility_id: facilityId,
      first_name: 'Guest',
      last_name: '',
      email: 'guest@example.com',
      ...nowhere,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Who a quote is mailed to; null where neither a record nor an email is named. */
async function findAddressee(
  trx: DatabaseTransaction,
  { tenantId, firstName, email }: VerbBody<typeof mailQuote>,
): Promise<{ to: string; firstName: string } | null> {
  if (tenantId !== undefined)
    return trx
      .selectFrom('tenants')
      .select(['email as to', 'first_name as firstName'])
      .where('id', '=', tenantId)
      .executeTakeFirstOrThrow();
  if (email === undefined || firstName === undefined) return null;
  return { to: email, firstName };
}

/**
 * `rentals.moveIn`: makes the ledger and its gate code, posts what is due by the day of the
 * move-in, or by today where that is later, and the facility's deposit, mails what is to be signed,
 * and invites a tenant who does not sign in to the record, unless the member's budget of mails to
 * strangers is used up. Refuses with 404 a tenant, unit or plan that is none of the facility's,
 * with 409 a unit that is rented then and a first bill of another sum than quoted, with 422 a day
 * too far back, a rate that is neither named nor known, and terms that cannot be billed, and a gate
 * code as `giveGateCode` does.
 */
export const moveInOf = workOf(moveIn, async (on, terms) => {
  const { reply, about } = await beginRental(on, terms);
  const { facilityId, ledgerIds } = about;
  const documents = await makeMoveInDocuments(on, { facilityId, ledgerId: ledgerIds[0]! });
  return { reply: { ...reply, documents }, about };
});

async function beginRental(on: StaffWork, body: Body) {
  const place = await getPlace(on, body);
  const { facilityId, tenantId, timeZone } = place;
  const today = calendarDateIn(timeZone, on.now);
  if (daysBetween(body.on, today) > MOST_DAYS_BACK)
    throw new Refusal(
      422,
      `A rental may begin at most ${MOST_DAYS_BACK} days back: on ${addDays(today, -MOST_DAYS_BACK)} or later.`,
    );
  demandDayAhead(body.on, today);
  // Before the rental, with which it is a tenant's address.
  const isInBudget = await isInvitationInBudget(on, tenantId);
  const ledgerId = await insertLedger(on, place, body);
  const periods = await billFirst(on.trx, ledgerId, body.on > today ? body.on : today);
  const charges: NewCharge[] = [
    ...depositOf(place.depositCents, body.on),
    ...periods.flatMap((period) =>
      period.charges.map((charge) => ({ ...charge, id: randomUUID() })),
    ),
  ];
  const [books] = await lockBooks(on.trx, [ledgerId]);
  const { posting } = post(books!, charges, periods.at(-1)!.periodEnd);
  await postLocked(on.trx, { instant: on.now, dayOf: () => today }, [posting]);
  await notePeriods(ledgerId, periods, on.now).execute(on.trx);
  const isInvited = isInBudget && (await inviteTenant(on.ctx, on.trx, tenantId, on.call));
  const total = toDollars(posting.balanceCents);
  if (body.quotedTotal !== undefined && toCents(body.quotedTotal) !== posting.balanceCents)
    throw new Refusal(
      409,
      `The first bill is now ${formatMoney(total)}, and the quote said ${formatMoney(body.quotedTotal)}. Make a new quote.`,
    );
  const reply: Reply = {
    movedInOn: body.on,
    rate: toDollars(place.rateCents),
    charges: charges.map(chargeLine),
    total,
    isInvited,
    ledgers: [{ ledgerId, unitName: place.unitName, balance: total }],
  };
  const { movedInOn, rate } = reply;
  const details = { unit: place.unitName, movedInOn, rate: String(rate), total: String(total) };
  return { reply, about: { facilityId, tenantId, ledgerIds: [ledgerId], details } };
}

/** Whether the member's budget allows a mail to a person without a rental. */
export async function isInvitationInBudget(
  { ctx, trx, call }: StaffWork,
  tenantId: string,
): Promise<boolean> {
  const { email: to } = await trx
    .selectFrom('tenants')
    .select('email')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return (await takeStaffMail(ctx, trx, { to, staffId: call.staff?.id })) === null;
}

type Place = {
  tenantId: string;
  facilityId: string;
  timeZone: string;
  depositCents: number;
  /** Whether the facility has taxes on rent, and the tenant is not exempt. */
  isTaxed: boolean;
  unitId: string;
  unitName: string;
  rateCents: number;
};

async function getPlace({ trx, call }: StaffWork, body: Body): Promise<Place> {
  const { rows } = await sql<Omit<Place, 'unitId' | 'unitName' | 'rateCents'>>`
    SELECT t.id AS "tenantId", f.id AS "facilityId", f.time_zone AS "timeZone", f.deposit_cents AS "depositCents",
      f.rent_tax1_basis_points + f.rent_tax2_basis_points > 0 AND t.tax_exempt_paper IS NULL AS "isTaxed"
    FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE t.id = ${body.tenantId} AND (${call.facilityIds}::uuid[] IS NULL OR f.id = ANY(${call.facilityIds}::uuid[]))
    FOR SHARE OF t`.execute(trx);
  const tenant = rows[0];
  if (tenant === undefined) throw new Refusal(404, `There is no tenant record ${body.tenantId}.`);
  const { facilityId } = tenant;
  await demandRentable(trx, tenant.tenantId);
  const { rows: units } = await sql<{
    unitId: string;
    unitName: string;
    offeredCents: number | null;
    outOfService: string | null;
  }>`
    SELECT u.id AS "unitId", u.name AS "unitName", u.out_of_service AS "outOfService", coalesce(u.street_rate_cents, (
      SELECT l.rental_rate_cents FROM ledgers l WHERE l.unit_id = u.id ORDER BY l.moved_in_on DESC LIMIT 1)) AS "offeredCents"
    FROM units u WHERE u.facility_id = ${facilityId} AND lower(u.name) = lower(${body.unit})
    FOR NO KEY UPDATE`.execute(trx);
  const unit = units[0];
  if (unit === undefined) throw new Refusal(404, `There is no unit ${body.unit} at this facility.`);
  const { offeredCents, outOfService, ...names } = unit;
  demandInService(unit.unitName, outOfService);
  const rateCents = body.rate === undefined ? offeredCents : toCents(body.rate);
  if (rateCents === null)
    throw new Refusal(
      422,
      `Unit ${body.unit} was not rented before: give its rate, which a manager may.`,
    );
  return { ...tenant, ...names, rateCents };
}

async function insertLedger(
  { ctx, trx, now }: StaffWork,
  place: Place,
  body: Body,
): Promise<string> {
  const { protectionPlanId, discountPlanId, gateScheduleId = BUSINESS_HOURS, gateCode } = body;
  await checkPlans(trx, place.facilityId, body);
  await checkSchedule(trx, gateScheduleId);
  const before = addDays(body.on, -1);
  const ledgerId = randomUUID();
  try {
    await trx
      .insertInto('ledgers')
      .values({
        id: ledgerId,
        tenant_id: place.tenantId,
        unit_id: place.unitId,
        rental_rate_cents: place.rateCents,
        discount_plan_id: discountPlanId ?? null,
        gate_schedule_id: gateScheduleId,
        is_taxed: body.taxes === undefined ? place.isTaxed : body.taxes === 'charged',
        moved_in_on: body.on,
        paid_through: before,
        billed_through: before,
        billing_day: Number(body.on.slice(8)),
      })
      .execute();
  } catch (error) {
    if (!isOverlap(error)) throw error;
    throw new Refusal(409, `Unit ${place.unitName} is rented on ${body.on} or later.`);
  }
  await giveGateCode(ctx, trx, { ...place, ledgerId }, gateCode);
  if (protectionPlanId !== undefined)
    await trx
      .insertInto('ledger_protection_plans')
      .values({
        ledger_id: ledgerId,
        protection_plan_id: protectionPlanId,
        starts_on: body.on,
        ends_on: null,
        user_id: null,
        created_at: now,
      })
      .execute();
  return ledgerId;
}

async function checkPlans(
  trx: DatabaseTransaction,
  facilityId: string,
  { protectionPlanId, discountPlanId }: Body,
) {
  const asked = [
    ['protection_plans', protectionPlanId, 'protection plan'],
    ['discount_plans', discountPlanId, 'discount plan'],
  ] as const;
  for (const [table, id, name] of asked) {
    if (id === undefined) continue;
    const plan = await trx
      .selectFrom(table)
      .select('ended_on')
      .where('id', '=', id)
      .where('facility_id', '=', facilityId)
      .executeTakeFirst();
    if (plan === undefined) throw new Refusal(404, `There is no ${name} ${id} at this facility.`);
    if (plan.ended_on !== null) throw new Refusal(422, `The ${name} ended on ${plan.ended_on}.`);
  }
}

async function checkSchedule(trx: DatabaseTransaction, id: number): Promise<void> {
  const schedule = await trx
    .selectFrom('gate_schedules')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (schedule === undefined) throw new Refusal(422, `There is no gate schedule ${id}.`);
}

/** What is due by the day, as billing would have posted it. */
async function billFirst(
  trx: DatabaseTransaction,
  ledgerId: string,
  date: string,
): Promise<BilledPeriod[]> {
  const [ledger] = await readBillable(trx, [ledgerId]);
  const { periods, fault } = billLedger(ledger!, date);
  if (fault !== null) throw new Refusal(422, fault.sentence);
  return periods;
}

function depositOf(cents: number, dueOn: string): NewCharge[] {
  if (cents === 0) return [];
  const none = { periodEnd: null, discountCents: 0, tax1Cents: 0, tax2Cents: 0, lateFor: null };
  const id = randomUUID();
  return [
    {
      kind: 'charge',
      id,
      category: 'deposit',
      description: 'Deposit',
      dueOn,
      priceCents: cents,
      ...none,
    },
  ];
}

/** Written with the charges, so that billing continues after them. */
function notePeriods(ledgerId: string, periods: BilledPeriod[], instant: Date) {
  return sql`
    INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
    SELECT ${ledgerId}::uuid, due_on, period_end, rate_cents, ${instant}::timestamptz FROM unnest(
      ${periods.map(({ dueOn }) => dueOn)}::date[], ${periods.map(({ periodEnd }) => periodEnd)}::date[],
      ${periods.map(({ rateCents }) => rateCents)}::bigint[]) AS period (due_on, period_end, rate_cents)`;
}

function chargeLine(charge: NewCharge): Reply['charges'][number] {
  return {
    description: charge.description,
    dueOn: charge.dueOn,
    price: toDollars(charge.priceCents),
    discount: toDollars(charge.discountCents),
    tax1: toDollars(charge.tax1Cents),
    tax2: toDollars(charge.tax2Cents),
    amount: toDollars(entryCents(charge)),
  };
}
