import { reversePayment } from '@gatehouse/contract/counter-payments';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import type { VerbBody, VerbReply } from '@gatehouse/contract/staff-verb';
import type { Context } from '#context/context.ts';
import type { CounterType } from '#db/tables.ts';
import { accountPostingEmail } from '#emails/account-posting.ts';
import { noteInDrawer } from '#features/money/drawers/note.ts';
import { postLocked } from '#features/base/ledgers/postings.ts';
import { findParts, type PaidPart } from '#features/money/payments/receipt.ts';
import { isUnderRefund } from '#features/money/payments/refunds.ts';
import { RETURNED_CHECK_FEE, RETURNED_PAYMENT_FEE } from '#features/money/payments/fee.ts';
import { isDebitNotCollected } from '#features/money/payments/resolve.ts';
import { mailReturned } from '#features/money/payments/returns.ts';
import { markNotCollected } from '#features/money/payments/settle.ts';
import {
  alarmOfOwedAgain,
  entriesOf,
  lockCapture,
  takeBack,
  wholeOf,
  type Capture,
} from '#features/money/payments/take-back.ts';
import { findOwed } from '#features/service/gate-access/owed.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import {
  readBody,
  runStaffVerb,
  type StaffCall,
  type StaffWork,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { findWaivedWith } from './came-earlier.ts';

type Reason = VerbBody<typeof reversePayment>['reason'];

const descriptions: Record<Reason, string> = {
  nsf: 'Insufficient funds',
  chargeback: 'Chargeback',
  mistake: 'Recorded by mistake',
};
const NOT_COLLECTED = 'Bank debit not collected';

/**
 * `payments.reverse`: takes a payment back, whole and once; what it had paid is owed again, and so
 * is what was refunded of it or moved away before. Refuses with 404 a number that is none, with 409
 * while a refund of it is under way and a chargeback of what is disputed at the gateway, with 422 a
 * reason that does not fit the payment and one that was taken back before. A payment that the
 * gateway took is no mistake, except a pending bank debit of which the gateway, asked first, says
 * that it declined it or does not have it; with 503 where it does not answer. The tenant is mailed.
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
    const capture = (await lockCapture(on.trx, payment.intentId))!;
    if (await isUnderRefund(on.trx, capture.entryIds))
      throw new Refusal(409, 'A refund of this payment is under way.');
    if (isNotCollected && !(await markNotCollected(on.ctx, on.trx, payment.intentId)))
      throw new Refusal(
        409,
        `The bank debit of receipt ${receiptNumber} is no longer pending. Look at it again.`,
      );
    if (reason === 'chargeback') await refuseDisputed(on, payment, receiptNumber);
    // The capture's own number is all of it, also where it has one part only.
    const entryId = receiptNumber === payment.wholeNumber ? null : payment.entryId;
    const cents = wholeOf(capture, entryId);
    if (cents === 0)
      throw new Refusal(422, `Nothing is left of receipt ${receiptNumber} to take back.`);
    const fee = reason === 'nsf' ? feeFor(capture) : { cents: 0, description: '' };
    const description = isNotCollected ? NOT_COLLECTED : descriptions[reason];
    const day = calendarDateIn(capture.timeZone, on.now);
    const taken = takeBack(capture, entryId, cents, { reason, description, on: day, fee });
    // As the payment was posted.
    const ledgers = taken.ledgers.toReversed();
    const postings = ledgers.map(({ posting }) => posting);
    await postLocked(on.trx, { instant: on.now, dayOf: () => day }, postings);
    const touched = ledgers.map(({ ledgerId, unitName, posting }) => ({
      ledgerId,
      unitName,
      balance: toDollars(posting.balanceCents),
    }));
    const entries = ledgers.flatMap((one) =>
      entriesOf(one).map((entry) => ({ ledgerId: one.ledgerId, ...entry })),
    );
    if (reason === 'mistake' && isOfCounter(payment))
      await noteInDrawer(
        on,
        capture,
        entries.map((entry) => ({ entryId: entry.id, type: payment.type, cents: -entry.cents })),
      );
    if (reason === 'nsf')
      await mailReturned(on.ctx, on.trx, capture, {
        cents,
        feeName: fee.description,
        reason: 'insufficient funds',
      });
    else {
      const owed = await findOwed(
        on.ctx,
        on.trx,
        ledgers.map(({ ledgerId }) => ledgerId),
      );
      await mailTenantOf(on, ledgers[0]!.ledgerId, 'account_changed', (to) =>
        accountPostingEmail({
          ...to,
          entries: ledgers.map((one) => ({
            unitName: one.unitName,
            description,
            amount: toDollars(one.cents),
            dueOn: null,
          })),
          balances: touched,
          owedOn: taken.owedOn,
          owed,
        }),
      );
    }
    if (!on.call.isPreview) await alarmOfOwedAgain(on.ctx, on.trx, capture, taken, entries[0]!.id);
    return {
      reply: {
        receiptNumber,
        amount: toDollars(cents),
        fee: toDollars(fee.cents),
        reversals: entries.map((entry) => ({
          reversalId: entry.id,
          ledgerId: entry.ledgerId,
          amount: toDollars(entry.cents),
          receiptNumber: parts.find(({ entryId: id }) => id === entry.paymentId)!.number,
        })),
        owedOn: taken.owedOn,
        leftWaived: await findWaivedWith(on, capture.entryIds),
        ledgers: touched,
      },
      about: {
        facilityId: capture.facilityId,
        tenantId: capture.tenantId,
        ledgerIds: ledgers.map(({ ledgerId }) => ledgerId),
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
  if (reason === 'nsf' && type !== 'check' && type !== 'moneyOrder' && initiator !== 'import')
    throw new Refusal(
      422,
      `Only a check or money order can bounce; receipt ${receiptNumber} was paid with ${method}.`,
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

/** The facility's fee for a payment that its bank did not honour. */
function feeFor({ type, returnFeeCents }: Capture) {
  const description = type === 'check' ? RETURNED_CHECK_FEE : RETURNED_PAYMENT_FEE;
  return { cents: returnFeeCents, description };
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
