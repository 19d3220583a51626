import { lazy, Suspense, useState } from 'react';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { FlowProps } from './payment-method-flow.tsx';

/** Fetches the dialog's content ahead of its opening; a failure shows when it is opened. */
export function fetchPaymentMethodFlow(): void {
  fetchFlow().catch(() => {});
}

const fetchFlow = () => import('./payment-method-flow.tsx');
const PaymentMethodFlow = lazy(fetchFlow);

/** The payment method / autopay dialog of a rental (spec section 2, Dialogs). */
export function PaymentMethodDialog({ onClose, ...props }: Omit<FlowProps, 'onBusy'>) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      title={`${props.verb} payment method`}
      description={`For unit ${props.ledger.unitName}.`}
      onClose={onClose}
      busy={isBusy}
    >
      <Suspense fallback={<Skeleton className="h-96" />}>
        <PaymentMethodFlow {...props} onClose={onClose} onBusy={setBusy} />
      </Suspense>
    </Dialog>
  );
}
