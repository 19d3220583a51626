import type { Ledger } from '@gatehouse/contract/ledgers';
import { DialogButton } from '#ui/dialog-button.tsx';
import { FormDialog, type FormDialogProps, lazyForm } from '#ui/form-dialog.tsx';

const form = lazyForm<FormDialogProps & { ledger: Ledger }>(() => import('./gate-request-form.tsx'));

/** The 24-hour access request of a rental and its dialog. */
export function GateRequestAction({ ledger }: { ledger: Ledger }) {
  return (
    // On phones the label fills the row's column.
    <DialogButton
      label="Request 24-hour access"
      about={`for ${ledger.unitName}`}
      fetchAhead={form.fetchAhead}
      className="-ml-3"
    >
      {(close) => (
        <FormDialog
          title="Request 24-hour access"
          description={`For unit ${ledger.unitName}. Tell the facility why you need to come outside business hours.`}
          onClose={close}
          form={form}
          formProps={{ ledger }}
        />
      )}
    </DialogButton>
  );
}
