import { type ComponentType, useEffect, useState } from 'react';
import { Dialog } from '#ui/dialog.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { FlowProps } from './payment-method-flow.tsx';

/** Fetches the dialog's content ahead of its opening; a failure shows when it is opened. */
export function fetchPaymentMethodFlow(): void {
  fetchFlow().catch(() => {});
}

const fetchFlow = () => import('./payment-method-flow.tsx');

/** The payment method / autopay dialog of a rental (spec section 2, Dialogs). */
export function PaymentMethodDialog({ onClose, ...props }: Omit<FlowProps, 'onBusy'>) {
  const [isBusy, setBusy] = useState(false);
  const { Flow, hasFailed, fetchAgain } = useFlow();
  return (
    <Dialog
      title={`${props.verb} payment method`}
      description={`For unit ${props.ledger.unitName}.`}
      onClose={onClose}
      busy={isBusy}
    >
      {Flow && <Flow {...props} onClose={onClose} onBusy={setBusy} />}
      {!Flow && !hasFailed && <Skeleton className="h-96" />}
      {hasFailed && (
        <LoadFailure onTryAgain={fetchAgain}>
          This form could not be loaded. Check your connection and try again.
        </LoadFailure>
      )}
    </Dialog>
  );
}

/** The dialog's content once its chunk is here. Not React's `lazy`, which keeps a failure until the page is loaded anew. */
function useFlow() {
  const [Flow, setFlow] = useState<ComponentType<FlowProps> | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let isGone = false;
    fetchFlow().then(
      (module) => !isGone && setFlow(() => module.default),
      () => !isGone && setFailed(true),
    );
    return () => void (isGone = true);
  }, [attempt]);

  function fetchAgain() {
    setFailed(false);
    setAttempt((count) => count + 1);
  }
  return { Flow, hasFailed, fetchAgain };
}
