import {
  cardFeeDetails,
  cardFeeNotice,
  type PaymentMethodType,
  paymentMethodTypes,
} from '@gatehouse/contract/payment-methods';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { SavedMethod } from '#api/autopay-record.ts';
import { Alert } from '#ui/alert.tsx';
import { ChoiceField } from '#ui/choice-field.tsx';
import { asOffered, type MethodForm, NEW_METHOD } from './method-form.ts';

type MethodFieldsProps = {
  form: UseFormReturn<MethodForm>;
  /** The saved methods to choose from. */
  saved: SavedMethod[];
  /** Saved cards that have expired, which cannot be chosen. */
  expired: SavedMethod[];
  /** What a credit card adds to each bill, in dollars; 0 for none. */
  cardFee: number;
  /** The one line that the choice is folded into; none where it is open. */
  folded?: ReactNode;
  /** The fields of a new method of a type. */
  fieldsOf: (type: PaymentMethodType) => ReactNode;
};

/** A saved method, or a new card or bank account. */
export function MethodFields(props: MethodFieldsProps) {
  const { form, saved, expired, cardFee, folded, fieldsOf } = props;
  const { register, control } = form;
  const [chosen, type] = useWatch({ control, name: ['source', 'type'] });
  const { source } = asOffered({ source: chosen }, saved);
  const isOpen = folded === undefined;
  return (
    <>
      {folded}
      {/* Why saved cards are not among the choices. */}
      {isOpen &&
        expired.map(({ paymentMethodId, label }) => (
          <Alert key={paymentMethodId} tone="warn">
            {t('{method} has expired. Please use another payment method.', { method: label })}
          </Alert>
        ))}
      {isOpen && saved.length > 0 && (
        <ChoiceField
          legend={t('Payment Method')}
          options={[
            ...saved.map(({ paymentMethodId, label, detail }) => ({
              value: paymentMethodId,
              label,
              hint: detail,
            })),
            { value: NEW_METHOD, label: t('New payment method') },
          ]}
          value={source}
          {...register('source')}
        />
      )}
      {source === NEW_METHOD && (
        <>
          {isOpen && (
            <ChoiceField
              legend={t('Payment Type')}
              options={[
                {
                  value: 'creditCard',
                  label: paymentMethodTypes.creditCard(),
                  hint: t('Or a debit card.'),
                },
                {
                  value: 'ach',
                  label: paymentMethodTypes.ach(),
                  hint:
                    cardFee > 0
                      ? t('From a bank account, with no card fee.')
                      : t('From a bank account.'),
                },
              ]}
              defaultValue={type}
              {...register('type')}
            />
          )}
          {isOpen && cardFee > 0 && type === 'creditCard' && (
            <p className="-mt-2 text-15 text-muted">
              <span>{cardFeeNotice()}</span> <span>{cardFeeDetails(formatMoney(cardFee))}</span>
            </p>
          )}
          {fieldsOf(type)}
        </>
      )}
    </>
  );
}
