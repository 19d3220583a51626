import type { PaymentListener } from '#context/context.ts';
import { queueAttemptMail } from './attempt-mails.ts';
import { onPaymentDisputed } from './disputes.ts';
import { onPaymentClosed } from './items.ts';
import { onPaymentReturned } from './returns.ts';

/** What autopay makes of the outcome, the return and the dispute of a payment. */
export const autopayListener: PaymentListener = {
  closed: onPaymentClosed,
  notifying: queueAttemptMail,
  returned: onPaymentReturned,
  disputed: onPaymentDisputed,
};
