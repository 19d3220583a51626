import type { Schema } from '@gatehouse/contract/endpoint';
import { useRef, useState } from 'react';
import { z } from 'zod/mini';
import { CallError } from '#api/call.ts';
import { failedSubmit } from '#api/failed-submit.ts';

/** The sentences for refused fields, by their names in the form. */
type Errors = Record<string, string>;

/**
 * The form of one step: checks its fields by the contract's shape, sends one call at a time (spec
 * section 4, Submission), and keeps what to say of a failure. What was typed stays in the fields
 * and goes with them.
 */
export function useStep() {
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState('');
  const [underWay, setUnderWay] = useState<string | null>(null);
  const inFlight = useRef(false);

  /**
   * The form's fields, with `others` beside or in place of them; null where some are refused, which
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
    if (!parsed.success) setFailure('');
    focusFirst(form, refused);
    return parsed.success ? parsed.data : null;
  }

  function correct(name: string) {
    setErrors(({ [name]: _, ...rest }) => rest);
  }

  function refuse(name: string, sentence: string) {
    setErrors((others) => ({ ...others, [name]: sentence }));
  }

  /** Does `action`, unless one is in flight already. */
  async function send(action: string, work: () => Promise<void>): Promise<void> {
    if (inFlight.current) return;
    inFlight.current = true;
    setUnderWay(action);
    try {
      await work();
      setFailure('');
    } catch (error) {
      setFailure(error instanceof CallError ? failedSubmit(error) : String(error));
    } finally {
      inFlight.current = false;
      setUnderWay(null);
    }
  }
  return { errors, failure, underWay, check, correct, refuse, send };
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
