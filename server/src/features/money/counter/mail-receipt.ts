import { mailReceipt } from '@gatehouse/contract/counter-payments';
import { toDollars } from '@gatehouse/contract/money';
import { findParts } from '#features/money/payments/receipt.ts';
import { queueReceiptMails } from '#features/money/payments/receipt-mails.ts';
import { workOf } from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';

/**
 * `payments.mailReceipt`: queues the mail of a payment's receipts again, in the words and to the
 * address of today. Refuses with 404 a number that is none or of another facility, and with 422
 * where the record has no address that mail can go to.
 */
export const mailReceiptOf = workOf(mailReceipt, async (on, { receiptNumber }) => {
  const parts = await findParts(on, receiptNumber);
  const [part] = parts;
  if (part === undefined) throw new Refusal(404, `There is no receipt ${receiptNumber}.`);
  const queued = await queueReceiptMails(on.ctx, on.trx, part.intentId);
  if (queued === null) throw new Refusal(422, 'The address on file is no mail address.');
  return {
    reply: {
      receiptNumber,
      to: queued.to,
      receipts: queued.receipts.map(({ unitName, number, cents }) => ({
        unitName,
        receiptNumber: number,
        amount: toDollars(cents),
      })),
    },
    about: {
      facilityId: part.facilityId,
      tenantId: part.tenantId,
      ledgerIds: queued.receipts.map(({ ledgerId }) => ledgerId),
      details: { receipt: receiptNumber, mailedTo: queued.to },
    },
  };
});
