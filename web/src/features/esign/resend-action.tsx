import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const form = lazyPart(() => import('./resend-form.tsx'));

/**
 * The e-sign resend of a rental and its dialog; `isPending` while a document waits for the tenant.
 */
export function ResendAction({ ledger, isPending }: { ledger: Ledger; isPending: boolean }) {
  return (
    <FormDialogButton
      label={t('Resend')}
      about={t('documents for {unit}', { unit: ledger.unitName })}
      variant={isPending ? 'soft' : 'quiet'}
      className={isPending ? '' : '-mx-3'}
      title={t('Ask for the documents')}
      description={t('Ask the facility to send the e-sign documents of unit {unit} again.', {
        unit: ledger.unitName,
      })}
      form={form}
      formProps={{ ledger }}
    />
  );
}
