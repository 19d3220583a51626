import { type PaymentMethodType, paymentMethodTypes } from '@gatehouse/contract/payment-methods';
import type { ReactNode } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { ChoiceField } from '#ui/field.tsx';
import { CARD_FEE_NOTICE } from './card-fee.ts';
import { type MethodForm, NEW_METHOD } from './method-form.ts';
import type { SavedMethod } from './saved-methods.ts';

type Props = {
  form: UseFormReturn<MethodForm>;
  /** The saved methods to choose from; none where autopay is active. */
  saved: SavedMethod[];
  cardFee: boolean;
  /** The fields of a new method of a type. */
  fieldsOf: (type: PaymentMethodType) => ReactNode;
};

/** A saved method, or a new card or bank account. */
export function MethodFields({ form, saved, cardFee, fieldsOf }: Props) {
  const { register, control } = form;
  const [source, type] = useWatch({ control, name: ['source', 'type'] });
  return (
    <>
      {saved.length > 0 && (
        <ChoiceField
          legend="Payment Method"
          options={[
            ...saved.map(({ paymentMethodId, label, detail }) => ({ value: paymentMethodId, label, hint: detail })),
            { value: NEW_METHOD, label: 'New payment method' },
          ]}
          defaultValue={source}
          {...register('source')}
        />
      )}
      {source === NEW_METHOD && (
        <>
          <ChoiceField
            legend="Payment Type"
            options={[
              {
                value: 'creditCard',
                label: paymentMethodTypes.creditCard,
                hint: cardFee ? CARD_FEE_NOTICE : undefined,
              },
              { value: 'ach', label: paymentMethodTypes.ach, hint: 'From a bank account.' },
            ]}
            defaultValue={type}
            {...register('type')}
          />
          {fieldsOf(type)}
        </>
      )}
    </>
  );
}
