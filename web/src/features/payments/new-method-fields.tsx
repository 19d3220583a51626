import {
  accountTypes,
  cardTypeOf,
  cardTypes,
  expirationMonths,
  expirationYears,
  isRoutingNumber,
  type PaymentMethodType,
  ROUTING_NUMBER_LENGTH,
} from '@gatehouse/contract/payment-methods';
import type { ChangeEvent } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { SelectField, TextField } from '#ui/field.tsx';
import { digitsOf, groupTyped, type MethodForm } from './method-form.ts';

type Props = {
  form: UseFormReturn<MethodForm>;
  type: PaymentMethodType;
  /** The year of the facility's calendar. */
  thisYear: number;
  /** Whether the provider's own fields take the numbers. */
  isHosted: boolean;
};

/** Our fields of a new card or bank account. A chunk of its own: a saved method needs none. */
export default function NewMethodFields({ form, type, thisYear, isHosted }: Props) {
  if (type === 'ach') return isHosted ? null : <AchFields form={form} />;
  return isHosted ? <BillingFields form={form} /> : <CardFields form={form} thisYear={thisYear} />;
}

type CardFieldsProps = {
  form: UseFormReturn<MethodForm>;
  /** The year of the facility's calendar. */
  thisYear: number;
};

/** A new card (spec section 5). */
function CardFields({ form, thisYear }: CardFieldsProps) {
  const { register, setValue, getValues, trigger, formState } = form;
  const errors = formState.errors.creditCard;
  // As soon as both are chosen, because only both together can have expired.
  function checkExpiration() {
    const { expirationMonth, expirationYear } = getValues('creditCard');
    if (expirationMonth !== '' && expirationYear !== '') void trigger('creditCard.expirationMonth');
  }
  const { onChange, ...number } = register('creditCard.cardNumber');

  function type(event: ChangeEvent<HTMLInputElement>) {
    groupTyped(event.target);
    const brand = cardTypeOf(digitsOf(event.target.value));
    if (brand)
      setValue('creditCard.cardType', brand, { shouldValidate: errors?.cardType !== undefined });
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
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] items-start gap-3">
        <SelectField
          label="Expiration Month"
          error={errors?.expirationMonth?.message}
          placeholder="Month"
          options={expirationMonths.map(option)}
          autoComplete="cc-exp-month"
          {...register('creditCard.expirationMonth', { onChange: checkExpiration })}
        />
        <SelectField
          label="Expiration Year"
          error={errors?.expirationYear?.message}
          placeholder="Year"
          options={expirationYears(thisYear).map(option)}
          autoComplete="cc-exp-year"
          {...register('creditCard.expirationYear', { onChange: checkExpiration })}
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

/**
 * Who holds the card and where, which is no part of its number: with hosted fields these are still
 * ours.
 */
function BillingFields({ form: { register, formState } }: { form: UseFormReturn<MethodForm> }) {
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

/** A new bank account (spec section 5). */
function AchFields({ form }: { form: UseFormReturn<MethodForm> }) {
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
