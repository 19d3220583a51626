import type { PaymentMethodType } from '@gatehouse/contract/payment-methods';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRequester } from '#api/requester.ts';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { amountOptions, billingDetails, elementOptions, tokenizedFields, type Tokenize } from './hosted-method.ts';
import { appearance } from './stripe-appearance.ts';
import { openStripe, type PaymentElement, type Stripe, type StripeElements } from './stripe.ts';

export type HostedFieldsProps = {
  publishableKey: string;
  type: PaymentMethodType;
  tenantId: string;
  /** Dollars that are taken with the submission. */
  dueNow: number;
  /** Told how to make a method of the fields as soon as they are there, and null when they are not. */
  onReady: (tokenize: Tokenize | null) => void;
};

/** After so long the tenant is told that it takes long, and then that it failed. */
const SLOW_AFTER_MS = 5_000;
const FAILED_AFTER_MS = 30_000;

/**
 * The provider's own fields, in a frame of its own: no card or bank number is ever in our page (safety section 6). A chunk
 * of its own, fetched in a live profile alone.
 */
export default function HostedFields({ publishableKey, type, tenantId, dueNow, onReady }: HostedFieldsProps) {
  const [state, setState] = useState<'loading' | 'slow' | 'ready' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const elements = useRef<StripeElements>(null);
  const payer = useRequester({ tenantId });

  const make = useEffectEvent((stripe: Stripe): PaymentElement => {
    const paymentMethodTypes = [type === 'ach' ? ('us_bank_account' as const) : ('card' as const)];
    const made = stripe.elements({
      ...amountOptions(dueNow),
      currency: 'usd',
      setupFutureUsage: 'off_session',
      paymentMethodTypes,
      appearance: appearance(),
    });
    const element = made.create('payment', elementOptions(type, payer));
    elements.current = made;
    element.on('ready', () => {
      setState('ready');
      onReady(tokenizeWith(stripe, made, type));
    });
    return element;
  });
  const leave = useEffectEvent(() => onReady(null));

  useEffect(() => {
    let isOver = false;
    let element: PaymentElement | undefined;
    const fail = () => {
      if (!isOver) setState('failed');
    };
    const slow = setTimeout(() => setState((was) => (was === 'loading' ? 'slow' : was)), SLOW_AFTER_MS);
    const late = setTimeout(() => setState((was) => (was === 'ready' ? was : 'failed')), FAILED_AFTER_MS);
    openStripe(publishableKey).then((stripe) => {
      if (isOver || place.current === null) return;
      element = make(stripe);
      element.on('loaderror', fail);
      element.mount(place.current);
    }, fail);
    return () => {
      isOver = true;
      clearTimeout(slow);
      clearTimeout(late);
      leave();
      elements.current = null;
      element?.destroy();
    };
  }, [publishableKey, attempt]);

  useEffect(() => {
    elements.current?.update(amountOptions(dueNow));
  }, [dueNow]);

  if (state === 'failed') {
    return (
      <LoadFailure
        onTryAgain={() => {
          setState('loading');
          setAttempt((count) => count + 1);
        }}
      >
        The payment provider’s form could not be loaded. Check your connection and try again.
      </LoadFailure>
    );
  }
  return (
    <div className="min-h-48">
      {state !== 'ready' && (
        <Spinner
          label={
            state === 'slow'
              ? 'The payment provider’s form takes longer than usual…'
              : 'Loading the payment provider’s form…'
          }
        />
      )}
      <div ref={place} />
    </div>
  );
}

function tokenizeWith(stripe: Stripe, elements: StripeElements, type: PaymentMethodType): Tokenize {
  return async (form) => {
    try {
      const checked = await elements.submit();
      if (checked.error) return { error: checked.error.message ?? UNCLEAR };
      const { confirmationToken, error } = await stripe.createConfirmationToken({
        elements,
        ...(type === 'creditCard' && { params: { payment_method_data: { billing_details: billingDetails(form) } } }),
      });
      if (confirmationToken === undefined) return { error: error?.message ?? UNCLEAR };
      return { method: tokenizedFields(confirmationToken, form) };
    } catch (error) {
      console.error('The payment provider’s form failed:', error);
      return { error: UNCLEAR };
    }
  };
}

const UNCLEAR = 'The payment provider did not take the form. Please check it and try again.';
