import type { Autopay, AutopayAttempt } from '@gatehouse/contract/autopay';
import { toDollars } from '@gatehouse/contract/money';
import { translateStored } from '@gatehouse/language/stored';
import type { IntentState } from '#db/tables.ts';
import { methodView } from '#features/money/payment-methods/view.ts';
import { returnSentence } from '#features/money/payments/return-codes.ts';
import type { AttemptRow, AutopayRow } from './autopay.ts';

export function autopayView({
  ledgerId,
  active,
  method,
  nextCharge,
  nextBill,
  problem,
  attempts,
}: AutopayRow): Autopay {
  return {
    ledgerId,
    active,
    nextCharge: nextCharge && { date: nextCharge.date, amount: toDollars(nextCharge.cents) },
    nextBill: nextBill && {
      date: nextBill.dueOn,
      lines: nextBill.lines.map(({ description, cents }) => ({
        description,
        amount: toDollars(cents),
      })),
      cardFee: toDollars(nextBill.cardFeeCents),
    },
    problem,
    attempts: attempts.map((attempt, index) => attemptView(attempt, active && index === 0)),
    ...(method === null ? {} : { type: method.type, ...methodView(method) }),
  };
}

/** Only the newest attempt, while autopay is on, has another one to come. */
function attemptView(
  { on, cents, state, declineMessage, returnCode, tryOn }: AttemptRow,
  goesOn: boolean,
): AutopayAttempt {
  const outcome = outcomes[state];
  const isOver = outcome === 'declined' || outcome === 'returned';
  return {
    date: on,
    amount: toDollars(cents),
    outcome,
    message:
      returnCode === null
        ? declineMessage && translateStored(declineMessage)
        : returnSentence(returnCode),
    retryOn: goesOn && isOver ? tryOn : null,
  };
}

const outcomes: Record<IntentState, AutopayAttempt['outcome']> = {
  submitted: 'unconfirmed',
  unknown: 'unconfirmed',
  never_sent: 'unconfirmed',
  succeeded: 'succeeded',
  pending: 'pending',
  settled: 'succeeded',
  declined: 'declined',
  returned: 'returned',
};
