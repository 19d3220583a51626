import type { UseFormReturn } from 'react-hook-form';
import { TextField } from '#ui/field.tsx';
import type { MethodForm } from './method-form.ts';

/** Who holds the card and where, which is no part of its number: with hosted fields these are still ours. */
export function BillingFields({ form: { register, formState } }: { form: UseFormReturn<MethodForm> }) {
  const errors = formState.errors.creditCard;
  return (
    <>
      <TextField
        label="Name on Card"
        error={errors?.name?.message}
        autoComplete="cc-name"
        spellCheck={false}
        {...register('creditCard.name')}
      />
      <TextField
        label="Street Address"
        optional
        error={errors?.streetAddress?.message}
        autoComplete="billing address-line1"
        {...register('creditCard.streetAddress')}
      />
      <TextField
        label="Billing Zip"
        error={errors?.postalCode?.message}
        inputMode="numeric"
        autoComplete="billing postal-code"
        {...register('creditCard.postalCode')}
      />
    </>
  );
}
