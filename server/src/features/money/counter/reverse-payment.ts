import { randomUUID } from 'node:crypto';
import { reversePayment } from '@gatehouse/contract/counter-payments';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import type { VerbBody, VerbReply } from '@gatehouse/contract/staff-verb';
import type { Context } from '#context/context.ts';
import type { CounterType } from '#db/tables.ts';
import { paymentReturnedEmail } from '#emails/payment-returned.ts';
import { noteInDrawer } from '#features/money/drawers/note.ts';
import type { Change, NewReversal } from '#features/base/ledgers/books.ts';
import { lockBooks, readBooksWithPayments } from '#features/base/ledgers/postings.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import {
  findMovedCredits,
  owedAgain,
  raiseMovedCredits,
  type MovedCredit,
} from '#features/money/payments/moved-credits.ts';
import { findParts, type PaidPart } from '#features/money/payments/receipt.ts';
import { isUnderRefund } from '#features/money/payments/refunds.ts';
import { feeOf, RETURNED_CHECK_FEE } from '#features/money/payments/fee.ts';
import { isDebitNotCollected } from '#features/money/payments/resolve.ts';
import { markNotCollected } from '#features/money/payments/settle.ts';
import {
  findStaffLedgers,
  readBody,
  runStaffVerb,
  type StaffCall,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { postChanges, postChangesWithMail, type LedgerChanges } from './post-changes.ts';

type Reason = VerbBody<typeof reversePayment>['reason'];

const descriptions: Record<Reason, string> = {
  nsf: 'Insufficient funds',
  chargeback: 'Chargeback',
  mistake: 'Recorded by mistake',
};
const NOT_COLLECTED = 'Bank debit not collected';

/**
 * `payments.reverse`: takes back what is left of a payment; what it had paid is owed again, and so
 * is what was moved away of it as a credit, unless a dispute may be won. Refuses with 404 a number
 * that is none, with 409 while a refund of it is under way and a chargeback of what is disputed at
 * the gateway, with 422 a reason that does not fit the payment and one of which nothing is left. A
 * payment that the gateway took is no mistake, except a pending bank debit of which the gateway,
 * asked first, says that it declined it or does not have it; with 503 where it does not answer. The
 * tenant is mailed.
 */
export async function reversePaymentOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof reversePayment>> {
  const notCollected = await findNotCollected(ctx, call, readBody(reversePayment, body));
  return runStaffVerb(ctx, reversePayment, call, body, async (on, { receiptNumber, reason }) => {
    const parts = await findParts(on, receiptNumber);
    const [payment] = parts;
    if (payment === undefined) throw new Refusal(404, `There is no receipt ${receiptNumber}.`);
    const isNotCollected = payment.intentId === notCollected;
    checkReason(payment, reason, receiptNumber, isNotCollected);
    const fee = reason === 'nsf' ? await readFacility(on, payment.tenantId) : null;
    const { ledgers, moved, isCharged } = await takeBack(on, parts, {
      reason,
      description: isNotCollected ? NOT_COLLECTED : descriptions[reason],
      feeCents: fee?.feeCents ?? 0,
    });
    if (isNotCollected && !(await markNotCollected(on.ctx, on.trx, payment.intentId)))
      throw new Refusal(
        409,
        `The bank debit of receipt ${receiptNumber} is no longer pending. Look at it again.`,
      );
    if (reason === 'chargeback') await refuseDisputed(on, payment, receiptNumber);
    const reversals = ledgers.flatMap(({ ledger, changes }) =>
      changes
        .filter((change) => change.kind === 'reversal')
        .map((change) => ({ ledgerId: ledger.id, change, number: numberOf(parts, change) })),
    );
    if (ledgers.length === 0)
      throw new Refusal(422, `Nothing is left of receipt ${receiptNumber} to take back.`);
    const touched = await (fee === null
      ? postChangesWithMail(on, ledgers)
      : postChanges(on, ledgers));
    if (reason === 'mistake' && isOfCounter(payment))
      await noteInDrawer(
        on,
        ledgers[0]!.ledger,
        reversals.map(({ change }) => ({
          entryId: change.id,
          type: payment.type,
          cents: -change.cents,
        })),
      );
    const cents = [...reversals.map(({ change }) => change), ...(isCharged ? moved : [])].reduce(
      (sum, one) => sum + one.cents,
      0,
    );
    if (!on.call.isPreview) await raiseMovedCredits(on.ctx, on.trx, moved, { isCharged });
    if (fee !== null) await mailReturned(on, payment, cents, ledgers, fee);
    return {
      reply: {
        receiptNumber,
        amount: toDollars(cents),
        fee: toDollars(fee?.feeCents ?? 0),
        reversals: reversals.map(({ ledgerId, change, number }) => ({
          reversalId: change.id,
          ledgerId,
          amount: toDollars(change.cents),
          receiptNumber: number,
        })),
        ledgers: touched,
      },
      about: {
        facilityId: ledgers[0]!.ledger.facilityId,
        tenantId: payment.tenantId,
        ledgerIds: ledgers.map(({ ledger }) => ledger.id),
        details: { receipt: receiptNumber, reason, amount: String(toDollars(cents)) },
      },
    };
  });
}

/**
 * The id of the bank debit of a receipt that the gateway will not collect; asked before the
 * transaction, under no lock.
 */
async function findNotCollected(
  ctx: Context,
  call: StaffCall,
  { receiptNumber, reason }: VerbBody<typeof reversePayment>,
): Promise<string | null> {
  if (reason !== 'mistake') return null;
  const [payment] = await findParts({ trx: ctx.db, call }, receiptNumber);
  return payment !== undefined && (await isDebitNotCollected(ctx, payment.intentId))
    ? payment.intentId
    : null;
}

function checkReason(
  payment: PaidPart,
  reason: Reason,
  receiptNumber: string,
  isNotCollected: boolean,
): void {
  const { type, initiator, method, number, wholeNumber } = payment;
  const isOfGateway = initiator === 'tenant' || initiator === 'autopay';
  // An import says nothing of how a payment by check was made.
  if (reason === 'nsf' && type !== 'check' && initiator !== 'import')
    throw new Refusal(
      422,
      `Only a check can bounce; receipt ${receiptNumber} was paid with ${method}.`,
    );
  if (reason === 'chargeback' && type !== 'creditCard')
    throw new Refusal(
      422,
      `Only a card payment can be charged back; receipt ${receiptNumber} was paid with ${method}.`,
    );
  if (reason === 'mistake' && isOfGateway && !isNotCollected)
    throw new Refusal(422, `Receipt ${receiptNumber} was paid with ${method}: refund it.`);
  if (
    (reason !== 'mistake' || isNotCollected) &&
    receiptNumber === number &&
    number !== wholeNumber
  )
    throw new Refusal(422, `A bank takes back the whole payment: name receipt ${wholeNumber}.`);
}

/** Whether staff took the payment, so that it went through the drawer. */
function isOfCounter(payment: PaidPart): payment is PaidPart & { type: CounterType } {
  return payment.initiator === 'staff';
}

type TakenBack = { ledgers: LedgerChanges[]; moved: MovedCredit[]; isCharged: boolean };

/** Reads under lock what is left of each part; the fee falls on the first ledger. */
async function takeBack(
  on: StaffWork,
  parts: PaidPart[],
  { reason, description, feeCents }: { reason: Reason; description: string; feeCents: number },
): Promise<TakenBack> {
  const ledgerIds = parts.map(({ ledgerId }) => ledgerId);
  const entryIds = parts.map(({ entryId }) => entryId);
  await lockBooks(on.trx, ledgerIds);
  if (await isUnderRefund(on.trx, entryIds))
    throw new Refusal(409, 'A refund of this payment is under way.');
  const ledgers = await findStaffLedgers(on, ledgerIds);
  const books = await readBooksWithPayments(on.trx, entryIds);
  const moved = await findMovedCredits(on.trx, entryIds);
  // A dispute that is won restores what was taken back, and would leave the charge.
  const isCharged = reason !== 'chargeback';
  const changed = parts.flatMap(({ entryId, ledgerId }): LedgerChanges[] => {
    const own = books.find((one) => one.ledgerId === ledgerId)!;
    const ledger = ledgers.find(({ id }) => id === ledgerId)!;
    const payment = own.payments.find((one) => one.id === entryId)!;
    const { leftCents: cents } = payment;
    const reversal = { kind: 'reversal', id: randomUUID(), payment, cents, reason } as const;
    const today = calendarDateIn(ledger.timeZone, on.now);
    const changes: Change[] = [
      ...(cents > 0 ? [{ ...reversal, description }] : []),
      ...moved
        .filter((one) => isCharged && one.entryId === entryId)
        .map((one) => owedAgain(one, today)),
    ];
    return changes.length === 0 ? [] : [{ ledger, books: own, changes }];
  });
  const [first] = changed;
  if (first !== undefined && feeCents > 0) {
    const today = calendarDateIn(first.ledger.timeZone, on.now);
    first.changes.push(feeOf(feeCents, today, RETURNED_CHECK_FEE));
  }
  return { ledgers: changed, moved, isCharged };
}

/** Under the locks of the ledgers, which a dispute is posted under as well. */
async function refuseDisputed(
  { trx }: StaffWork,
  { intentId }: PaidPart,
  receiptNumber: string,
): Promise<void> {
  const dispute = await trx
    .selectFrom('disputes')
    .select('id')
    .where('intent_id', '=', intentId)
    .executeTakeFirst();
  if (dispute !== undefined)
    throw new Refusal(
      409,
      `Receipt ${receiptNumber} is disputed at the gateway, and a dispute is posted by itself.`,
    );
}

function numberOf(parts: PaidPart[], { payment }: NewReversal): string {
  return parts.find(({ entryId }) => entryId === payment.id)!.number;
}

type Facility = {
  feeCents: number;
  facilityName: string;
  facilityPhone: string | null;
  timeZone: string;
  firstName: string;
  email: string;
};

async function readFacility({ trx }: StaffWork, tenantId: string): Promise<Facility> {
  return trx
    .selectFrom('tenants as t')
    .innerJoin('facilities as f', 'f.id', 't.facility_id')
    .select([
      'f.return_fee_cents as feeCents',
      'f.name as facilityName',
      'f.phone as facilityPhone',
    ])
    .select(['f.time_zone as timeZone', 't.first_name as firstName', 't.email'])
    .where('t.id', '=', tenantId)
    .executeTakeFirstOrThrow();
}

async function mailReturned(
  on: StaffWork,
  { method, createdAt }: PaidPart,
  cents: number,
  ledgers: LedgerChanges[],
  facility: Facility,
): Promise<void> {
  const { tenantId } = ledgers[0]!.ledger;
  await queueMail(on.ctx, on.trx, {
    to: facility.email,
    kind: 'payment_changed',
    tenantId,
    email: () =>
      paymentReturnedEmail({
        ...facility,
        unitNames: ledgers.map(({ ledger }) => ledger.unitName),
        method,
        paidOn: calendarDateIn(facility.timeZone, createdAt),
        cents,
        feeName: RETURNED_CHECK_FEE,
        reason: 'insufficient funds',
      }),
  });
}
