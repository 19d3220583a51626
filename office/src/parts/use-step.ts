import { useState } from 'react';
import { HttpError } from 'react-admin';
import { NoPasskey } from '#api/passkey.ts';

/**
 * The calls of a form or dialog, one at a time: a step that begins while another one runs is
 * ignored. `error` is why the last one failed, in a sentence; `isConflict` whether one was refused
 * with 409.
 */
export function useStep() {
  const [error, setError] = useState<string | null>(null);
  const [isConflict, setConflict] = useState(false);
  const [isBusy, setBusy] = useState(false);

  async function step(work: () => Promise<void>) {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      if (failure instanceof HttpError && failure.status === 409) setConflict(true);
      setError(
        failure instanceof HttpError || failure instanceof NoPasskey
          ? failure.message
          : 'Something went wrong. Please try again.',
      );
    } finally {
      setBusy(false);
    }
  }
  return { step, isBusy, error, isConflict };
}
