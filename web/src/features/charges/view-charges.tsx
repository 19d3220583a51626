import type { Ledger } from '@gatehouse/contract/ledgers';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const charges = lazyPart(() => import('./charges-view.tsx'));

/**
 * The View Charges action of a rental that owes, and its dialog (spec section 4, Balance display).
 */
export function ViewCharges({ ledger }: { ledger: Ledger }) {
  return (
    <FormDialogButton
      label="View Charges"
      about={`of ${ledger.unitName}`}
      title="Charges"
      description={`What is still owed for ${ledger.unitName}.`}
      form={charges}
      formProps={{ ledger }}
    />
  );
}
