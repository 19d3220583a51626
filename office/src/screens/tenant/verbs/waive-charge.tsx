import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { ActionButton } from '#parts/action-dialog.tsx';

/** A charge is taken back, all that is left of it unless less is typed. */
export function WaiveCharge({ chargeId, most }: { chargeId: string; most: number }) {
  return (
    <ActionButton
      action={officeVerbs['charges.waive']}
      label="Waive"
      explanation="With its tax. What had paid it becomes a credit."
      given={{ chargeId }}
      defaultValues={{ amount: most.toFixed(2) }}
    />
  );
}
