import type { Facility } from '@gatehouse/contract/facilities';
import { paymentMethodTypes } from '@gatehouse/contract/payment-methods';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useWatch } from 'react-hook-form';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { MethodFields } from './method-fields.tsx';
import { asOffered, NEW_METHOD, sentName } from './method-form.ts';
import type { Failure } from './payment-flow.ts';
import type { Method } from './use-method.ts';

const hostedFields = lazyPart(() => import('./hosted-fields.tsx'));
const newMethodFields = lazyPart(() => import('./new-method-fields.tsx'));

const NUMBER = '[autocomplete=cc-number]';

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
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => newMethodFields.fetchAhead(), []);
  const [chosen, type] = useWatch({ control: form.control, name: ['source', 'type'] });
  const { source } = asOffered({ source: chosen }, saved);
  const [isOpen, setOpen] = useState(!isFolded || source === NEW_METHOD);
  const inUse = saved.find((one) => one.paymentMethodId === source) ?? {
    label: t('New payment method'),
    detail: paymentMethodTypes[type](),
  };

  function open(first: string) {
    flushSync(() => {
      method.leave();
      setOpen(true);
    });
    box.current!.querySelector<HTMLElement>(first)?.focus();
  }
  function takeAnother() {
    const other = saved.find((one) => one.paymentMethodId !== source);
    form.setValue('source', other?.paymentMethodId ?? NEW_METHOD);
    // Nothing else is there to choose: the number of the one that was declined makes room.
    if (other === undefined && source === NEW_METHOD) {
      form.setValue('type', 'creditCard');
      form.setValue('creditCard.cardNumber', '');
      form.setValue('creditCard.cardCvv', '');
    }
    open(other !== undefined || hosted !== null ? 'input:checked' : NUMBER);
  }
  return (
    <>
      {failure !== null && !isBusy && (
        <Alert tone="bad" focus>
          {failure.declined === undefined ? (
            <p>{failure.message}</p>
          ) : (
            <DeclinedWords message={failure.message} name={sentName(failure.declined, saved)} />
          )}
          {method.isHeld && (
            <Button className="mt-3" data-another onClick={takeAnother}>
              {t('Use another card')}
            </Button>
          )}
        </Alert>
      )}
      {!method.isHeld && (
        <div ref={box} inert={isBusy} className="flex flex-col gap-4">
          <MethodFields
            form={form}
            saved={saved}
            expired={expired}
            cardFee={cardFee}
            folded={
              isOpen ? undefined : (
                <Folded {...inUse} isBusy={isBusy} onOpen={() => open('input:checked')} />
              )
            }
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
        </div>
      )}
    </>
  );
}

type FoldedProps = { label: string; detail: string; isBusy: boolean; onOpen: () => void };

/** The method in use in one line, with the way to the others. */
function Folded({ label, detail, isBusy, onOpen }: FoldedProps) {
  return (
    <div className="flex items-center justify-between gap-x-4 rounded-control border border-line py-2 pr-1 pl-3">
      <p className="min-w-0 wrap-anywhere">
        <span className="block font-medium">{label}</span>
        <span className="block text-15 text-muted">{detail}</span>
      </p>
      <Button variant="quiet" disabled={isBusy} onClick={onOpen}>
        {/* One text, so that what is read out has its space. */}
        <span>
          {t('Change')}
          <span className="sr-only"> {t('the payment method')}</span>
        </span>
      </Button>
    </div>
  );
}

type DeclinedProps = { message: string; name: string | undefined };

/** What was declined and why, without the advice that the button next to it gives. */
function DeclinedWords({ message, name }: DeclinedProps) {
  const advice = [
    t('Please use another card.'),
    t('Please use another bank account or a card.'),
  ].find((sentence) => message.endsWith(sentence));
  const why = message.slice(0, message.length - (advice?.length ?? 0)).trim();
  return (
    <>
      {name !== undefined && (
        <p className="font-semibold">{t('{method} was declined.', { method: name })} </p>
      )}
      <p>{`${why} ${t('Nothing was charged.')}`}</p>
    </>
  );
}
