import type { Schema } from '@gatehouse/contract/endpoint';
import { useState } from 'react';
import { z } from 'zod/mini';

/** The sentences for refused fields, by their names in the form. */
type Errors = Record<string, string>;

/** Checks a form's uncontrolled fields by the contract's shape, and keeps what to say of them. */
export function useCheckedFields() {
  const [errors, setErrors] = useState<Errors>({});

  /**
   * The form's fields, with `others` added or in place of them; null where some are refused, which
   * is said there.
   */
  function check<Shape extends Schema>(
    form: HTMLFormElement,
    shape: Shape,
    others: Record<string, string>,
  ) {
    const parsed = z.safeParse(shape, { ...Object.fromEntries(new FormData(form)), ...others });
    const refused = sentencesOf(parsed.error);
    setErrors(refused);
    focusFirst(form, refused);
    return parsed.success ? parsed.data : null;
  }

  function correct(name: string) {
    setErrors(({ [name]: _, ...rest }) => rest);
  }

  function refuse(name: string, sentence: string) {
    setErrors((others) => ({ ...others, [name]: sentence }));
  }
  return { errors, check, correct, refuse };
}

/** The first sentence for each field. */
function sentencesOf(error: z.core.$ZodError | undefined): Errors {
  const sentences: Errors = {};
  for (const { path, message } of error?.issues ?? []) sentences[String(path[0])] ??= message;
  return sentences;
}

/** A field that cannot be used yet is passed over. */
function focusFirst(form: HTMLFormElement, errors: Errors): void {
  for (const control of form.elements) {
    const name = control.getAttribute('name');
    if (name === null || errors[name] === undefined || control.matches(':disabled')) continue;
    (control as HTMLElement).focus();
    return;
  }
}
