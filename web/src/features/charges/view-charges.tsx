import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const charges = lazyPart(() => import('./charges-view.tsx'));

/** The View Charges action of a rental that owes, and its dialog. */
export function ViewCharges({ ledger }: { ledger: Ledger }) {
  return (
    <FormDialogButton
      label={t('View Charges')}
      about={t('of {unit}', { unit: ledger.unitName })}
      title={t('Charges')}
      description={t('What is still owed for {unit}.', { unit: ledger.unitName })}
      form={charges}
      formProps={{ ledger }}
    />
  );
}
