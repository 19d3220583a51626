import { refundPayment } from '@gatehouse/contract/counter-payments';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import type { VerbBody, VerbReply } from '@gatehouse/contract/staff-verb';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';
import { entryCents } from '#features/base/ledgers/books.ts';
import {
  runStaffVerb,
  type StaffCall,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';
import { noteInDrawer, type DrawerEntry } from '#features/money/drawers/note.ts';
import { findParts } from './receipt.ts';
import {
  beginRefund,
  isAtGateway,
  postRefund,
  resolveRefund,
  takeBackFor,
  type NewRefund,
} from './refunds.ts';
import { lockCapture, refundableOf, type Capture, type TakenLedger } from './take-back.ts';

type Body = VerbBody<typeof refundPayment>;
type Reply = VerbReply<typeof refundPayment>;

/** For the ledger; why is in the audit trail. */
const REASON = 'by the facility';

/**
 * `payments.refund`: gives back what is left of a payment, or some of it, and opens what it had
 * paid. Through the gateway it is a row first; the gateway is asked after the commit, and again by
 * the sweep where it does not answer. In cash or by check it is posted at once. The tenant is
 * mailed when it is posted. Refuses with 404 a number that is none, with 409 while another refund
 * of the payment is under way, with 422 more than is left, a bank debit that has not settled, a
 * payment that the gateway does not have unless it is given back in cash or by check, and what the
 * gateway refuses.
 */
export async function refundPaymentOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<Reply> {
  const reply = await runStaffVerb(ctx, refundPayment, call, body, refund);
  if (call.isPreview || reply.way !== 'gateway') return reply;
  // Also of a repeated call: the gateway gives back once for a refund.
  const answer = await resolveRefund(ctx, reply.refundId!);
  if (answer.outcome === 'failed')
    throw new Refusal(422, `The gateway refused the refund: ${answer.message}`);
  return answer.outcome === 'submitted' ? notYet(ctx, reply) : reply;
}

/** Reads under the locks of the payment's ledgers, decides, and writes. */
async function refund(on: StaffWork, body: Body) {
  const { receiptNumber, way = 'gateway' } = body;
  const [part] = await findParts(on, receiptNumber);
  if (part === undefined) throw new Refusal(404, `There is no receipt ${receiptNumber}.`);
  const capture = (await lockCapture(on.trx, part.intentId))!;
  // The capture's own number is all of it, also where it has one part only.
  const paymentEntryId = receiptNumber === part.wholeNumber ? null : part.entryId;
  const cents = centsOf(body, capture, refundableOf(capture, paymentEntryId));

  const by = byHand(body);
  const { isPreview } = on.call;
  const row = await beginRefund(on.ctx, on.trx, capture, {
    paymentEntryId,
    cents,
    reason: REASON,
    by,
    isPreview,
  });
  const taken = takeBackFor(capture, row, on.now);
  const { ledgers } = taken;
  const reopened = await readReopened(on.trx, ledgers);
  if (by !== undefined) await postRefund(on.ctx, on.trx, capture, row, taken);
  if (way === 'cash') await noteInDrawer(on, capture, takenOutBy(ledgers));

  const reply: Reply = {
    refundId: isPreview ? null : row.id,
    receiptNumber: isPreview ? null : row.receipt_number,
    amount: toDollars(cents),
    way,
    status: 'refunded',
    reopened,
    owedOn: taken.owedOn,
    ledgers: ledgers.map((ledger) => ({
      ledgerId: ledger.ledgerId,
      unitName: ledger.unitName,
      refunded: toDollars(ledger.cents),
      balance: toDollars(ledger.posting.balanceCents),
    })),
  };
  return {
    reply,
    about: {
      facilityId: capture.facilityId,
      tenantId: capture.tenantId,
      ledgerIds: ledgers.map(({ ledgerId }) => ledgerId),
      details: { receipt: receiptNumber, refund: row.id, way, amount: String(toDollars(cents)) },
    },
  };
}

/** What goes back of what is left. Refuses with 422 what cannot go back, or not in that way. */
function centsOf({ receiptNumber, amount, way }: Body, capture: Capture, left: number): number {
  if (capture.state === 'pending')
    throw new Refusal(
      422,
      `Receipt ${receiptNumber} is a bank debit that has not settled yet. Refund it when it has.`,
    );
  if (left === 0) throw new Refusal(422, `Nothing is left of receipt ${receiptNumber} to refund.`);
  const cents = amount === undefined ? left : toCents(amount);
  if (cents > left)
    throw new Refusal(
      422,
      `At most ${formatMoney(toDollars(left))} is left of receipt ${receiptNumber} to refund.`,
    );
  if (way === undefined && !isAtGateway(capture))
    throw new Refusal(
      422,
      `Receipt ${receiptNumber} was paid with ${capture.method}: say how it is given back, in cash or by check.`,
    );
  return cents;
}

/** Nothing is posted before the gateway has answered: the ledgers as they are. */
async function notYet({ db }: Context, reply: Reply): Promise<Reply> {
  const ids = reply.ledgers.map(({ ledgerId }) => ledgerId);
  const rows = await db
    .selectFrom('ledgers')
    .select(['id', 'balance_cents'])
    .where('id', 'in', ids)
    .execute();
  const balances = new Map(rows.map(({ id, balance_cents }) => [id, toDollars(balance_cents)]));
  const ledgers = reply.ledgers.map((one) => ({
    ...one,
    refunded: 0,
    balance: balances.get(one.ledgerId)!,
  }));
  return { ...reply, status: 'submitted', reopened: [], owedOn: null, ledgers };
}

/** How staff give the money back; undefined where the gateway does. */
function byHand({ way, number = '' }: Body): NewRefund['by'] {
  if (way === undefined) return undefined;
  return way === 'check' ? { way, checkNumber: number } : { way };
}

/** The cash of the reversals. */
function takenOutBy(ledgers: TakenLedger[]): DrawerEntry[] {
  return ledgers.flatMap(({ posting }) =>
    posting.changes.map((change) => ({
      entryId: change.id,
      type: 'cash' as const,
      cents: -entryCents(change),
    })),
  );
}

/**
 * What is owed again: what the reversals take back from each charge, less what credits settle of it
 * at once.
 */
async function readReopened(
  trx: DatabaseTransaction,
  ledgers: TakenLedger[],
): Promise<Reply['reopened']> {
  const allocations = ledgers.flatMap(({ posting }) => posting.allocations);
  const cents = new Map<string, number>();
  for (const one of allocations)
    cents.set(one.chargeId, (cents.get(one.chargeId) ?? 0) - one.cents);
  const ids = [...cents].filter(([, owed]) => owed > 0).map(([id]) => id);
  if (ids.length === 0) return [];
  const charges = await trx
    .selectFrom('charges')
    .innerJoin('entries', 'entries.id', 'entry_id')
    .select(['charges.entry_id', 'charges.ledger_id', 'charges.description', 'charges.due_on'])
    .where('charges.entry_id', 'in', ids)
    .orderBy('entries.position')
    .execute();
  return charges.map(({ entry_id, ledger_id, description, due_on }) => ({
    ledgerId: ledger_id,
    chargeId: entry_id,
    description,
    dueOn: due_on,
    amount: toDollars(cents.get(entry_id)!),
  }));
}
