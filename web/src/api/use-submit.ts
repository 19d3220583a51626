import { t } from '@gatehouse/language/t';
import { useRef, useState } from 'react';
import { isApiError } from './base.ts';
import { failedSubmit } from './failed-submit.ts';
import { newIdempotencyKey } from './idempotency-key.ts';

type Sent = { text: string; key: string };

/**
 * Sends a form once at a time: a submit while one is in flight is ignored. `send` throws what its
 * calls throw; the server's sentence, or ours for a bug, is then the `error`, with what became of
 * what was entered. Attempts with the same values share an idempotency key until one succeeds, so
 * that a lost answer leaves no second request behind.
 */
export function useSubmit<Values>(send: (values: Values, idempotencyKey: string) => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const inFlight = useRef(false);
  const sent = useRef<Sent | null>(null);

  async function submit(values: Values): Promise<void> {
    if (inFlight.current) return;
    inFlight.current = true;
    setBusy(true);
    const text = JSON.stringify(values);
    if (sent.current?.text !== text) sent.current = { text, key: newIdempotencyKey() };
    try {
      await send(values, sent.current.key);
      sent.current = null;
      setError(null);
    } catch (thrown) {
      if (!isApiError(thrown)) console.error('A form could not be sent:', thrown);
      const failure = { status: 0, message: t('Something went wrong. Please try again.') };
      setError(sentenceOf(isApiError(thrown) ? thrown : failure, text));
    } finally {
      inFlight.current = false;
      setBusy(false);
    }
  }
  return { submit, isBusy, error };
}

/** Where there was nothing to enter, that it is kept is not said. */
function sentenceOf(failure: { status: number; message: string }, text: string): string {
  return text === '{}' ? failure.message : failedSubmit(failure);
}
