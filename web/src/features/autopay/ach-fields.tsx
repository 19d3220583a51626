import { accountTypes, isRoutingNumber, ROUTING_NUMBER_LENGTH } from '@gatehouse/contract/payment-methods';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { SelectField, TextField } from '#ui/field.tsx';
import { digitsOf } from './card-number.ts';
import type { MethodForm } from './method-form.ts';

/** A new bank account (spec section 5). */
export function AchFields({ form }: { form: UseFormReturn<MethodForm> }) {
  const { register, control, formState } = form;
  const errors = formState.errors.ach;
  const routingNumber = useWatch({ control, name: 'ach.routingNumber' });
  return (
    <>
      <SelectField
        label="Account Type"
        error={errors?.accountType?.message}
        placeholder="Select account type"
        options={accountTypes.map((type) => ({ value: type, label: type }))}
        {...register('ach.accountType')}
      />
      <TextField
        label="Routing Number"
        hint={routingHint(digitsOf(routingNumber))}
        error={errors?.routingNumber?.message}
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        className="tabular-nums"
        {...register('ach.routingNumber')}
      />
      <TextField
        label="Account Number"
        hint="On a check it follows the routing number."
        error={errors?.accountNumber?.message}
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        className="tabular-nums"
        {...register('ach.accountNumber')}
      />
    </>
  );
}

/** The checksum is a hint that never blocks (design section 6). */
function routingHint(digits: string): string {
  if (digits.length < ROUTING_NUMBER_LENGTH || isRoutingNumber(digits)) {
    return '9 digits, at the bottom left of a check.';
  }
  return 'These digits are not a usual routing number. Please check them.';
}
