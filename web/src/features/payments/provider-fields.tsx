import type { PaymentMethodType } from '@gatehouse/contract/payment-methods';
import { t } from '@gatehouse/language/t';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Spinner } from '#ui/spinner.tsx';
import type { Tokenize } from './method-form.ts';
import {
  amountOptions,
  appearance,
  billingDetails,
  elementOptions,
  openStripe,
  type Payer,
  type PaymentElement,
  type Stripe,
  type StripeElements,
  tokenizedFields,
} from './stripe.ts';

export type ProviderFieldsProps = {
  publishableKey: string;
  type: PaymentMethodType;
  /** Whom the provider's form is filled in for. */
  payer: Payer;
  /** Dollars that are taken with the submission. */
  dueNow: number;
  /** Whether the provider keeps the method for later payments, unless it is to pay once. */
  isKept: boolean;
  /**
   * Called with the function that makes a method of the fields once they are loaded or have failed,
   * and with null when they are unmounted.
   */
  onReady: (tokenize: Tokenize | null) => void;
};

/** After so long a message says that it takes long, and then that it failed. */
const SLOW_AFTER_MS = 5_000;
const FAILED_AFTER_MS = 30_000;

/** The provider's element in `place`, made anew by `load`, and what it has come to. */
function useProviderElement({
  publishableKey,
  type,
  payer,
  dueNow,
  isKept,
  onReady,
}: ProviderFieldsProps) {
  const [state, setState] = useState<'loading' | 'slow' | 'ready' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const elements = useRef<StripeElements>(null);

  const make = useEffectEvent((stripe: Stripe, ready: () => void): PaymentElement => {
    const paymentMethodTypes = [type === 'ach' ? ('us_bank_account' as const) : ('card' as const)];
    const made = stripe.elements({
      ...amountOptions(dueNow),
      currency: 'usd',
      ...(isKept && { setupFutureUsage: 'off_session' as const }),
      paymentMethodTypes,
      appearance: appearance(),
    });
    const element = made.create('payment', elementOptions(type, payer));
    elements.current = made;
    element.on('ready', () => {
      ready();
      setState('ready');
      onReady(tokenizeWith(stripe, made, { type, isKept }));
    });
    return element;
  });
  const report = useEffectEvent((tokenize: Tokenize | null) => onReady(tokenize));

  useEffect(() => {
    let isOver = false;
    let element: PaymentElement | undefined;
    const isReady = () => {
      clearTimeout(slow);
      clearTimeout(late);
    };
    const leave = () => {
      isOver = true;
      isReady();
      elements.current = null;
      element?.destroy();
      element = undefined;
    };
    const fail = () => {
      if (isOver) return;
      leave();
      setState('failed');
      report(notLoaded);
    };
    const slow = setTimeout(() => setState('slow'), SLOW_AFTER_MS);
    const late = setTimeout(fail, FAILED_AFTER_MS);
    openStripe(publishableKey).then((stripe) => {
      if (isOver || place.current === null) return;
      element = make(stripe, isReady);
      element.on('loaderror', fail);
      element.mount(place.current);
    }, fail);
    return () => {
      leave();
      report(null);
    };
  }, [publishableKey, attempt]);

  useEffect(() => {
    elements.current?.update(amountOptions(dueNow));
  }, [dueNow]);

  function load() {
    setState('loading');
    setAttempt((count) => count + 1);
  }
  return { state, place, load };
}

/** The provider's own fields, in a frame of its own: no card or bank number is ever in our page. */
export function ProviderFields(props: ProviderFieldsProps) {
  const { state, place, load } = useProviderElement(props);
  const box = useRef<HTMLDivElement>(null);

  function tryAgain() {
    load();
    // The button that was pressed goes away.
    box.current?.focus();
  }
  return (
    <div ref={box} tabIndex={-1} className="relative">
      {state === 'failed' ? (
        <LoadFailure onTryAgain={tryAgain}>
          {t(
            'The payment provider’s form could not be loaded. Check your connection and any content blocker.',
          )}
        </LoadFailure>
      ) : (
        <div className="min-h-48">
          {state !== 'ready' && (
            <div className="absolute inset-0 flex items-center justify-center rounded-control border border-line p-4">
              <Spinner
                label={
                  state === 'slow'
                    ? t('The payment provider’s form takes longer than usual…')
                    : t('Loading the payment provider’s form…')
                }
              />
            </div>
          )}
          <div ref={place} />
        </div>
      )}
    </div>
  );
}

/** What a submission meets until the fields are tried again. */
const notLoaded: Tokenize = () =>
  Promise.resolve({
    error: t('The payment provider’s form could not be loaded. Nothing was sent. Try again above.'),
  });

function tokenizeWith(
  stripe: Stripe,
  elements: StripeElements,
  { type, isKept }: Pick<ProviderFieldsProps, 'type' | 'isKept'>,
): Tokenize {
  return async (form, isOnce) => {
    try {
      // The token carries what the fields are for, so a payment without autopay says it here too.
      if (isOnce && isKept) elements.update({ setupFutureUsage: null });
      const checked = await elements.submit();
      if (checked.error) return { error: checked.error.message ?? UNCLEAR };
      const { confirmationToken, error } = await stripe.createConfirmationToken({
        elements,
        ...(type === 'creditCard' && {
          params: { payment_method_data: { billing_details: billingDetails(form) } },
        }),
      });
      if (confirmationToken === undefined) return { error: error?.message ?? UNCLEAR };
      return { method: tokenizedFields(confirmationToken, form, !isOnce) };
    } catch (error) {
      console.error('The payment provider’s form failed:', error);
      return { error: UNCLEAR };
    } finally {
      if (isOnce && isKept) elements.update({ setupFutureUsage: 'off_session' });
    }
  };
}

const UNCLEAR = t('The payment provider did not take the form. Please check it and try again.');
