import { calendarDateIn } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import type { PayLinkView } from '@gatehouse/contract/pay-links';
import { t } from '@gatehouse/language/t';
import { useRef } from 'react';
import { useForm } from 'react-hook-form';
import { serverNow } from '#api/server-time.ts';
import { MethodFields } from '#features/payments/method-fields.tsx';
import {
  emptyForm,
  hostedSchema,
  type MethodAnswer,
  type MethodForm,
  methodFields,
  methodSchema,
  NEW_METHOD,
  type Tokenize,
} from '#features/payments/method-form.ts';
import { resolverOf } from '#features/payments/method-resolver.ts';
import NewMethodFields from '#features/payments/new-method-fields.tsx';
import { ProviderFields } from '#features/payments/provider-fields.tsx';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';

type PayFormProps = {
  view: PayLinkView;
  isBusy: boolean;
  /** Why the last submission failed. */
  error: string | null;
  onSubmit: (getMethod: () => Promise<MethodAnswer>) => Promise<void>;
};

/** A new card or bank account, which is not kept. Its fields end with the page. */
export function PayForm({ view, isBusy, error, onSubmit }: PayFormProps) {
  const { amount, hostedFields: hosted } = view;
  const tokenize = useRef<Tokenize>(null);
  // The day where the payer is; the facility's decides in the end.
  const today = calendarDateIn(Intl.DateTimeFormat().resolvedOptions().timeZone, serverNow());
  const form = useForm<MethodForm>({
    defaultValues: emptyForm(NEW_METHOD),
    mode: 'onTouched',
    resolver: hosted
      ? resolverOf(hostedSchema, [], undefined)
      : resolverOf(methodSchema, [], today),
  });

  async function getMethod(values: MethodForm): Promise<MethodAnswer> {
    if (hosted === null) return { method: methodFields(values, []) };
    return (
      tokenize.current?.(values, true) ?? {
        error: t('The form is still loading. Please wait a moment and try again.'),
      }
    );
  }
  const submit = () =>
    form.handleSubmit(async (values) => {
      if (!isBusy) await onSubmit(() => getMethod(values));
    });
  return (
    <form noValidate onSubmit={(event) => void submit()(event)} className="flex flex-col gap-4">
      <div inert={isBusy} className="flex flex-col gap-4">
        <MethodFields
          form={form}
          saved={[]}
          expired={[]}
          cardFee={0}
          fieldsOf={(type) => (
            <>
              {hosted && (
                <ProviderFields
                  key={type}
                  publishableKey={hosted.publishableKey}
                  type={type}
                  payer={{}}
                  dueNow={amount}
                  isKept={false}
                  onReady={(made) => void (tokenize.current = made)}
                />
              )}
              <NewMethodFields
                form={form}
                type={type}
                thisYear={Number(today.slice(0, 4))}
                isHosted={hosted !== null}
              />
            </>
          )}
        />
      </div>
      <p className="text-muted">
        {t(
          'This is a one-time payment. The card or account is not saved, and autopay is not set up.',
        )}
      </p>
      {error !== null && (
        <Alert tone="bad" focus>
          {error}
        </Alert>
      )}
      <Button type="submit" busy={isBusy}>
        {t('Pay {sum}', { sum: formatMoney(amount) })}
      </Button>
    </form>
  );
}
