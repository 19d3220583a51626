import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { assignRental } from '@gatehouse/contract/moves';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { isCurrentOn } from '#db/current-rental.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { rentalAssignedEmail } from '#emails/rental-assigned.ts';
import { post } from '#features/base/ledgers/books.ts';
import {
  lockBooks,
  postLocked,
  readBooksWithPayments,
  readChargesWhere,
} from '#features/base/ledgers/postings.ts';
import { writeRateSince } from '#features/base/ledgers/rate-since.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import {
  getStaffLedgers,
  noteShown,
  runStaffVerb,
  type StaffCall,
  type StaffLedger,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';
import { endMovedOut } from '#features/money/autopay/moved-out.ts';
import { isUnderRefund } from '#features/money/payments/refunds.ts';
import { inviteTenant } from '#features/people/users/users.ts';
import { makeMoveInDocuments } from '#features/service/esign/make.ts';
import { withdrawOpenDocuments } from '#features/service/esign/staff.ts';
import { isAuthorizedOn } from '#features/service/gate-access/authorized-persons.ts';
import { giveGateCode, renewSharedCodes } from '#features/service/gate-access/codes.ts';
import { Refusal } from '#errors/refusal.ts';
import { assignBooks, chargesToAssign, waiversOf, type Assigned } from './assigned-books.ts';
import { demandRentable } from './do-not-rent.ts';
import { isInvitationInBudget } from './move-in.ts';
import { lockWithSiblings } from './settle-rental.ts';

type Reply = VerbReply<typeof assignRental>;

/**
 * `rentals.assign`: ends the ledger today without a settlement and opens one of the other record,
 * which continues its bills. Refuses with 404 a record that is not at the rental's facility, with
 * 422 its own one, and with 409 a tenant to whom nothing is rented or who died, a rental that does
 * not run today or has a move-out or transfer planned, and one of which a payment, refund or bank
 * debit is not final or money went back that is owed again.
 */
export function assignRentalOf(ctx: Context, call: StaffCall, body: unknown): Promise<Reply> {
  return runStaffVerb(ctx, assignRental, call, body, async (on, { ledgerId, toTenantId }) => {
    const [ledger] = await getStaffLedgers(on, [ledgerId]);
    const to = await lockTarget(on, ledger!, toTenantId);
    const today = calendarDateIn(ledger!.timeZone, on.now);
    // Before the rental, with which it is a tenant's address.
    const isInBudget = await isInvitationInBudget(on, to.id);
    await lockWithSiblings(on.trx, ledger!.id);
    const rental = await readRental(on, ledger!, today);
    demandAssignable(ledger!, rental, today);
    const documents = await withdrawOpenDocuments(on, ledger!.id);
    const newId = await continueLedger(on, ledger!, to.id, today);
    const sums = await moveBooks(on, ledger!, newId, today);
    await endMovedOut(on.trx, on.now, sql<boolean>`l.id = ${ledger!.id}`);
    const { facilityId, tenantId, unitName } = ledger!;
    await giveGateCode(on.ctx, on.trx, { ledgerId: newId, tenantId: to.id, facilityId });
    await renewSharedCodes(on.ctx, on.trx, { ledgerId: ledger!.id, facilityId });
    for (const [id, isNew] of [
      [ledger!.id, false],
      [newId, true],
    ] as const)
      await mailTenantOf(on, id, 'legal', (addressee) =>
        rentalAssignedEmail({ ...addressee, unitName, on: today, owedCents: sums.toCents, isNew }),
      );
    await makeMoveInDocuments(on, { facilityId, ledgerId: newId });
    const isInvited = isInBudget && (await inviteTenant(on.ctx, on.trx, to.id, on.call));
    const made = { ...sums, on: today, unitName, toName: to.name, isInvited, documents };
    const reply = replyOf(rental, made);
    const details = { from: rental.fromName, to: to.name, owed: String(reply.owed) };
    const other = { facilityId, tenantId: to.id, ledgerIds: [newId], details };
    await noteShown({ ...on.ctx, db: on.trx }, 'rentals.assign', on.call, other);
    return {
      // Of the other record: its name, and whether it signs in.
      told: { verb: 'tenants.show', about: { facilityId, tenantId: to.id } },
      reply: {
        ...reply,
        isTaxed: sums.isTaxed,
        ledgers: [
          { ledgerId: ledger!.id, unitName, balance: 0 },
          { ledgerId: newId, unitName, balance: toDollars(sums.toCents) },
        ],
      },
      about: { facilityId, tenantId, ledgerIds: [ledger!.id], details },
    };
  });
}

/** The record that rents from now on, which no other request marks meanwhile. */
async function lockTarget(
  { trx }: StaffWork,
  { tenantId, facilityId }: StaffLedger,
  toTenantId: string,
): Promise<{ id: string; name: string }> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT t.id, t.name FROM tenants t WHERE t.id = ${toTenantId} AND t.facility_id = ${facilityId} FOR SHARE`.execute(
    trx,
  );
  const [to] = rows;
  if (to === undefined)
    throw new Refusal(
      404,
      `There is no tenant record ${toTenantId} at the facility of the rental.`,
    );
  if (to.id === tenantId) throw new Refusal(422, 'This tenant has the rental already.');
  // Under the lock, for which the recording of a death may have been waited.
  await demandRentable(trx, to.id);
  return to;
}

/** The rental as it is under its lock, and what hangs on it. */
type Rental = {
  fromName: string;
  rateCents: number;
  movedInOn: string;
  movedOutOn: string | null;
  isTransferPlanned: boolean;
  isUnderway: boolean;
  isOverlocked: boolean;
  scheduled: { cents: number; on: string } | null;
  hold: boolean;
  autopay: boolean;
  authorized: string[];
  hasProtectionPlan: boolean;
  vehicles: number;
  stays: Reply['stays'];
};

async function readRental({ trx }: StaffWork, { id }: StaffLedger, today: string): Promise<Rental> {
  const { rows } = await sql<Rental>`
    SELECT t.name AS "fromName", l.rental_rate_cents AS "rateCents", l.moved_in_on AS "movedInOn", l.moved_out_on AS "movedOutOn",
      l.transfer_on IS NOT NULL AS "isTransferPlanned", l.overlocked_at IS NOT NULL AS "isOverlocked", l.is_on_hold AS hold,
      EXISTS (SELECT FROM payment_intent_ledgers p JOIN payment_intents i ON i.id = p.intent_id
        WHERE p.ledger_id = l.id AND (p.state IN ('submitted', 'unknown') OR i.state = 'pending'
          OR EXISTS (SELECT FROM disputes d WHERE d.intent_id = i.id AND d.state = 'opened'))) AS "isUnderway",
      CASE WHEN l.scheduled_rate_on IS NOT NULL
        THEN json_build_object('cents', l.scheduled_rate_cents, 'on', l.scheduled_rate_on) END AS scheduled,
      EXISTS (SELECT FROM autopays a WHERE a.ledger_id = l.id AND a.active) AS autopay,
      ARRAY(SELECT p.name FROM authorized_persons p WHERE p.ledger_id = l.id AND ${isAuthorizedOn(today)} ORDER BY p.name) AS authorized,
      EXISTS (SELECT FROM ledger_protection_plans p WHERE p.ledger_id = l.id AND p.ends_on IS NULL) AS "hasProtectionPlan",
      (SELECT count(*)::int FROM rental_vehicles v WHERE v.ledger_id = l.id) AS vehicles,
      json_build_object(
        'papers', (SELECT count(*) FROM vehicle_papers p WHERE p.ledger_id = l.id AND p.replaced_at IS NULL),
        'policies', (SELECT count(*) FROM private_policies p WHERE p.ledger_id = l.id AND p.replaced_at IS NULL),
        'documents', (SELECT count(*) FROM esign_documents d WHERE d.ledger_id = l.id),
        'requests', (SELECT count(*) FROM requests r WHERE r.ledger_id = l.id AND r.status <> 'done')) AS stays
    FROM ledgers l JOIN tenants t ON t.id = l.tenant_id WHERE l.id = ${id}`.execute(trx);
  return rows[0]!;
}

function demandAssignable({ unitName }: StaffLedger, rental: Rental, today: string): void {
  const { movedInOn, movedOutOn } = rental;
  const refuse = (sentence: string) => new Refusal(409, `Unit ${unitName} ${sentence}`);
  if (!isCurrentOn(movedOutOn, today)) throw refuse(`was moved out of on ${movedOutOn}.`);
  if (movedInOn > today) throw refuse(`is rented from ${movedInOn} on: assign it then.`);
  if (movedOutOn !== null) throw refuse('has a move-out planned: cancel it first.');
  if (rental.isTransferPlanned) throw refuse('has a transfer planned: cancel it first.');
  if (rental.isUnderway)
    throw refuse('has a payment that is not final yet. Assign it when it has settled.');
}

/** Ends the ledger today and opens the other one. Answers its id. */
async function continueLedger(
  { trx, now }: StaffWork,
  { id }: StaffLedger,
  toTenantId: string,
  today: string,
): Promise<string> {
  const newId = randomUUID();
  await sql`
    UPDATE ledgers SET moved_out_on = ${today}, scheduled_rate_cents = NULL, scheduled_rate_on = NULL, is_on_hold = false,
      version = version + 1
    WHERE id = ${id}`.execute(trx);
  await trx.deleteFrom('rental_holds').where('ledger_id', '=', id).execute();
  await sql`
    INSERT INTO ledgers (id, tenant_id, unit_id, rental_rate_cents, discount_plan_id, gate_schedule_id, moved_in_on,
      paid_through, billed_through, billing_day, is_taxed, scheduled_tax, scheduled_tax_on, overlocked_at, late_from, continues_ledger_id)
    SELECT ${newId}::uuid, t.id, l.unit_id, l.rental_rate_cents, l.discount_plan_id, l.gate_schedule_id, ${today}::date,
      l.billed_through, l.billed_through, l.billing_day,
      t.tax_exempt_paper IS NULL AND (l.is_taxed OR
        f.tax_exempt_paper IS NOT NULL AND place.rent_tax1_basis_points + place.rent_tax2_basis_points > 0),
      CASE WHEN coalesce(t.tax_exempt_paper, f.tax_exempt_paper) IS NULL THEN l.scheduled_tax END,
      CASE WHEN coalesce(t.tax_exempt_paper, f.tax_exempt_paper) IS NULL THEN l.scheduled_tax_on END, l.overlocked_at, l.late_from, l.id
    FROM ledgers l JOIN tenants f ON f.id = l.tenant_id JOIN facilities place ON place.id = f.facility_id
    JOIN tenants t ON t.id = ${toTenantId}
    WHERE l.id = ${id}`.execute(trx);
  await sql`UPDATE ledgers SET overlocked_at = NULL WHERE id = ${id}`.execute(trx);
  await sql`
    INSERT INTO vehicles (ledger_id, license_plate, description)
    SELECT ${newId}::uuid, license_plate, description FROM vehicles WHERE ledger_id = ${id}`.execute(
    trx,
  );
  await sql`
    INSERT INTO further_vehicles (ledger_id, contents, license_plate, description, created_at)
    SELECT ${newId}::uuid, contents, license_plate, description, ${now}::timestamptz FROM further_vehicles WHERE ledger_id = ${id}`.execute(
    trx,
  );
  await sql`
    INSERT INTO unit_contents (ledger_id, contents)
    SELECT ${newId}::uuid, contents FROM unit_contents WHERE ledger_id = ${id}`.execute(trx);
  await sql`
    INSERT INTO ledger_protection_plans (ledger_id, protection_plan_id, starts_on, created_at)
    SELECT ${newId}::uuid, protection_plan_id, ${today}::date, ${now}::timestamptz FROM ledger_protection_plans
    WHERE ledger_id = ${id} AND ends_on IS NULL`.execute(trx);
  return newId;
}

/** Posts to both ledgers. Refuses with 409 a payment of which a refund is under way. */
async function moveBooks({ trx, now }: StaffWork, from: StaffLedger, newId: string, today: string) {
  const books = await lockBooks(trx, [from.id, newId]);
  const booksOf = (ledgerId: string) => books.find((one) => one.ledgerId === ledgerId)!;
  const charges = await readChargesWhere(trx, from.id, sql<boolean>`true`);
  const own = booksOf(from.id);
  const assigned = chargesToAssign(charges, own.charges, today);
  await refuseOwedAgain(trx, from, assigned);
  const waivers = waiversOf(assigned);
  const released = post(own, waivers);
  const creditIds = released.after.credits.map(({ id }) => id);
  if (await isUnderRefund(trx, creditIds))
    throw new Refusal(
      409,
      'A refund of this rental is under way. Please try again in some minutes.',
    );
  const [read] = creditIds.length > 0 ? await readBooksWithPayments(trx, creditIds) : [];
  const { from: ended, to } = assignBooks({
    ...{ charges, assigned, released, waivers },
    payments: read?.payments ?? [],
    to: booksOf(newId),
  });
  if (ended.changes.length > 0)
    await postLocked(trx, { instant: now, dayOf: () => today }, [ended, to]);
  await sql`
    INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
    SELECT ${newId}::uuid, due_on, period_end, rate_cents, ${now}::timestamptz FROM billed_periods
    WHERE ledger_id = ${from.id} AND due_on >= (SELECT min(due_on) FROM charges WHERE ledger_id = ${newId} AND category = 'rent')`.execute(
    trx,
  );
  await writeRateSince(trx, sql<boolean>`l.id = ${newId}`);
  const { is_taxed: isTaxed } = await trx
    .selectFrom('ledgers')
    .select('is_taxed')
    .where('id', '=', newId)
    .executeTakeFirstOrThrow();
  return {
    ...{ assigned, isTaxed, toCents: to.balanceCents, paidThrough: to.paidThrough },
    depositCents: heldOf(assigned),
  };
}

/** What is owed again after a reversal is the payer's to pay, not the next tenant's. */
async function refuseOwedAgain(
  trx: DatabaseTransaction,
  { unitName }: StaffLedger,
  assigned: Assigned[],
): Promise<void> {
  const { rows } = await sql`
    SELECT FROM owed_again WHERE entry_id = ANY(${assigned.map(({ charge }) => charge.id)}::uuid[])`.execute(
    trx,
  );
  if (rows.length > 0)
    throw new Refusal(
      409,
      `Unit ${unitName} owes again what went back of a payment, which is that tenant’s: have it paid first.`,
    );
}

/** What of the deposits was paid. */
function heldOf(assigned: Assigned[]): number {
  return assigned
    .filter(({ charge }) => charge.category === 'deposit')
    .flatMap(({ charge }) => charge.settledBy)
    .reduce((sum, { cents }) => sum + cents, 0);
}

type Made = {
  on: string;
  unitName: string;
  toName: string;
  toCents: number;
  depositCents: number;
  paidThrough: string;
  isInvited: boolean;
  /** The names of those that are withdrawn. */
  documents: string[];
};

function replyOf(rental: Rental, made: Made): Omit<Reply, 'ledgers' | 'isTaxed'> {
  const { fromName, scheduled, hold, autopay, authorized, vehicles, stays } = rental;
  const { on, unitName, toName, toCents, depositCents, paidThrough, isInvited, documents } = made;
  return {
    ...{ on, unitName, fromName, toName, paidThrough, isInvited, vehicles },
    stays: { ...stays, documents: stays.documents - documents.length },
    rate: toDollars(rental.rateCents),
    owed: toDollars(Math.max(0, toCents)),
    credit: toDollars(Math.max(0, -toCents)),
    deposit: toDollars(depositCents),
    isOverlocked: rental.isOverlocked,
    hasProtectionPlan: rental.hasProtectionPlan,
    ends: {
      ...{ autopay, hold, authorized, documents },
      scheduledRate: scheduled && { rate: toDollars(scheduled.cents), on: scheduled.on },
    },
  };
}
