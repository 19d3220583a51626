import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { type ReactNode, useState } from 'react';
import { savedMethodOf } from '#api/autopay-record.ts';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { FormDialog } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { AutopayHistory } from './autopay-history.tsx';
import { AutopayProblem, nextChargeWords } from './next-charge.tsx';
import type { StopProps } from './stop-autopay-form.tsx';
import { WhyThisAmount } from './why-this-amount.tsx';

const stopForm = lazyPart(() => import('./stop-autopay-form.tsx'));

type Props = {
  ledger: Ledger;
  record: Autopay;
  /** Sets it up or updates it. */
  action: ReactNode;
};

/** How a rental is paid: with what, how autopay is in a sentence, and what may be done about it. */
export function AutopayStanding({ ledger, record, action }: Props) {
  // The record is that of the opening: the success still names the charge that will not be taken.
  const [stopping, setStopping] = useState<Omit<StopProps, 'onOff'> | null>(null);
  const [isOff, setOff] = useState(false);
  const { active, nextCharge, attempts } = record;
  const method = savedMethodOf(record)?.label;
  return (
    <div className="flex flex-col gap-3 sm:pt-3">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-48">
          <p className={active ? 'font-medium' : 'text-muted'}>
            <span>{active ? (method ?? t('Autopay is set up')) : t('Not set up')}</span>
          </p>
          <p className="text-15 text-muted tabular-nums">
            <span>
              {active ? t('Autopay is on.') : t('Autopay is off: you pay each bill yourself.')}
            </span>
            {nextCharge && <span>{` ${nextChargeWords(nextCharge)}`}</span>}
          </p>
          <AutopayProblem record={record} />
        </div>
        <div className="ml-auto flex flex-wrap justify-end gap-x-1 sm:-my-3">
          {active && (
            <OpenButton
              label={t('Switch off')}
              about={t('autopay for {unit}', { unit: ledger.unitName })}
              fetchAhead={stopForm.fetchAhead}
              onOpen={() => setStopping({ ledger, record })}
            />
          )}
          {action}
        </div>
      </div>
      {(active || attempts.length > 0 || method !== undefined) && (
        <div className="divide-y divide-line border-t border-line">
          <WhyThisAmount record={record} />
          <AutopayHistory attempts={attempts} unitName={ledger.unitName} />
        </div>
      )}
      <DialogPlace>
        {stopping && (
          <FormDialog
            title={isOff ? t('Autopay is off') : t('Switch autopay off')}
            description={t('For unit {unit}.', { unit: stopping.ledger.unitName })}
            onClose={() => {
              setStopping(null);
              setOff(false);
            }}
            form={stopForm}
            formProps={{ ...stopping, onOff: () => setOff(true) }}
          />
        )}
      </DialogPlace>
    </div>
  );
}
