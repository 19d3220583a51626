import type { Autopay } from '@gatehouse/contract/autopay';
import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { type ComponentType, useEffect, useState } from 'react';
import { autopayOf } from '#api/autopay-record.ts';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { serverNow } from '#api/server-time.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { chargeWords, nextCharges } from './next-charges.ts';
import type { MethodAnswer } from './method-form.ts';
import { PaymentForm } from './payment-form.tsx';
import { type Paid, type Phase, usePayment } from './use-payment.ts';

const outcome = lazyPart(() => import('./payment-outcome.tsx'));

export type PaymentDialogProps = {
  ledger: Ledger;
  /** Every rental of the tenant record, the current one among them. */
  ledgers: Ledger[];
  autopays: Autopay[];
  /** Whether autopay is set up, or else updated. */
  isSetup: boolean;
  /** Whether every rental that owes is selected at first. */
  isAll: boolean;
  /** The gate code of a rental; another feature's, so the screen brings it. */
  GateAccess: ComponentType<{ ledger: Ledger }>;
  onClose: () => void;
  onBusy: (isBusy: boolean) => void;
  /** What happened, which names the dialog from then on. */
  onOutcome: (title: string | null) => void;
};

/**
 * What the payment method dialog holds: the form, what became of it, the success. A chunk of its
 * own, because of the forms library.
 */
export default function PaymentDialogContent(props: PaymentDialogProps) {
  const facility = useGetFacilityQuery();
  return (
    <Loadable
      load={facility}
      failure={t('The facility information could not be loaded.')}
      skeleton="h-96 w-full"
    >
      {(loaded) => <Flow facility={loaded} {...props} />}
    </Loadable>
  );
}

function Flow({
  facility,
  ledger,
  ledgers: newest,
  autopays,
  isSetup,
  isAll,
  GateAccess,
  onClose,
  onBusy,
  onOutcome,
}: PaymentDialogProps & { facility: Facility }) {
  const today = calendarDateIn(facility.timeZone, serverNow());
  const { phase, paid, isBusy, submit, tryAgain, saveLeft } = usePayment({
    tenantId: ledger.tenantId,
    ledgers: newest,
    autopays,
    today,
  });
  useEffect(() => onBusy(isBusy), [isBusy, onBusy]);
  const title = titleOf(phase, paid, isSetup);
  useEffect(() => onOutcome(title), [title, onOutcome]);
  useEffect(() => outcome.fetchAhead(), []);
  // A payment that is taken changes the balances before its form is gone.
  const [kept, keep] = useState(newest);
  if (!isBusy && kept !== newest) keep(newest);
  const ledgers = isBusy ? kept : newest;
  const left =
    phase.kind === 'unsaved' ? ledgers.filter(({ id }) => phase.left.includes(id)) : null;
  const saved = phase.kind === 'unsaved' ? phase.saved : null;
  const success = paid && (
    <LazyContent
      part={outcome}
      props={{
        success: {
          paid,
          GateAccess,
          ledgers: newest,
          nextWords: (one) => nextWords(one, autopays),
        },
      }}
    />
  );
  if (phase.kind === 'done') {
    return (
      <div data-done className="flex flex-col gap-4">
        {success}
        {phase.isSaved && (
          <Alert tone="good" focus={paid === null}>
            {t('The autopay payment method has been updated successfully')}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('Close')}</Button>
        </DialogActions>
      </div>
    );
  }
  const isAsking = phase.kind === 'fill' || (phase.kind === 'unsaved' && saved === null);
  return (
    <div className="flex flex-col gap-4" data-done={success ? true : undefined}>
      {success}
      {phase.kind === 'saving' && <Spinner label={t('Saving autopay…')} />}
      {phase.kind === 'unsaved' && (
        <Alert tone="bad" focus>
          {t('Autopay could not be saved for {units}. {message}', {
            units: (left ?? []).map(({ unitName }) => unitName).join(', '),
            message: phase.message,
          })}
        </Alert>
      )}
      {phase.kind === 'unsaved' && saved !== null && (
        <DialogActions>
          <Button variant="secondary" disabled={isBusy} onClick={onClose}>
            {t('Close')}
          </Button>
          <Button busy={isBusy} onClick={() => void saveLeft(phase.left, saved)}>
            {t('Try again')}
          </Button>
        </DialogActions>
      )}
      {phase.kind === 'confirming' && (
        <LazyContent
          part={outcome}
          props={{
            confirming: {
              isGivenUp: phase.isGivenUp,
              isBusy,
              onTryAgain: () => void tryAgain(),
              onClose,
            },
          }}
        />
      )}
      {/* Kept while it is not shown, so that a refusal finds what was typed. */}
      <div hidden={!isAsking}>
        <PaymentForm
          facility={facility}
          current={ledgers.find(({ id }) => id === ledger.id) ?? ledger}
          others={ledgers.filter(({ id }) => id !== ledger.id)}
          left={paid ? (left ?? []) : null}
          isAll={isAll}
          autopays={autopays}
          today={today}
          isSetup={isSetup}
          isBusy={isBusy}
          error={phase.kind === 'fill' ? phase.error : null}
          onSubmit={(selected, getMethod, isOnce, other) =>
            submit(selected, () => outcomeFirst(getMethod), isOnce, other)
          }
          onCancel={onClose}
        />
      </div>
    </div>
  );
}

/** Nothing is sent before what says what became of it is here. */
function outcomeFirst(getMethod: () => Promise<MethodAnswer>): Promise<MethodAnswer> {
  return outcome.load().then(getMethod, () => ({
    error: t(
      'Nothing was sent: a part of this form could not be loaded. Please reload the page and try again.',
    ),
  }));
}

/** The dialog's title once something happened, null before that. */
function titleOf({ kind }: Phase, paid: Paid | null, isSetup: boolean) {
  if (paid) return paid.isPending ? t('Payment sent') : t('Payment received');
  if (kind === 'confirming') return t('Confirming your payment');
  if (kind === 'done') return isSetup ? t('Autopay is set up') : t('Autopay is updated');
  return null;
}

/** What autopay takes of a rental next, or the tenant owes next, and when; null for nothing. */
function nextWords(ledger: Ledger, autopays: Autopay[]): string | null {
  const { nextCharge, creditCard } = autopayOf(autopays, ledger.id);
  const bringsFee = creditCard?.bringsFee ?? false;
  const coming = nextCharge ? [nextCharge] : nextCharges([ledger], autopays, bringsFee);
  // A credit may cover it.
  const charges = coming.filter(({ amount }) => amount > 0);
  if (charges.length === 0) return null;
  const words = chargeWords(charges);
  return nextCharge
    ? t('Next charge: {charges}', { charges: words })
    : t('Next due: {charges}', { charges: words });
}
