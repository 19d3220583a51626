import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { unwaivedCents } from '#features/base/ledgers/rules.ts';
import { post, type DescribedCharge, type NewCharge } from '#features/base/ledgers/books.ts';
import { owedSince } from '#features/base/ledgers/owed-since.ts';
import { lockBooks, postLocked, type PostedAt } from '#features/base/ledgers/postings.ts';
import { findZone } from './zone.ts';

const BATCH = 250;

/**
 * Posts the facility's late fee, where it has one, for each rent charge that is still open this
 * many days after its due date, after it was billed and after a returned or refunded payment opened
 * it again: once a charge, whatever runs how often, and not where staff hold the ledger, its
 * `late_from` is still to come or the tenant has left. A ledger with an open payment is left to a
 * later day's run: a payment that was begun in time may still be captured, and then no fee is due.
 * Answers how many fees.
 */
export async function postLateFees(
  ctx: Context,
  run: { facilityId: string; date: string },
): Promise<number> {
  const timeZone = await findZone(ctx, run.facilityId);
  if (timeZone === null) return 0;
  const instant = ctx.clock.now();
  const at = { instant, dayOf: () => calendarDateIn(timeZone, instant) };
  let posted = 0;
  for await (const ledgerIds of lateLedgers(ctx.db, run))
    posted += await ctx.db.transaction().execute((trx) => postFees(trx, at, run, ledgerIds));
  return posted;
}

/** `postLateFees` in one transaction, for what is foreseen. */
export async function postLateFeesWithin(
  trx: DatabaseTransaction,
  at: PostedAt,
  run: { facilityId: string; date: string },
): Promise<void> {
  for await (const ledgerIds of lateLedgers(trx, run)) await postFees(trx, at, run, ledgerIds);
}

async function* lateLedgers(
  db: Database,
  run: { facilityId: string; date: string },
): AsyncGenerator<string[]> {
  const batches = batchesById(
    (after) => findLateRents(db, run, sql`l.id > ${after}`),
    ({ ledgerId }) => ledgerId,
  );
  for await (const rents of batches) yield [...new Set(rents.map(({ ledgerId }) => ledgerId))];
}

/**
 * Locks the ledgers before it reads them: to begin a payment locks its ledger too, so none begins
 * in between.
 */
async function postFees(
  trx: DatabaseTransaction,
  at: PostedAt,
  run: { facilityId: string; date: string },
  ledgerIds: string[],
): Promise<number> {
  const books = await lockBooks(trx, ledgerIds);
  const lateRents = Map.groupBy(
    await findLateRents(trx, run, sql`l.id = ANY(${ledgerIds}::uuid[])`),
    ({ ledgerId }) => ledgerId,
  );
  const postings = books.flatMap((ledger) => {
    const fees = (lateRents.get(ledger.ledgerId) ?? []).map((rent) => lateFee(rent, run.date));
    return fees.length === 0 ? [] : [post(ledger, fees).posting];
  });
  if (postings.length === 0) return 0;
  await postLocked(trx, at, postings);
  return postings.reduce((count, { changes }) => count + changes.length, 0);
}

/**
 * The late fee of a rent that a waiver of `cents` of the rent takes the cause of: what is left of
 * the rent was paid when the fee was posted. Undefined where there is none, or nothing left of it.
 */
export function findCauselessFee(
  charges: DescribedCharge[],
  rent: DescribedCharge,
  cents: number,
): DescribedCharge | undefined {
  const fee = charges.find(({ lateFor }) => lateFor === rent.id);
  if (fee === undefined || unwaivedCents(fee) <= 0) return undefined;
  const paidInTime = rent.settledBy.filter(({ position }) => position < fee.position);
  const paidCents = paidInTime.reduce((sum, one) => sum + one.cents, 0);
  return unwaivedCents(rent) - cents <= paidCents ? fee : undefined;
}

type LateRent = { ledgerId: string; chargeId: string; feeCents: number };

/** How many fees `postLateFees` would post, and their sum in cents. */
export async function countLateFees(
  db: Database,
  run: { facilityId: string; date: string },
): Promise<{ count: number; cents: number }> {
  const fees = { count: 0, cents: 0 };
  const batches = batchesById(
    (after) => findLateRents(db, run, sql`l.id > ${after}`),
    ({ ledgerId }) => ledgerId,
  );
  for await (const rents of batches) {
    fees.count += rents.length;
    fees.cents += rents.reduce((sum, { feeCents }) => sum + feeCents, 0);
  }
  return fees;
}

/** The rent charges that a fee is due for, of whole ledgers in id order. */
async function findLateRents(
  db: Database,
  { facilityId, date }: { facilityId: string; date: string },
  where: ReturnType<typeof sql>,
): Promise<LateRent[]> {
  const { rows } = await sql<LateRent>`
    SELECT l.id AS "ledgerId", c.entry_id AS "chargeId", l.late_fee_cents AS "feeCents"
    FROM (
      SELECT l.id, l.late_from, f.late_fee_cents, f.late_fee_after_days
      FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
      WHERE f.id = ${facilityId} AND f.late_fee_cents > 0 AND l.balance_cents > 0 AND NOT l.is_on_hold
        AND is_current_on(l.moved_out_on, ${date}::date) AND l.paid_through < ${date}::date - f.late_fee_after_days AND ${where}
        AND NOT EXISTS (
          SELECT FROM payment_intent_ledgers p WHERE p.ledger_id = l.id AND p.state IN ('submitted', 'unknown'))
        AND EXISTS (SELECT FROM open_charges c JOIN entries e ON e.id = c.entry_id WHERE ${isLateWithoutFee(date)})
      ORDER BY l.id LIMIT ${BATCH}
    ) l
    JOIN open_charges c ON c.ledger_id = l.id
    JOIN entries e ON e.id = c.entry_id
    WHERE ${isLateWithoutFee(date)}
    ORDER BY l.id, c.due_on`.execute(db);
  return rows;
}

/** SQL, of a rent that is owed since a day: that on which its fee is due. */
const feeOn = (since: RawBuilder<unknown>) =>
  sql<string>`greatest(${since} + late_fee_after_days, l.late_from)`;

/** A condition of SQL on an open charge `c` with its entry `e`. */
const isLateWithoutFee = (date: string) => sql<boolean>`
  c.ledger_id = l.id AND c.category = 'rent'
  AND ${feeOn(owedSince)} <= ${date}::date
  AND NOT EXISTS (SELECT FROM charges fee WHERE fee.late_for = c.entry_id)`;

/** The late fee of a rent: when it was added, or is to be; in cents. */
export type FeeDay = { ledgerId: string; on: string; isDone: boolean; cents: number };

/**
 * The late fees of each open rent of ledgers, and of rent that is `coming`, due on a day: those
 * that were added, and by `postLateFees` those that are to be if nothing is paid.
 */
export async function findFeeDays(
  db: Database,
  ledgerIds: string[],
  coming: { ledgerId: string; dueOn: string }[],
): Promise<FeeDay[]> {
  const { rows } = await sql<FeeDay>`
    SELECT l.id AS "ledgerId", coalesce(added.posted_on, ${feeOn(sql`rent.since`)}) AS on,
      added.posted_on IS NOT NULL AS "isDone", coalesce(added.amount_cents, f.late_fee_cents) AS cents
    FROM (
      SELECT c.ledger_id, c.entry_id, ${owedSince} AS since
      FROM open_charges c JOIN entries e ON e.id = c.entry_id
      WHERE c.ledger_id = ANY(${ledgerIds}::uuid[]) AND c.category = 'rent'
      UNION ALL
      SELECT ledger_id, NULL, due_on FROM unnest(${coming.map(({ ledgerId }) => ledgerId)}::uuid[],
        ${coming.map(({ dueOn }) => dueOn)}::date[]) AS bill (ledger_id, due_on)
    ) rent
    JOIN ledgers l ON l.id = rent.ledger_id JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    LEFT JOIN (charges fee JOIN entries added ON added.id = fee.entry_id) ON fee.late_for = rent.entry_id
    WHERE added.id IS NOT NULL OR (f.late_fee_cents > 0 AND NOT l.is_on_hold)
    ORDER BY l.id, 2`.execute(db);
  return rows;
}

function lateFee({ chargeId, feeCents }: LateRent, dueOn: string): NewCharge {
  return {
    kind: 'charge',
    id: randomUUID(),
    category: 'fee',
    description: 'Late fee',
    dueOn,
    periodEnd: null,
    priceCents: feeCents,
    discountCents: 0,
    tax1Cents: 0,
    tax2Cents: 0,
    lateFor: chargeId,
  };
}
