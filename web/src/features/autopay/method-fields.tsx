import { paymentMethodTypes } from '@gatehouse/contract/payment-methods';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { ChoiceField } from '#ui/field.tsx';
import { AchFields } from './ach-fields.tsx';
import { CARD_FEE_NOTICE } from './card-fee.ts';
import { CardFields } from './card-fields.tsx';
import { type MethodForm, NEW_METHOD } from './method-form.ts';
import type { SavedMethod } from './saved-methods.ts';

type Props = {
  form: UseFormReturn<MethodForm>;
  /** The saved methods to choose from; none where autopay is active. */
  saved: SavedMethod[];
  cardFee: boolean;
  thisYear: number;
};

/** A saved method, or a new card or bank account. */
export function MethodFields({ form, saved, cardFee, thisYear }: Props) {
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
          {type === 'creditCard' ? <CardFields form={form} thisYear={thisYear} /> : <AchFields form={form} />}
        </>
      )}
    </>
  );
}
