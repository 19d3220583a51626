import { addDays } from '@gatehouse/contract/dates';
import { t } from '@gatehouse/language/t';
import type { UseFormReturn } from 'react-hook-form';
import { TextField } from '#ui/field.tsx';
import type { Chosen, InsuranceForm } from './insurance-form.ts';

type Props = {
  form: UseFormReturn<InsuranceForm, unknown, Chosen>;
  /** The facility's: the earliest expiration is the day after. */
  today: string;
};

/** A private policy, all of it required. */
export function PrivateInsuranceFields({ form: { register, formState }, today }: Props) {
  const { errors } = formState;
  return (
    <>
      <TextField
        label={t('Policy Company')}
        autoComplete="off"
        error={errors.description?.message}
        {...register('description')}
      />
      <TextField
        label={t('Policy Number')}
        autoComplete="off"
        spellCheck={false}
        error={errors.policyNumber?.message}
        {...register('policyNumber')}
      />
      <TextField
        label={t('Expiration Date')}
        type="date"
        min={addDays(today, 1)}
        error={errors.coverageEnd?.message}
        {...register('coverageEnd')}
      />
      <TextField
        label={t('Coverage Amount')}
        start="$"
        inputMode="decimal"
        autoComplete="off"
        className="tabular-nums"
        error={errors.coverageAmount?.message}
        {...register('coverageAmount')}
      />
    </>
  );
}
