import type { Ledger } from '@gatehouse/contract/ledgers';
import { DialogButton } from '#ui/dialog-button.tsx';
import { FormDialog, type FormDialogProps, lazyForm } from '#ui/form-dialog.tsx';

const form = lazyForm<FormDialogProps & { ledger: Ledger }>(() => import('./resend-form.tsx'));

/** The e-sign resend of a rental and its dialog (spec section 2, My Units). */
export function ResendAction({ ledger }: { ledger: Ledger }) {
  return (
    <DialogButton label="Resend documents" about={`for ${ledger.unitName}`} fetchAhead={form.fetchAhead}>
      {(close) => (
        <FormDialog
          title="Resend documents"
          description={`We ask the facility to send the e-sign documents of unit ${ledger.unitName} again.`}
          onClose={close}
          form={form}
          formProps={{ ledger }}
        />
      )}
    </DialogButton>
  );
}
