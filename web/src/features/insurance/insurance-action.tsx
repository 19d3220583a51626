import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { DialogButton } from '#ui/dialog-button.tsx';
import { FormDialog, type FormDialogProps, lazyForm } from '#ui/form-dialog.tsx';
import type { InsuranceFlowProps } from './insurance-flow.tsx';

const flow = lazyForm<InsuranceFlowProps & FormDialogProps>(() => import('./insurance-flow.tsx'));

type Props = { ledger: Ledger; insurance: InsuranceStatus | null; onConflict: () => void };

/** Opens the insurance / protection plan dialog of a rental (spec section 2, Dialogs). */
export function InsuranceAction({ ledger, insurance, onConflict }: Props) {
  const [label, about] = naming(insurance);
  return (
    <DialogButton label={label} about={`${about} ${ledger.unitName}`} fetchAhead={flow.fetchAhead}>
      {(close) => (
        <FormDialog
          title="Insurance/Protection Plan"
          description={`For unit ${ledger.unitName}.`}
          onClose={close}
          form={flow}
          formProps={{ ledger, insurance, onConflict }}
        />
      )}
    </DialogButton>
  );
}

function naming(insurance: InsuranceStatus | null): [label: string, about: string] {
  if (insurance?.activeInsurance) return ['Update', 'protection plan for'];
  if (insurance?.privateInsurance) return ['Update', 'private insurance for'];
  return ['Add protection plan', 'for'];
}
