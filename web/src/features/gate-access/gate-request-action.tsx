import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const form = lazyPart(() => import('./gate-request-form.tsx'));

type Props = {
  ledger: Ledger;
  /** Where the label is short, and the button on the pass's ground. */
  isOnPass?: boolean;
};

/** The 24-hour access request of a rental in its dialog. */
export function GateRequestAction({ ledger, isOnPass = false }: Props) {
  return (
    <FormDialogButton
      label={isOnPass ? t('24-hour access') : t('Request 24-hour access')}
      about={t('for {unit}', { unit: ledger.unitName })}
      // On phones the label fills the row's column.
      className={isOnPass ? '' : '-ml-3'}
      title={t('Request 24-hour access')}
      description={t(
        'For unit {unit}. Tell the facility why you need to come outside business hours.',
        { unit: ledger.unitName },
      )}
      form={form}
      formProps={{ ledger }}
    />
  );
}
