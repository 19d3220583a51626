import { sumDollars } from '@gatehouse/contract/money';
import type { BookLine } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { anyAction } from '#parts/action-dialog.tsx';

/** A payment is taken back, with what was refunded of it; unless it was before. */
export function reversePayment({ line }: { line: BookLine }) {
  const { kind, amount, receiptNumber, takenBack } = line;
  const undone = takenBack.filter(({ reason }) => reason !== 'refund' && reason !== 'moved');
  const isUndone = sumDollars(undone.map((back) => back.amount)) >= -amount;
  if (kind !== 'payment' || receiptNumber === null || isUndone) return null;
  const whole = receiptNumber.replace(/-\d+$/, '');
  return anyAction({
    action: officeVerbs['payments.reverse'],
    label: 'Reverse',
    explanation: `Takes receipt ${receiptNumber} back, once; what was refunded of it is owed again as well. What a bank takes back is the whole of receipt ${whole}, of every rental that it paid.`,
    // A bank takes back all that was paid at once; a mistake may be in one rental's share.
    given: (form) => ({
      receiptNumber: form.text('reason') === 'mistake' ? receiptNumber : whole,
    }),
    isDanger: true,
  });
}
