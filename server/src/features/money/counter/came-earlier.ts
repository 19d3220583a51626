import { addDays, calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import { unwaivedCents } from '#features/base/ledgers/rules.ts';
import { post, type DescribedCharge, type NewPayment } from '#features/base/ledgers/books.ts';
import { readChargesWhere, type LedgerBooks } from '#features/base/ledgers/postings.ts';
import type { StaffLedger, StaffWork } from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';

/**
 * The day from which a payment over the counter counts: today, or an earlier one that is named.
 * Refuses with 422 one to come or further back than the facility allows, with 409 one whose drawer
 * is closed; it stays open until the transaction ends.
 */
export async function dayOfPayment(
  { trx, now }: StaffWork,
  { facilityId, timeZone }: StaffLedger,
  wanted: string | undefined,
): Promise<string> {
  const today = calendarDateIn(timeZone, now);
  if (wanted === undefined || wanted === today) return today;
  if (wanted > today) throw new Refusal(422, `The day ${formatDate(wanted)} is still to come.`);
  const { payment_days_back: daysBack } = await trx
    .selectFrom('facilities')
    .select('payment_days_back')
    .where('id', '=', facilityId)
    .forShare()
    .executeTakeFirstOrThrow();
  const earliest = addDays(today, -daysBack);
  if (wanted < earliest)
    throw new Refusal(422, `A payment can be recorded for ${formatDate(earliest)} or later.`);
  const { closedThrough } = await trx
    .selectFrom('drawer_closings')
    .select(({ fn }) => fn.max<string | null>('on_day').as('closedThrough'))
    .where('facility_id', '=', facilityId)
    .executeTakeFirstOrThrow();
  if (closedThrough !== null && wanted <= closedThrough)
    throw new Refusal(409, `The drawer is closed until ${formatDate(closedThrough)}.`);
  return wanted;
}

/** A late fee of which something is left. */
export type PreventedFee = DescribedCharge & { ledgerId: string };

/**
 * The late fees that were charged after the day from which a payment counts, for rent that it
 * settles where it comes before them.
 */
export async function findPreventedFees(
  { trx }: StaffWork,
  books: LedgerBooks,
  payment: NewPayment,
  day: string,
): Promise<PreventedFee[]> {
  const { ledgerId } = books;
  const isLater = sql<boolean>`c.late_for IS NOT NULL AND e.posted_on > ${day}::date`;
  const fees = await readChargesWhere(trx, ledgerId, isLater);
  const isOf = (charges: { id: string }[], id: string | null) =>
    charges.some((one) => one.id === id);
  const inTime = { ...books, charges: books.charges.filter(({ id }) => !isOf(fees, id)) };
  const { after } = post(inTime, [payment]);
  return fees
    .filter(({ lateFor }) => isOf(books.charges, lateFor) && !isOf(after.charges, lateFor))
    .filter((fee) => unwaivedCents(fee) > 0)
    .map((fee) => ({ ...fee, ledgerId }));
}

/**
 * The late fees that were waived with a payment because it came before them, and still are, in
 * dollars.
 */
export async function findWaivedWith({ trx }: StaffWork, entryIds: string[]) {
  const { rows } = await sql<{
    ledgerId: string;
    chargeId: string;
    description: string;
    dueOn: string;
    cents: number;
  }>`
    SELECT fee.ledger_id AS "ledgerId", fee.entry_id AS "chargeId", fee.description,
      fee.due_on AS "dueOn", -waiver.amount_cents AS cents
    FROM entries payment
    JOIN entries waiver ON waiver.ledger_id = payment.ledger_id
      AND waiver.created_at = payment.created_at AND waiver.posted_on > payment.posted_on
    JOIN credits c ON c.entry_id = waiver.id
    JOIN charges fee ON fee.entry_id = c.charge_entry_id AND fee.late_for IS NOT NULL
    WHERE payment.id = ANY(${entryIds}::uuid[])
      AND NOT EXISTS (SELECT FROM reversals r WHERE r.payment_entry_id = waiver.id)
    ORDER BY waiver.position`.execute(trx);
  return rows.map(({ cents, ...fee }) => ({ ...fee, amount: toDollars(cents) }));
}
