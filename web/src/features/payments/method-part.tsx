import type { Facility } from '@gatehouse/contract/facilities';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useWatch } from 'react-hook-form';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { MethodFields } from './method-fields.tsx';
import { asOffered, NEW_METHOD } from './method-form.ts';
import type { Failure } from './payment-flow.ts';
import type { Method } from './use-method.ts';

const hostedFields = lazyPart(() => import('./hosted-fields.tsx'));
const newMethodFields = lazyPart(() => import('./new-method-fields.tsx'));

type Props = {
  method: Method;
  facility: Facility;
  tenantId: string;
  /** A day of the facility's calendar. */
  today: string;
  /** Dollars that are taken at once. */
  dueNow: number;
  /** Dollars that a credit card adds to each bill; 0 for none. */
  cardFee: number;
  /** Whether a saved method is one line at first, with a button to change it. */
  isFolded: boolean;
  isBusy: boolean;
  failure: Failure | null;
};

/** What is paid with, and above it why that was not taken, with the way to another method. */
export function MethodPart(props: Props) {
  const { method, facility, tenantId, today, dueNow, cardFee, isFolded, isBusy, failure } = props;
  const { form, saved, expired, tokenize } = method;
  const { hostedFields: hosted } = facility;
  const [isOpen, setOpen] = useState(!isFolded);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => newMethodFields.fetchAhead(), []);
  const chosen = useWatch({ control: form.control, name: 'source' });
  const { source } = asOffered({ source: chosen }, saved);
  const folded = isOpen ? undefined : saved.find((one) => one.paymentMethodId === source);

  function open() {
    flushSync(() => setOpen(true));
    const fields = box.current!;
    const first =
      fields.querySelector<HTMLElement>('[autocomplete=cc-number]') ??
      fields.querySelector<HTMLElement>('input:checked');
    first?.focus();
  }
  function takeAnother() {
    const other = saved.find((one) => one.paymentMethodId !== source);
    form.setValue('source', other?.paymentMethodId ?? NEW_METHOD);
    // There is nothing else to choose: the number of the one that was declined makes room.
    if (other === undefined && source === NEW_METHOD) {
      form.setValue('type', 'creditCard');
      form.setValue('creditCard.cardNumber', '');
      form.setValue('creditCard.cardCvv', '');
    }
    open();
  }
  return (
    <>
      {failure !== null && !isBusy && (
        <Alert tone="bad" focus>
          <p>{failure.isDeclined ? declinedWords(failure.message) : failure.message}</p>
          {failure.isDeclined && (
            <Button variant="secondary" className="mt-2" onClick={takeAnother}>
              {t('Use another card')}
            </Button>
          )}
        </Alert>
      )}
      <div ref={box} inert={isBusy} className="flex flex-col gap-4">
        {folded ? (
          <div className="flex items-center justify-between gap-x-4 rounded-control border border-line py-2 pr-1 pl-3">
            <p className="min-w-0 wrap-anywhere">
              <span className="block font-medium">{folded.label}</span>
              <span className="block text-15 text-muted">{folded.detail}</span>
            </p>
            <Button variant="quiet" onClick={open}>
              {/* One text, so that what is read out has its space. */}
              <span>
                {t('Change')}
                <span className="sr-only"> {t('the payment method')}</span>
              </span>
            </Button>
          </div>
        ) : (
          <MethodFields
            form={form}
            saved={saved}
            expired={expired}
            cardFee={cardFee}
            fieldsOf={(type) => (
              <>
                {hosted && (
                  <LazyContent
                    key={type}
                    part={hostedFields}
                    props={{
                      publishableKey: hosted.publishableKey,
                      type,
                      tenantId,
                      dueNow,
                      onReady: (made) => void (tokenize.current = made),
                    }}
                  />
                )}
                <LazyContent
                  part={newMethodFields}
                  props={{
                    form,
                    type,
                    thisYear: Number(today.slice(0, 4)),
                    isHosted: hosted !== null,
                  }}
                />
              </>
            )}
          />
        )}
      </div>
    </>
  );
}

/** Why the bank said no, without the advice that the button next to it gives. */
function declinedWords(message: string): string {
  const advice = [
    t('Please use another card.'),
    t('Please use another bank account or a card.'),
  ].find((sentence) => message.endsWith(sentence));
  const why = message.slice(0, message.length - (advice?.length ?? 0)).trim();
  return `${why} ${t('Nothing was charged.')}`;
}
