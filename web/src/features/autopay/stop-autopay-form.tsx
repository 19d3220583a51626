import type { Autopay } from '@gatehouse/contract/autopay';
import { formatDate } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useStopAutopayMutation } from '#api/autopay-changes.ts';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { savedMethodOf } from '#api/autopay-record.ts';
import { useSubmit } from '#api/use-submit.ts';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';

export type StopProps = {
  ledger: Ledger;
  record: Autopay;
  /** It is switched off, which names the dialog from then on. */
  onOff: () => void;
};

/** Says what changes when autopay of a rental is switched off, and does it. */
export default function StopAutopayForm({
  ledger,
  record,
  onOff,
  onClose,
  onBusy,
}: StopProps & FormDialogProps) {
  const { unitName, balance } = ledger;
  const [isOff, setOff] = useState(false);
  const { data: autopays = [] } = useListAutopaysQuery(ledger.tenantId);
  const [stopAutopay] = useStopAutopayMutation();
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    await stopAutopay(ledger.id).unwrap();
    setOff(true);
    onOff();
  });

  if (isOff) {
    return (
      <DialogDone onClose={onClose}>
        <p className="font-semibold">
          {t('Autopay is switched off for unit {unit}.', { unit: unitName })}
        </p>
        <p className="mt-2">
          {t(
            'Pay on Billing Info from now on, or set autopay up again at any time. {method} stays saved for when you pay.',
            { method: savedMethodOf(record)?.label ?? t('Your payment method') },
          )}
        </p>
      </DialogDone>
    );
  }
  const { nextCharge } = record;
  const isWithOthers = autopays.some(({ active, ledgerId }) => active && ledgerId !== ledger.id);
  return (
    <DialogForm
      submitLabel={t('Switch autopay off')}
      isDanger
      onSubmit={(event) => {
        event.preventDefault();
        void submit({});
      }}
      error={error}
      isBusy={isBusy}
      onClose={onClose}
      onBusy={onBusy}
    >
      <ul className="grid list-disc gap-2 pl-5">
        {nextCharge && (
          <li>
            {t('The next charge of {sum} on {day} will not be taken.', {
              sum: formatMoney(nextCharge.amount),
              day: formatDate(nextCharge.date),
            })}
          </li>
        )}
        <li>
          {balance > 0
            ? t('What is owed stays owed: {sum}. Please pay it yourself.', {
                sum: formatMoney(balance),
              })
            : t('From now on you pay what comes due yourself.')}
        </li>
        <li>{t('Your payment method stays saved for when you pay.')}</li>
        {isWithOthers && <li>{t('Other units keep their autopay.')}</li>}
      </ul>
    </DialogForm>
  );
}
