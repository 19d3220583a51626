import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { DialogDone } from '#ui/form-dialog.tsx';
import { Reference } from '#ui/reference.tsx';
import type { InsuranceSuccess } from './use-insurance-submit.ts';

type Props = { success: InsuranceSuccess; unitName: string; today: string; onClose: () => void };

/** What was added, updated or asked for, and what comes of it. */
export function InsuranceDone({ success, unitName, today, onClose }: Props) {
  const [title, sentence, more] = wording(success, unitName, today);
  return (
    <DialogDone title={title} onClose={onClose}>
      <p>{sentence}</p>
      <p className="mt-1">{more}</p>
    </DialogDone>
  );
}

function wording(
  success: InsuranceSuccess,
  unit: string,
  today: string,
): [title: string, sentence: string, more: ReactNode] {
  if (success.state === 'successAdd') {
    const { added } = success;
    return added.kind === 'plan'
      ? [
          t('Plan added'),
          t('You have successfully added a protection plan to unit {unit}', { unit }),
          t('{coverage} coverage for {premium} a month, from {date}.', {
            coverage: formatMoney(added.plan.coverage),
            premium: formatMoney(added.plan.premium),
            date: formatDate(today),
          }),
        ]
      : [
          t('Insurance on file'),
          t('The private insurance for unit {unit} is on file', { unit }),
          expiresOn(added.coverageEnd),
        ];
  }
  const { updated } = success;
  return updated.kind === 'plan'
    ? [
        t('Request sent'),
        t(
          'Your request to change the protection plan of unit {unit} has been sent. The update can take up to 1 day to take effect.',
          { unit },
        ),
        <Reference key="reference" number={updated.reference} />,
      ]
    : [
        t('Insurance updated'),
        t('The private insurance for unit {unit} has been updated', { unit }),
        expiresOn(updated.coverageEnd),
      ];
}

function expiresOn(date: string): string {
  return t('The policy expires on {date}.', { date: formatDate(date) });
}
