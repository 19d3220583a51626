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
import { accountTypeName } from '@gatehouse/contract/saved-methods';
import { t } from '@gatehouse/language/t';
import type { ChangeEvent } from 'react';
import { type FieldErrors, type UseFormReturn, useWatch } from 'react-hook-form';
import { FieldError, SelectField, TextField } from '#ui/field.tsx';
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

/** A new card. */
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
    // An input method that is writing full-width digits would write them twice.
    if (!(event.nativeEvent as InputEvent).isComposing) groupTyped(event.target);
    const brand = cardTypeOf(digitsOf(event.target.value));
    if (brand)
      setValue('creditCard.cardType', brand, { shouldValidate: errors?.cardType !== undefined });
    return onChange(event);
  }

  return (
    <>
      <TextField
        label={t('Card Number')}
        error={errors?.cardNumber?.message}
        inputMode="numeric"
        autoComplete="cc-number"
        spellCheck={false}
        className="tabular-nums"
        {...number}
        onChange={(event) => void type(event)}
      />
      <SelectField
        label={t('Card Type')}
        error={errors?.cardType?.message}
        placeholder={t('Select card type')}
        options={cardTypes.map(option)}
        autoComplete="cc-type"
        {...register('creditCard.cardType')}
      />
      <div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] items-start gap-3">
          <SelectField
            label={t('Expiration Month')}
            errorId={errors?.expirationMonth && 'card-expiration-error'}
            placeholder={t('Month')}
            options={expirationMonths.map(option)}
            autoComplete="cc-exp-month"
            {...register('creditCard.expirationMonth', { onChange: checkExpiration })}
          />
          <SelectField
            label={t('Expiration Year')}
            errorId={errors?.expirationYear && 'card-expiration-error'}
            placeholder={t('Year')}
            options={expirationYears(thisYear).map(option)}
            autoComplete="cc-exp-year"
            {...register('creditCard.expirationYear', { onChange: checkExpiration })}
          />
        </div>
        <FieldError id="card-expiration" error={expirationError(errors)} />
      </div>
      <TextField
        label={t('Security Code')}
        hint={t('3 digits on the back, or 4 on the front of an American Express card.')}
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

/** What is wrong with month and year, in one sentence. */
function expirationError(errors: FieldErrors<MethodForm>['creditCard']): string | undefined {
  const [month, year] = [errors?.expirationMonth, errors?.expirationYear];
  return month && year && month.type !== 'expired'
    ? t('Expiration month and year are required.')
    : (month ?? year)?.message;
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
        label={t('Name on Card')}
        error={errors?.name?.message}
        autoComplete="cc-name"
        spellCheck={false}
        {...register('creditCard.name')}
      />
      <TextField
        label={t('Street Address')}
        optional
        error={errors?.streetAddress?.message}
        autoComplete="billing address-line1"
        {...register('creditCard.streetAddress')}
      />
      <TextField
        label={t('Billing Zip')}
        error={errors?.postalCode?.message}
        inputMode="numeric"
        autoComplete="billing postal-code"
        {...register('creditCard.postalCode')}
      />
    </>
  );
}

/** A new bank account. */
function AchFields({ form }: { form: UseFormReturn<MethodForm> }) {
  const { register, control, formState } = form;
  const errors = formState.errors.ach;
  const routingNumber = useWatch({ control, name: 'ach.routingNumber' });
  return (
    <>
      <SelectField
        label={t('Account Type')}
        error={errors?.accountType?.message}
        placeholder={t('Select account type')}
        options={accountTypes.map((type) => ({ value: type, label: accountTypeName(type) }))}
        {...register('ach.accountType')}
      />
      <TextField
        label={t('Routing Number')}
        hint={routingHint(digitsOf(routingNumber))}
        error={errors?.routingNumber?.message}
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        className="tabular-nums"
        {...register('ach.routingNumber')}
      />
      <TextField
        label={t('Account Number')}
        hint={t('On a check it follows the routing number.')}
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

/** The checksum is a hint that never blocks. */
function routingHint(digits: string): string {
  if (digits.length < ROUTING_NUMBER_LENGTH || isRoutingNumber(digits)) {
    return t('9 digits, at the bottom left of a check.');
  }
  return t('These digits are not a usual routing number. Please check them.');
}
