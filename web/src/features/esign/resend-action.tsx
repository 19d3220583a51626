import type { Ledger } from '@gatehouse/contract/ledgers';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const form = lazyPart(() => import('./resend-form.tsx'));

/**
 * The e-sign resend of a rental and its dialog (spec section 2, My Units); `isPending` while a
 * document waits for the tenant.
 */
export function ResendAction({ ledger, isPending }: { ledger: Ledger; isPending: boolean }) {
  return (
    <FormDialogButton
      label="Resend"
      about={`documents for ${ledger.unitName}`}
      variant={isPending ? 'soft' : 'quiet'}
      className={isPending ? '' : '-mx-3'}
      title="Resend documents"
      description={`We ask the facility to send the e-sign documents of unit ${ledger.unitName} again.`}
      form={form}
      formProps={{ ledger }}
    />
  );
}
