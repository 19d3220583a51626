import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import type { ComponentType } from 'react';
import { fetchReceiptPaper } from '#api/papers.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { PaidNote } from './paid-note.tsx';
import { PaperButton } from './paper-button.tsx';
import type { Paid } from './use-payment.ts';

type Props = { success?: SuccessProps; confirming?: ConfirmingProps };

/** What became of a payment: that it was taken, or that its answer has not come. */
export default function PaymentOutcome({ success, confirming }: Props) {
  return (
    <>
      {success && <Success {...success} />}
      {confirming && <Confirming {...confirming} />}
    </>
  );
}

type SuccessProps = {
  paid: Paid;
  /** The rentals of the tenant record as they are now. */
  ledgers: Ledger[];
  /** What a rental pays next and when, null where nothing is to come. */
  nextWords: (ledger: Ledger) => string | null;
  GateAccess: ComponentType<{ ledger: Ledger }>;
};

/**
 * That the payment was taken: the sum, the gate code of each unit with its receipt, and what comes
 * next.
 */
function Success({
  paid: { amount: total, units, isPending },
  ledgers,
  nextWords,
  GateAccess,
}: SuccessProps) {
  return (
    <div className="flex flex-col gap-4">
      <div className="drawn">
        <PaidNote amount={total} />
      </div>
      {units.some(({ receiptNumber }) => receiptNumber === null) && (
        <p className="text-muted">
          {rich('The receipt is in {link}.', {
            link: (
              <a href="/payment-history" className="link">
                {t('Payment History')}
              </a>
            ),
          })}
        </p>
      )}
      <ul className="divide-y divide-line">
        {units.map(({ ledgerId, amount, receiptNumber }) => {
          const ledger = ledgers.find(({ id }) => id === ledgerId);
          return (
            <li key={ledgerId} className="py-2">
              <div className="flex items-baseline justify-between gap-x-4">
                <span className="min-w-0 font-medium wrap-anywhere">{ledger?.unitName}</span>
                <span className="font-medium tabular-nums">{formatMoney(amount)}</span>
              </div>
              {ledger && (
                // As narrow as its place in a row of facts, where it starts at the left.
                <div className="@container mt-2 w-60 max-w-full">
                  <GateAccess key={ledger.balance} ledger={ledger} />
                </div>
              )}
              <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4">
                <span className="text-muted tabular-nums">{ledger && nextWords(ledger)}</span>
                {receiptNumber !== null && (
                  <div className="max-sm:-ml-3 max-sm:basis-full sm:ml-auto">
                    <PaperButton
                      label={t('Receipt {number}', { number: receiptNumber })}
                      about={t('as PDF')}
                      fetchPaper={() => fetchReceiptPaper(ledgerId, receiptNumber)}
                    />
                  </div>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {isPending && (
        <p className="text-muted">
          {t('Your bank still has to confirm it. If it is returned, the balance is due again.')}
        </p>
      )}
    </div>
  );
}

type ConfirmingProps = {
  isGivenUp: boolean;
  isBusy: boolean;
  onTryAgain: () => void;
  onClose: () => void;
};

/**
 * A payment whose answer has not come: it may have been taken, so it is neither called failed nor
 * sent again.
 */
function Confirming({ isGivenUp, isBusy, onTryAgain, onClose }: ConfirmingProps) {
  return (
    <div className="flex flex-col gap-4">
      <Alert tone="warn" focus>
        {isGivenUp
          ? t(
              'We could not confirm your payment yet. Your balance and Payment History will show it once it is confirmed. Trying again here asks about the same payment and never takes it twice.',
            )
          : t(
              'Your payment is being confirmed. This can take a minute or two. Please do not pay again.',
            )}
      </Alert>
      {!isGivenUp && <Spinner label={t('Waiting for the confirmation…')} />}
      <DialogActions>
        <Button variant="secondary" disabled={isBusy} onClick={onClose}>
          {t('Close')}
        </Button>
        {isGivenUp && (
          <Button busy={isBusy} onClick={onTryAgain}>
            {t('Try again')}
          </Button>
        )}
      </DialogActions>
    </div>
  );
}
