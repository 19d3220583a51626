import type { Autopay } from '@gatehouse/contract/autopay';
import type { Facility } from '@gatehouse/contract/facilities';
import { t } from '@gatehouse/language/t';
import { type SubmitEvent, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  asOffered,
  emptyForm,
  hostedSchema,
  type MethodAnswer,
  type MethodForm,
  methodFields,
  methodSchema,
  NEW_METHOD,
  type Tokenize,
} from './method-form.ts';
import { resolverOf } from './method-resolver.ts';
import type { Failure } from './payment-flow.ts';
import { expiredCards, savedMethods } from './saved-methods.ts';

type Given = {
  facility: Pick<Facility, 'hostedFields'>;
  autopays: Autopay[];
  /** A day of the facility's calendar. */
  today: string;
  /** Whether the saved methods may be chosen from. */
  isOffered: boolean;
  /** Why the last submit failed. */
  failure: Failure | null;
};

/**
 * The payment method of a form, saved or new, and how it is got on submit. Card and bank fields are
 * kept here and nowhere else, and end with the dialog; a submit that fails loses none.
 */
export function useMethod({
  facility: { hostedFields: hosted },
  autopays,
  today,
  isOffered,
  failure,
}: Given) {
  const [left, setLeft] = useState<Failure | null>(null);
  const isHeld = failure?.declined !== undefined && failure !== left;
  const saved = isOffered ? savedMethods(autopays, today) : [];
  const tokenize = useRef<Tokenize>(null);
  const form = useForm<MethodForm>({
    defaultValues: emptyForm(saved[0]?.paymentMethodId ?? NEW_METHOD),
    mode: 'onTouched',
    resolver: hosted
      ? resolverOf(hostedSchema, saved, undefined)
      : resolverOf(methodSchema, saved, today),
  });

  async function getMethod(values: MethodForm, isOnce: boolean): Promise<MethodAnswer> {
    if (hosted === null || values.source !== NEW_METHOD)
      return { method: methodFields(values, saved) };
    return (
      tokenize.current?.(values, isOnce) ?? {
        error: t('The form is still loading. Please wait a moment and try again.'),
      }
    );
  }
  return {
    form,
    saved,
    expired: expiredCards(autopays, today),
    tokenize,
    /** Whether the method was declined and no other is taken yet. */
    isHeld,
    /** Another method is taken after the decline. */
    leave: () => setLeft(failure),
    /**
     * Calls `send` with how to get the method once the form is valid; `isOnce`: not kept. What was
     * declined is not sent again: the press leads to the way to another.
     */
    submit:
      (isOnce: boolean, send: (getMethod: () => Promise<MethodAnswer>) => Promise<void>) =>
      (event: SubmitEvent<HTMLFormElement>) => {
        if (!isHeld)
          return void form.handleSubmit((values) =>
            send(() => getMethod(asOffered(values, saved), isOnce)),
          )(event);
        event.preventDefault();
        event.currentTarget.querySelector<HTMLElement>('[data-another]')?.focus();
      },
  };
}

export type Method = ReturnType<typeof useMethod>;
