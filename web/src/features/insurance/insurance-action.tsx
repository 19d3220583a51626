import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Ledger } from '@gatehouse/contract/ledgers';
import type { ButtonVariant } from '#ui/button.tsx';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const flow = lazyPart(() => import('./insurance-flow.tsx'));

type Props = { ledger: Ledger; insurance: InsuranceStatus | null; onConflict: () => void };

/** Opens the insurance / protection plan dialog of a rental (spec section 2, Dialogs). */
export function InsuranceAction({ ledger, insurance, onConflict }: Props) {
  const [label, about, variant] = naming(insurance);
  return (
    <FormDialogButton
      label={label}
      about={`${about} ${ledger.unitName}`}
      variant={variant}
      className={variant === 'quiet' ? '-mx-3' : ''}
      title="Insurance/Protection Plan"
      description={`For unit ${ledger.unitName}.`}
      form={flow}
      formProps={{ ledger, insurance, onConflict }}
    />
  );
}

/** The label, what completes it for screen readers, and the look. */
function naming(insurance: InsuranceStatus | null): [string, string, ButtonVariant] {
  if (insurance?.activeInsurance) return ['Update', 'protection plan for', 'quiet'];
  if (insurance?.privateInsurance) return ['Update', 'private insurance for', 'quiet'];
  return ['Add', 'protection plan for', 'soft'];
}
