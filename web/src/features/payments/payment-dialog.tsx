import type { Autopay } from '@gatehouse/contract/autopay';
import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { useEffect, useEffectEvent, useState } from 'react';
import { autopayOf } from '#api/autopay-record.ts';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { serverNow } from '#api/server-time.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import type { FormDialogProps } from '#ui/form-dialog.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { AutopayForm } from './autopay-form.tsx';
import type { MethodAnswer } from './method-form.ts';
import { chargeWords, nextCharges } from './next-charges.ts';
import { ALL, type PayDialogProps } from './asked.ts';
import { PaySheetForm } from './pay-sheet-form.tsx';
import type { Order, Paid, Phase } from './payment-flow.ts';
import { usePayment } from './use-payment.ts';

const outcome = lazyPart(() => import('./payment-outcome.tsx'));

type Props = Omit<PayDialogProps, 'onClose'> &
  FormDialogProps & {
    /** What happened, which names the dialog from then on. */
    onOutcome: (title: string | null) => void;
  };

/**
 * What the payment dialog holds: the form, what became of it, the success. A chunk of its own,
 * because of the forms library.
 */
export default function PaymentDialogContent(props: Props) {
  const facility = useGetFacilityQuery();
  const autopays = useListAutopaysQuery(props.tenantId);
  return (
    <Loadable
      load={facility}
      failure={t('The facility information could not be loaded.')}
      skeleton="h-96 w-full"
    >
      {(loaded) => (
        <Loadable
          load={autopays}
          failure={t('The autopay status could not be loaded.')}
          skeleton="h-96 w-full"
        >
          {(records) => <Content facility={loaded} autopays={records} {...props} />}
        </Loadable>
      )}
    </Loadable>
  );
}

type Loaded = Props & { facility: Facility; autopays: Autopay[] };

function Content(props: Loaded) {
  const { facility, autopays, tenantId, ledgers: newest, GateAccess } = props;
  const { onClose, onBusy, onOutcome, onPaid, onConfirming } = props;
  const today = calendarDateIn(facility.timeZone, serverNow());
  const flow = usePayment({ tenantId, ledgers: newest, autopays, today });
  const { phase, paid, isBusy } = flow;
  useEffect(() => onBusy(isBusy), [isBusy, onBusy]);
  // Of the opening: saving autopay must not reword the dialog that says so.
  const [opened] = useState(() => openedFor(props));
  const title = titleOf(phase, onPaid ? null : paid, opened);
  useEffect(() => onOutcome(title), [title, onOutcome]);
  useEffect(() => outcome.fetchAhead(), []);
  const { ids } = phase.kind === 'confirming' ? phase : {};
  const isRefused = phase.kind === 'fill' && phase.failure !== null;
  const say = useEffectEvent((confirmed: string[]) => onConfirming?.(confirmed));
  useEffect(() => {
    if (ids || isRefused) say(ids ?? []);
  }, [ids, isRefused]);
  // A payment that is taken changes the balances before its form is gone.
  const [kept, keep] = useState(newest);
  if (!isBusy && kept !== newest) keep(newest);

  const leave = useEffectEvent((taken: Paid, isSaved: boolean) => onPaid?.(taken, isSaved));
  const isSaved = phase.kind === 'done' && phase.isSaved;
  const isLeaving = phase.kind === 'done' && onPaid !== undefined && paid !== null;
  useEffect(() => {
    if (isLeaving) leave(paid, isSaved);
  }, [isLeaving, paid, isSaved]);

  const isSaid = paid !== null && (onPaid === undefined || phase.kind === 'unsaved');
  const success = isSaid && (
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
  if (phase.kind === 'done' && !isLeaving)
    return (
      <div data-done className="flex flex-col gap-4">
        {success}
        {isSaved && (
          <Alert tone="good" focus={paid === null}>
            {t('The autopay payment method has been updated successfully')}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('Close')}</Button>
        </DialogActions>
      </div>
    );
  const isAsking = phase.kind === 'fill' || (phase.kind === 'unsaved' && phase.saved === null);
  return (
    <div className="flex flex-col gap-4" data-done={success ? true : undefined}>
      {success}
      <Progress {...flow} ledgers={newest} isQuiet={!isSaid} onClose={onClose} />
      {/* Kept while it is not shown, so that a refusal finds what was typed. */}
      <div hidden={!isAsking && (isSaid || phase.kind === 'confirming')}>
        <Form {...props} {...flow} ledgers={isBusy ? kept : newest} today={today} opened={opened} />
      </div>
    </div>
  );
}

type Flow = ReturnType<typeof usePayment>;
type Opened = ReturnType<typeof openedFor>;

/** The units that a dialog is opened for, as they were then, and in which form. */
function openedFor({ asked: { kind, ledgerId }, ledgers, autopays, facility }: Loaded) {
  const units =
    ledgerId === ALL
      ? ledgers.filter(({ balance }) => balance > 0)
      : ledgers.filter(({ id }) => id === ledgerId);
  const [first] = units;
  return {
    ids: units.map(({ id }) => id),
    // Where nothing is paid without autopay, paying is setting it up.
    isPay: kind === 'pay' && (facility.payOnce || first === undefined),
    isSetup: first !== undefined && !autopayOf(autopays, first.id).active,
    isAll: ledgerId === ALL,
  };
}

type FormProps = Loaded & Flow & { today: string; opened: Opened };

/** The pay sheet's form, or that of autopay: also for units that it could not be saved for. */
function Form(props: FormProps) {
  const { ledgers, phase, paid, submit, opened, onClose, ...rest } = props;
  const { facility, autopays, today, isBusy } = rest;
  const units = ledgers.filter(({ id }) => opened.ids.includes(id));
  const left =
    phase.kind === 'unsaved' ? ledgers.filter(({ id }) => phase.left.includes(id)) : null;
  const shared = {
    facility,
    autopays,
    today,
    isBusy,
    failure: phase.kind === 'fill' ? phase.failure : null,
    onSubmit: (order: Order, getMethod: () => Promise<MethodAnswer>) =>
      submit(order, () => outcomeFirst(getMethod)),
  };
  if (opened.isPay && left === null)
    return <PaySheetForm {...shared} units={units} onClose={onClose} />;
  const current = units[0] ?? left![0]!;
  return (
    <AutopayForm
      {...shared}
      current={current}
      others={ledgers.filter(({ id }) => id !== current.id)}
      left={paid ? (left ?? []) : null}
      isAll={opened.isAll}
      isSetup={opened.isSetup}
      onCancel={onClose}
    />
  );
}

type ProgressProps = Flow & {
  ledgers: Ledger[];
  /** The form is still in sight, with its mark. */
  isQuiet: boolean;
  onClose: () => void;
};

/** What is under way after a submit, and what of it failed. */
function Progress({ phase, isBusy, ledgers, isQuiet, saveLeft, tryAgain, onClose }: ProgressProps) {
  if (phase.kind === 'saving') return isQuiet ? null : <Spinner label={t('Saving autopay…')} />;
  if (phase.kind === 'confirming')
    return (
      <LazyContent
        part={outcome}
        props={{
          confirming: {
            isGivenUp: phase.isGivenUp,
            amount: phase.amount,
            unitNames: ledgers
              .filter(({ id }) => phase.ids.includes(id))
              .map(({ unitName }) => unitName),
            isBusy,
            onTryAgain: () => void tryAgain(),
            onClose,
          },
        }}
      />
    );
  if (phase.kind !== 'unsaved') return null;
  const { left, saved, message } = phase;
  const units = ledgers.filter(({ id }) => left.includes(id)).map(({ unitName }) => unitName);
  return (
    <div className="flex flex-col gap-4">
      <Alert tone="bad" focus>
        {t('Autopay could not be saved for {units}. {message}', {
          units: units.join(', '),
          message,
        })}
      </Alert>
      {saved !== null && (
        <DialogActions>
          <Button variant="secondary" disabled={isBusy} onClick={onClose}>
            {t('Close')}
          </Button>
          <Button busy={isBusy} onClick={() => void saveLeft(left, saved)}>
            {t('Try again')}
          </Button>
        </DialogActions>
      )}
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
function titleOf({ kind }: Phase, paid: Paid | null, { isSetup }: Opened): string | null {
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
  const words = charges.map(chargeWords).join(', ');
  return nextCharge
    ? t('Next charge: {charges}', { charges: words })
    : t('Next due: {charges}', { charges: words });
}
