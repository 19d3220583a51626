import { addDays, calendarDateIn, daysBetween } from '@gatehouse/contract/dates';
import { toCents, toDollars } from '@gatehouse/contract/money';
import { moveOut } from '@gatehouse/contract/moves';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { isCurrentOn } from '#db/current-rental.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { doEach } from '#context/each.ts';
import { resolveRefund } from '#features/money/payments/refunds.ts';
import {
  demandRoleOf,
  getStaffLedgers,
  runStaffVerb,
  type StaffCall,
  type StaffLedger,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { demandDayAhead } from './day-ahead.ts';
import { MOST_DAYS_BACK } from './move-in.ts';
import {
  lockWithSiblings,
  raiseByHand,
  raiseWaiting,
  settleRental,
  type Settlement,
} from './settle-rental.ts';
import { isOverlap } from './unit-days.ts';

type Reply = VerbReply<typeof moveOut>;

/**
 * `rentals.moveOut`: a day ahead is noted and changes nothing until then; today or an earlier day
 * is settled at once or, while a bank debit of the rental has not settled, by `settleMoveOuts` once
 * it has. Refuses with 403 a clerk's day that is over, with 422 a day before the move-in or more
 * than 60 days back, with 409 a rental that has ended, a cancelled move-out whose unit is rented
 * again, while a payment or refund of the rental is being confirmed, and while days before the
 * move-out are not billed.
 */
export async function moveOutOf(ctx: Context, call: StaffCall, body: unknown): Promise<Reply> {
  const work = async (
    on: StaffWork,
    asked: { ledgerId: string; on?: string; credit?: 'refund' | 'keep' },
  ) => {
    const [ledger] = await getStaffLedgers(on, [asked.ledgerId]);
    const rental = await lockRental(on.trx, ledger!.id);
    const today = calendarDateIn(ledger!.timeZone, on.now);
    if (!isCurrentOn(rental.movedOutOn, today) || rental.isSettled)
      throw new Refusal(
        409,
        `Unit ${ledger!.unitName} was moved out of on ${rental.movedOutOn} already.`,
      );
    const settlement =
      asked.on === undefined
        ? await cancel(on, ledger!, rental.movedOutOn)
        : await plan(on, ledger!, { ...asked, on: asked.on, movedInOn: rental.movedInOn, today });
    const reply = replyOf(on, ledger!, asked.on ?? null, settlement, rental.balanceCents);
    const { id, facilityId, tenantId } = ledger!;
    const details = { movedOutOn: asked.on ?? 'cancelled', credit: asked.credit ?? 'refund' };
    return { reply, about: { facilityId, tenantId, ledgerIds: [id], details } };
  };
  const reply = await runStaffVerb(ctx, moveOut, call, body, work);
  return call.isPreview ? reply : refund(ctx, reply);
}

const statuses = { succeeded: 'refunded', submitted: 'submitted', failed: 'failed' } as const;

/**
 * Asks the gateway for the refunds, safe to repeat, and answers what became of them: what did not
 * go back is still a credit.
 */
async function refund(ctx: Context, reply: Reply): Promise<Reply> {
  const [ledger] = reply.ledgers;
  let balanceCents = toCents(ledger!.balance);
  const refunds: Reply['refunds'] = [];
  for (const one of reply.refunds) {
    const { outcome } = await resolveRefund(ctx, one.refundId!);
    if (outcome !== 'succeeded') balanceCents -= toCents(one.amount);
    refunds.push({ ...one, status: statuses[outcome] });
  }
  return { ...reply, refunds, ledgers: [{ ...ledger!, balance: toDollars(balanceCents) }] };
}

/** A move-out may wait for this many days after its day before staff have an alarm. */
const WAITING_DAYS = 7;

/**
 * Settles the rentals of a facility whose move-out has come by `date`, the facility's day, each in
 * a separate transaction, and asks the gateway for what goes back. Raises an alarm, once, of one
 * that waits for longer than a week. Answers how many.
 */
export async function settleMoveOuts(
  ctx: Context,
  { facilityId, date }: { facilityId: string; date: string },
): Promise<number> {
  const { rows } = await sql<{ id: string; movedOutOn: string }>`
    SELECT l.id, l.moved_out_on AS "movedOutOn" FROM move_outs m JOIN ledgers l ON l.id = m.ledger_id JOIN units u ON u.id = l.unit_id
    WHERE m.settled_at IS NULL AND u.facility_id = ${facilityId} AND NOT is_current_on(l.moved_out_on, ${date}::date)
    ORDER BY l.id`.execute(ctx.db);
  let settled = 0;
  await doEach(
    rows,
    { atOnce: 1, what: 'rentals could not be settled' },
    async ({ id, movedOutOn }) => {
      const done = await ctx.db.transaction().execute(async (trx) => {
        const settlement = await settleRental(ctx, trx, id);
        if (settlement === null) return null;
        if (typeof settlement === 'string') {
          if (addDays(movedOutOn, WAITING_DAYS) < date)
            await raiseWaiting(ctx, trx, id, settlement);
          return null;
        }
        await raiseByHand(ctx, trx, id, settlement.byHandCents);
        return settlement;
      });
      if (done === null) return;
      settled += 1;
      for (const { refundId } of done.refunds) await resolveRefund(ctx, refundId);
    },
  );
  return settled;
}

type Locked = {
  movedInOn: string;
  movedOutOn: string | null;
  isSettled: boolean;
  balanceCents: number;
};

async function lockRental(trx: DatabaseTransaction, ledgerId: string): Promise<Locked> {
  await lockWithSiblings(trx, ledgerId);
  const { rows } = await sql<Locked>`
    SELECT l.moved_in_on AS "movedInOn", l.moved_out_on AS "movedOutOn", l.balance_cents AS "balanceCents",
      EXISTS (SELECT FROM move_outs m WHERE m.ledger_id = l.id AND m.settled_at IS NOT NULL) AS "isSettled"
    FROM ledgers l WHERE l.id = ${ledgerId}`.execute(trx);
  return rows[0]!;
}

async function cancel(
  { trx }: StaffWork,
  ledger: StaffLedger,
  movedOutOn: string | null,
): Promise<null> {
  if (movedOutOn === null)
    throw new Refusal(409, `No move-out of unit ${ledger.unitName} is planned.`);
  await endOn(trx, ledger, null);
  await trx.deleteFrom('move_outs').where('ledger_id', '=', ledger.id).execute();
  return null;
}

type Asked = { on: string; credit?: 'refund' | 'keep'; movedInOn: string; today: string };

/** Null before the day, or while a bank debit has not settled. */
async function plan(on: StaffWork, ledger: StaffLedger, asked: Asked): Promise<Settlement | null> {
  const { ctx, trx, call, now } = on;
  // It takes back rent that was billed since, as a waiver does.
  if (asked.on < asked.today) demandRoleOf(call, 'manager', 'end a rental on a day that is over');
  if (asked.on < asked.movedInOn)
    throw new Refusal(
      422,
      `The rental of unit ${ledger.unitName} began on ${asked.movedInOn}: it cannot end earlier.`,
    );
  if (daysBetween(asked.on, asked.today) > MOST_DAYS_BACK)
    throw new Refusal(
      422,
      `A rental may end at most ${MOST_DAYS_BACK} days back: on ${addDays(asked.today, -MOST_DAYS_BACK)} or later.`,
    );
  demandDayAhead(asked.on, asked.today);
  await endOn(trx, ledger, asked.on);
  const { credit = 'refund' } = asked;
  await trx
    .insertInto('move_outs')
    .values({ ledger_id: ledger.id, credit, planned_at: now })
    .onConflict((conflict) => conflict.column('ledger_id').doUpdateSet({ credit, planned_at: now }))
    .execute();
  if (isCurrentOn(asked.on, asked.today)) return null;
  const settlement = await settleRental(ctx, trx, ledger.id, call);
  if (settlement === 'payment' || settlement === 'refund')
    throw new Refusal(
      409,
      `A payment or refund of unit ${ledger.unitName} is being confirmed. Please try again in some minutes.`,
    );
  if (settlement === 'billing')
    throw new Refusal(
      409,
      `Unit ${ledger.unitName} is not billed up to ${asked.on} yet. Run its billing first, then move it out.`,
    );
  if (settlement === 'bank debit') return null;
  if (settlement === null) throw new Error(`the move-out of ${ledger.id} was not settled`);
  if (!call.isPreview) await raiseByHand(ctx, trx, ledger.id, settlement.byHandCents);
  return settlement;
}

/**
 * Sets the first day that is not rented; the version says that what was billed from the ledger is
 * old.
 */
async function endOn(
  trx: DatabaseTransaction,
  { id, unitName }: StaffLedger,
  day: string | null,
): Promise<void> {
  try {
    await trx
      .updateTable('ledgers')
      .set(({ eb }) => ({ moved_out_on: day, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if (!isOverlap(error)) throw error;
    throw new Refusal(
      409,
      `Unit ${unitName} is rented again by then. End or change that rental first.`,
    );
  }
}

function replyOf(
  { call }: StaffWork,
  { id, unitName }: StaffLedger,
  movedOutOn: string | null,
  settlement: Settlement | null,
  balanceCents: number,
): Reply {
  return {
    movedOutOn,
    isSettled: settlement !== null,
    lines: (settlement?.lines ?? []).map(({ description, cents }) => ({
      description,
      amount: toDollars(cents),
    })),
    refunds: (settlement?.refunds ?? []).map(({ refundId, receiptNumber, cents }) => ({
      refundId: call.isPreview ? null : refundId,
      receiptNumber,
      amount: toDollars(cents),
      status: 'refunded',
    })),
    byHand: toDollars(settlement?.byHandCents ?? 0),
    ledgers: [
      { ledgerId: id, unitName, balance: toDollars(balanceAfter(settlement) ?? balanceCents) },
    ],
  };
}

/** Once the gateway has given back what the move-out asks of it. */
function balanceAfter(settlement: Settlement | null): number | undefined {
  return settlement?.refunds.reduce(
    (balance, { cents }) => balance + cents,
    settlement.balanceCents,
  );
}
