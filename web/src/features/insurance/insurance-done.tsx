import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import type { ReactNode } from 'react';
import { DialogDone } from '#ui/form-dialog.tsx';
import { Reference } from '#ui/reference.tsx';
import type { InsuranceSuccess } from './use-insurance-submit.ts';

type Props = { success: InsuranceSuccess; unitName: string; today: string; onClose: () => void };

/**
 * What was added, updated or asked for, and what comes of it (spec section 4, Insurance dialog).
 */
export function InsuranceDone({ success, unitName, today, onClose }: Props) {
  const [sentence, more] = wording(success, unitName, today);
  return (
    <DialogDone onClose={onClose}>
      <p>{sentence}</p>
      <p className="mt-1">{more}</p>
    </DialogDone>
  );
}

function wording(
  success: InsuranceSuccess,
  unitName: string,
  today: string,
): [sentence: string, more: ReactNode] {
  if (success.state === 'successAdd') {
    const { added } = success;
    return added.kind === 'plan'
      ? [
          `You have successfully added a protection plan to unit ${unitName}`,
          `${formatMoney(added.plan.coverage)} coverage for ${formatMoney(added.plan.premium)} a month, from ${formatDate(today)}.`,
        ]
      : [`The private insurance for unit ${unitName} is on file`, expiresOn(added.coverageEnd)];
  }
  const { updated } = success;
  return updated.kind === 'plan'
    ? [
        `Your request to change the protection plan of unit ${unitName} has been sent. The update can take up to 1 day to take effect.`,
        <Reference key="reference" number={updated.reference} />,
      ]
    : [
        `The private insurance for unit ${unitName} has been updated`,
        expiresOn(updated.coverageEnd),
      ];
}

function expiresOn(date: string): string {
  return `The policy expires on ${formatDate(date)}.`;
}
