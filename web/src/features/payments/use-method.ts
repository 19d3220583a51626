import type { Autopay } from '@gatehouse/contract/autopay';
import type { Facility } from '@gatehouse/contract/facilities';
import { t } from '@gatehouse/language/t';
import { useRef } from 'react';
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
import { expiredCards, savedMethods } from './saved-methods.ts';

type Given = {
  facility: Pick<Facility, 'hostedFields'>;
  autopays: Autopay[];
  /** A day of the facility's calendar. */
  today: string;
  /** Whether the saved methods may be chosen from. */
  isOffered: boolean;
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
}: Given) {
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
    /** Calls `send` with how to get the method once the form is valid; `isOnce`: not kept. */
    submit: (isOnce: boolean, send: (getMethod: () => Promise<MethodAnswer>) => Promise<void>) =>
      form.handleSubmit((values) => send(() => getMethod(asOffered(values, saved), isOnce))),
  };
}

export type Method = ReturnType<typeof useMethod>;
