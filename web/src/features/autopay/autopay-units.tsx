import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { autopayOf, savedMethodOf } from '#api/autopay-record.ts';
import { Card } from '#ui/card.tsx';
import { Chip, type ChipTone } from '#ui/chip.tsx';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { FormDialog } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { AutopayHistory } from './autopay-history.tsx';
import type { StopProps } from './stop-autopay-form.tsx';

const stopForm = lazyPart(() => import('./stop-autopay-form.tsx'));

/** The rentals that autopay has to do with: what it did, and the way to switch it off. */
export function AutopayUnits({ ledgers, autopays }: { ledgers: Ledger[]; autopays: Autopay[] }) {
  // The record is that of the opening: the success still names the charge that will not be taken.
  const [stopping, setStopping] = useState<StopProps | null>(null);
  const units = ledgers
    .map((ledger) => ({ ledger, record: autopayOf(autopays, ledger.id) }))
    .filter(({ record }) => isConcerned(record));
  if (units.length === 0 && stopping === null) return null;
  return (
    <Card
      title={t('Autopay')}
      description={t('What autopay did lately on each unit, and where you switch it off.')}
    >
      <ul className="-my-2 divide-y divide-line">
        {units.map(({ ledger, record }) => (
          <li key={ledger.id} className="py-2">
            <div className="flex min-h-11 flex-wrap items-center gap-x-3">
              <h3 className="min-w-0 font-medium wrap-anywhere">{ledger.unitName}</h3>
              <Chip tone={toneOf(record)}>{record.active ? t('On') : t('Off')}</Chip>
              {record.active && (
                <div className="-mr-3 ml-auto">
                  <OpenButton
                    label={t('Switch autopay off')}
                    about={t('for {unit}', { unit: ledger.unitName })}
                    fetchAhead={stopForm.fetchAhead}
                    onOpen={() => setStopping({ ledger, record })}
                  />
                </div>
              )}
            </div>
            <AutopayHistory attempts={record.attempts} unitName={ledger.unitName} />
          </li>
        ))}
      </ul>
      <DialogPlace>
        {stopping && (
          <FormDialog
            title={t('Switch autopay off')}
            description={t('For unit {unit}.', { unit: stopping.ledger.unitName })}
            onClose={() => setStopping(null)}
            form={stopForm}
            formProps={stopping}
          />
        )}
      </DialogPlace>
    </Card>
  );
}

function toneOf({ active, problem }: Autopay): ChipTone {
  if (!active) return 'neutral';
  return problem === null ? 'good' : 'warn';
}

/** Whether there is anything to say: autopay is or was on, or a method of it is saved. */
function isConcerned(record: Autopay): boolean {
  return record.active || record.attempts.length > 0 || savedMethodOf(record) !== null;
}
