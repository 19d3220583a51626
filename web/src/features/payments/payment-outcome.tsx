import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import type { ComponentType } from 'react';
import { fetchReceiptPaper } from '#api/papers.ts';
import { useGateAccess } from '#api/use-gate-access.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { unitsWords } from './next-charges.ts';
import { PaidNote } from './paid-note.tsx';
import { PaperButton } from './paper-button.tsx';
import type { Paid } from './payment-flow.ts';

/** A payment that its page says itself; `ledgers` are those of the record as they are now. */
export type PaidHere = { paid: Paid; isAutopaySaved: boolean; ledgers: Ledger[] };

type Props = { success?: SuccessProps; paidHere?: PaidHere; confirming?: ConfirmingProps };

/** What became of a payment: that it was taken, or that its answer has not come. */
export default function PaymentOutcome({ success, paidHere, confirming }: Props) {
  return (
    <>
      {success && <Success {...success} />}
      {paidHere && <OnPage {...paidHere} />}
      {confirming && <Confirming {...confirming} />}
    </>
  );
}

const row = 'flex min-h-12 flex-wrap items-center justify-between gap-x-4';

/** That the payment was taken, above the gate pass: sum, units and receipts. */
function OnPage({ paid: { amount, units, isPending }, isAutopaySaved, ledgers }: PaidHere) {
  const rows = (
    <ul className="divide-y divide-line pl-5">
      {units.map((unit) => {
        const ledger = ledgers.find(({ id }) => id === unit.ledgerId);
        return (
          <li key={unit.ledgerId} className={`${row} pl-5`}>
            {ledger && <PaidUnit ledger={ledger} />}
            <Receipt unit={unit} />
          </li>
        );
      })}
    </ul>
  );
  return (
    <section aria-label={t('Payment received')}>
      <PaidNote
        amount={amount}
        rows={
          units.length <= 2 ? (
            rows
          ) : (
            <Disclosure summary={t('Receipts for {count} units', { count: units.length })}>
              {rows}
            </Disclosure>
          )
        }
      >
        {isAutopaySaved && (
          <span className="block">
            {t('The autopay payment method has been updated successfully')}
          </span>
        )}
        {isPending && <span className="block">{pendingWords()}</span>}
      </PaidNote>
    </section>
  );
}

/** The unit, and that its gate is open now; the pass has its code and announces it. */
function PaidUnit({ ledger }: { ledger: Ledger }) {
  const { unitName: unit } = ledger;
  const code = useGateAccess(ledger).data?.accessCode;
  return (
    <p className="min-w-0 font-semibold wrap-anywhere">
      {code === undefined ? unit : t('{unit} is open', { unit })}
    </p>
  );
}

function Receipt({ unit: { ledgerId, receiptNumber } }: { unit: Paid['units'][number] }) {
  return (
    receiptNumber !== null && (
      <PaperButton
        label={t('Receipt {number}', { number: receiptNumber })}
        about={t('as PDF')}
        fetchPaper={() => fetchReceiptPaper(ledgerId, receiptNumber)}
      />
    )
  );
}

function pendingWords(): string {
  return t('Your bank still has to confirm it. If it is returned, the balance is due again.');
}

type SuccessProps = {
  paid: Paid;
  /** The rentals of the tenant record as they are now. */
  ledgers: Ledger[];
  /** What a rental pays next and when, null where nothing is to come. */
  nextWords: (ledger: Ledger) => string | null;
  GateAccess: ComponentType<{ ledger: Ledger }> | undefined;
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
      <PaidNote amount={total} />
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
        {units.map((unit) => {
          const { ledgerId, amount, receiptNumber } = unit;
          const ledger = ledgers.find(({ id }) => id === ledgerId);
          return (
            <li key={ledgerId} className="py-3 first:pt-0 last:pb-0">
              <div className="flex items-baseline justify-between gap-x-4">
                {ledger && <PaidUnit ledger={ledger} />}
                {units.length > 1 && (
                  <span className="font-medium tabular-nums">{formatMoney(amount)}</span>
                )}
              </div>
              {ledger && GateAccess && (
                <div className="on-pass my-3 rounded-control px-4 py-3">
                  <GateAccess ledger={ledger} />
                </div>
              )}
              <div className={row}>
                <span className="text-muted tabular-nums">{ledger && nextWords(ledger)}</span>
                {receiptNumber !== null && (
                  <div className="py-2.5 max-sm:-ml-3 max-sm:basis-full sm:ml-auto">
                    <Receipt unit={unit} />
                  </div>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {isPending && <p className="text-muted">{pendingWords()}</p>}
    </div>
  );
}

type ConfirmingProps = {
  isGivenUp: boolean;
  /** What may have been taken, in dollars, and for which units. */
  amount: number;
  unitNames: string[];
  isBusy: boolean;
  onTryAgain: () => void;
  onClose: () => void;
};

/**
 * A payment whose answer has not come: it may have been taken, so it is neither called failed nor
 * sent again.
 */
function Confirming(props: ConfirmingProps) {
  const { isGivenUp, amount, unitNames, isBusy, onTryAgain, onClose } = props;
  return (
    <div className="flex flex-col gap-4">
      <p>
        <span className="block text-32 font-semibold tabular-nums">{formatMoney(amount)}</span>
        <span className="text-muted">{unitsWords(unitNames)}</span>
      </p>
      <Alert key={String(isGivenUp)} tone="warn" focus isWaiting={!isGivenUp}>
        {isGivenUp
          ? t(
              'We could not confirm your payment yet. Your balance and Payment History will show it once it is confirmed. Trying again here asks about the same payment and never takes it twice.',
            )
          : t(
              'Your payment is being confirmed. This can take a minute or two. Please do not pay again.',
            )}
      </Alert>
      {!isGivenUp && <p>{t('You can close this: the receipt comes by email.')}</p>}
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
