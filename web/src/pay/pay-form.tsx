import { calendarDateIn } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import type { PayLinkView } from '@gatehouse/contract/pay-links';
import { t } from '@gatehouse/language/t';
import { serverNow } from '#api/server-time.ts';
import { MethodFields } from '#features/payments/method-fields.tsx';
import type { MethodAnswer } from '#features/payments/method-form.ts';
import NewMethodFields from '#features/payments/new-method-fields.tsx';
import { PayNotes } from '#features/payments/pay-notes.tsx';
import { ProviderFields } from '#features/payments/provider-fields.tsx';
import { useMethod } from '#features/payments/use-method.ts';
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
  // The day where the payer is; the facility's decides in the end.
  const today = calendarDateIn(Intl.DateTimeFormat().resolvedOptions().timeZone, serverNow());
  const method = useMethod({
    facility: view,
    autopays: [],
    today,
    isOffered: false,
    failure: null,
  });
  const send = method.submit(true, async (getMethod) => {
    if (!isBusy) await onSubmit(getMethod);
  });
  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4">
      <p className="text-muted">
        {t(
          'This is a one-time payment. The card or account is not saved, and autopay is not set up.',
        )}
      </p>
      <div inert={isBusy} className="flex flex-col gap-4">
        <MethodFields
          form={method.form}
          saved={method.saved}
          expired={method.expired}
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
                  onReady={(made) => void (method.tokenize.current = made)}
                />
              )}
              <NewMethodFields
                form={method.form}
                type={type}
                thisYear={Number(today.slice(0, 4))}
                isHosted={hosted !== null}
              />
            </>
          )}
        />
      </div>
      {error !== null && (
        <Alert tone="bad" focus>
          {error}
        </Alert>
      )}
      <PayNotes form={method.form} isPaying={isBusy} />
      <Button type="submit" className="tabular-nums" busy={isBusy}>
        {t('Pay {sum}', { sum: formatMoney(amount) })}
      </Button>
    </form>
  );
}
