import type { Ledger } from '@gatehouse/contract/ledgers';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const form = lazyPart(() => import('./gate-request-form.tsx'));

/** The 24-hour access request of a rental in its dialog. */
export function GateRequestAction({ ledger }: { ledger: Ledger }) {
  return (
    <FormDialogButton
      label="Request 24-hour access"
      about={`for ${ledger.unitName}`}
      // On phones the label fills the row's column.
      className="-ml-3"
      title="Request 24-hour access"
      description={`For unit ${ledger.unitName}. Tell the facility why you need to come outside business hours.`}
      form={form}
      formProps={{ ledger }}
    />
  );
}
