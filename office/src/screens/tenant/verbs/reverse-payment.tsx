import type { BookLine } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { ActionButton } from '#parts/action-dialog.tsx';

type Props = { line: BookLine; hasRest: boolean };

/** What is left of a payment is taken back. */
export function ReversePayment({ line: { kind, receiptNumber }, hasRest }: Props) {
  if (kind !== 'payment' || receiptNumber === null || !hasRest) return null;
  const whole = receiptNumber.replace(/-\d+$/, '');
  return (
    <ActionButton
      action={officeVerbs['payments.reverse']}
      label="Reverse"
      explanation={`Takes back all that is left of receipt ${receiptNumber}, once. What a bank takes back is the whole of receipt ${whole}, of every rental that it paid.`}
      // A bank takes back all that was paid at once; a mistake may be in one rental's share.
      given={(form) => ({
        receiptNumber: form.text('reason') === 'mistake' ? receiptNumber : whole,
      })}
      isDanger
    />
  );
}
