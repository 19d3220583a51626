import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { Spinner } from '#ui/spinner.tsx';

type Props = { isGivenUp: boolean; isBusy: boolean; onTryAgain: () => void; onClose: () => void };

/** A payment whose answer has not come: it may have been taken, so it is neither called failed nor sent again (C11). */
export function Confirming({ isGivenUp, isBusy, onTryAgain, onClose }: Props) {
  return (
    <div className="flex flex-col gap-4">
      <Alert tone="warn" focus>
        {isGivenUp
          ? 'We could not confirm your payment yet. Your balance and Payment History will show it once it is confirmed. Trying again here asks about the same payment and never takes it twice.'
          : 'Your payment is being confirmed. This can take a minute or two. Please do not pay again.'}
      </Alert>
      {!isGivenUp && <Spinner label="Waiting for the confirmation…" />}
      <DialogActions>
        <Button variant="secondary" disabled={isBusy} onClick={onClose}>
          Close
        </Button>
        {isGivenUp && (
          <Button busy={isBusy} onClick={onTryAgain}>
            Try again
          </Button>
        )}
      </DialogActions>
    </div>
  );
}
