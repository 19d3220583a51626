import { cardTypeOf, cardTypes, expirationMonths, expirationYears } from '@gatehouse/contract/payment-methods';
import type { ChangeEvent } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { SelectField, TextField } from '#ui/field.tsx';
import { BillingFields } from './billing-fields.tsx';
import { digitsOf, groupTyped } from './card-number.ts';
import type { MethodForm } from './method-form.ts';

type Props = { form: UseFormReturn<MethodForm>; /** The year of the facility's calendar. */ thisYear: number };

/** A new card (spec section 5). */
export function CardFields({ form, thisYear }: Props) {
  const { register, setValue, formState } = form;
  const errors = formState.errors.creditCard;
  const { onChange, ...number } = register('creditCard.cardNumber');

  function type(event: ChangeEvent<HTMLInputElement>) {
    groupTyped(event.target);
    const brand = cardTypeOf(digitsOf(event.target.value));
    if (brand) setValue('creditCard.cardType', brand, { shouldValidate: errors?.cardType !== undefined });
    return onChange(event);
  }

  return (
    <>
      <TextField
        label="Card Number"
        error={errors?.cardNumber?.message}
        inputMode="numeric"
        autoComplete="cc-number"
        spellCheck={false}
        className="tabular-nums"
        {...number}
        onChange={(event) => void type(event)}
      />
      <SelectField
        label="Card Type"
        error={errors?.cardType?.message}
        placeholder="Select card type"
        options={cardTypes.map(option)}
        autoComplete="cc-type"
        {...register('creditCard.cardType')}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <SelectField
          label="Expiration Month"
          error={errors?.expirationMonth?.message}
          placeholder="Month"
          options={expirationMonths.map(option)}
          autoComplete="cc-exp-month"
          {...register('creditCard.expirationMonth')}
        />
        <SelectField
          label="Expiration Year"
          error={errors?.expirationYear?.message}
          placeholder="Year"
          options={expirationYears(thisYear).map(option)}
          autoComplete="cc-exp-year"
          {...register('creditCard.expirationYear')}
        />
      </div>
      <TextField
        label="Security Code"
        hint="3 digits on the back, or 4 on the front of an American Express card."
        error={errors?.cardCvv?.message}
        inputMode="numeric"
        autoComplete="cc-csc"
        spellCheck={false}
        maxLength={4}
        {...register('creditCard.cardCvv')}
      />
      <BillingFields form={form} />
    </>
  );
}

function option(value: string) {
  return { value, label: value };
}
