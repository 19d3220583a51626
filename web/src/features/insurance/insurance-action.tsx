import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import type { ButtonVariant } from '#ui/button.tsx';
import { FormDialogButton } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const flow = lazyPart(() => import('./insurance-flow.tsx'));

type Props = { ledger: Ledger; insurance: InsuranceStatus | null; onConflict: () => void };

/** Opens the insurance / protection plan dialog of a rental. */
export function InsuranceAction({ ledger, insurance, onConflict }: Props) {
  const [label, about, variant] = naming(insurance, ledger.unitName);
  return (
    <FormDialogButton
      label={label}
      about={about}
      variant={variant}
      className={variant === 'quiet' ? '-mx-3' : ''}
      title={t('Insurance/Protection Plan')}
      description={t('For unit {unit}.', { unit: ledger.unitName })}
      form={flow}
      formProps={{ ledger, insurance, onConflict }}
    />
  );
}

/** The label, what completes it for screen readers, and the look. */
function naming(insurance: InsuranceStatus | null, unit: string): [string, string, ButtonVariant] {
  const plan = t('protection plan for {unit}', { unit });
  if (insurance?.activeInsurance) return [t('Update'), plan, 'quiet'];
  if (insurance?.privateInsurance)
    return [t('Update'), t('private insurance for {unit}', { unit }), 'quiet'];
  return [t('Add'), plan, 'soft'];
}
