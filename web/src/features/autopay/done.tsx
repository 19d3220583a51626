import type { Ledger } from '@gatehouse/contract/ledgers';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { PaymentApplied } from './payment-applied.tsx';
import type { Paid } from './use-submission.ts';

type Props = { paid: Paid | null; ledgers: Ledger[]; onClose: () => void };

/** The end of the flow: what was paid, that autopay is saved, and what happens next. */
export function Done({ paid, ledgers, onClose }: Props) {
  return (
    <div data-done className="flex flex-col gap-4">
      {paid && <PaymentApplied paid={paid} ledgers={ledgers} focus />}
      <Alert tone="good" focus={paid === null}>
        The autopay payment method has been updated successfully
      </Alert>
      <p className="text-muted">
        Autopay charges it when the next rent is due.
        {paid && (
          <>
            {' '}
            Your gate code is in{' '}
            <a href="/" className="link">
              My Units
            </a>
            .
          </>
        )}
      </p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </div>
  );
}
