import type { Autopay } from '@gatehouse/contract/autopay';
import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { autopayOf } from '#api/autopay-record.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { CheckboxField } from '#ui/field.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Authorization } from './authorization.tsx';
import type { MethodAnswer } from './method-form.ts';
import { MethodPart } from './method-part.tsx';
import { PaidFor } from './paid-for.tsx';
import { PaidParts } from './paid-parts.tsx';
import { Agreement, PayNotes, Sending } from './pay-notes.tsx';
import type { Failure, Order } from './payment-flow.ts';
import { amountDue, type AmountChoice } from './payment-requests.ts';
import { useMethod } from './use-method.ts';

type Props = {
  facility: Facility;
  /** What is paid: one unit, or all that owed when the sheet opened. */
  units: Ledger[];
  autopays: Autopay[];
  /** A day of the facility's calendar. */
  today: string;
  isBusy: boolean;
  failure: Failure | null;
  onSubmit: (order: Order, getMethod: () => Promise<MethodAnswer>) => Promise<void>;
  onClose: () => void;
};

const otherAmountFields = lazyPart(() => import('./other-amount-fields.tsx'));

/** The pay sheet: what is paid and with what, one button that says what is sent, and autopay. */
export function PaySheetForm(props: Props) {
  const { facility, units, autopays, today, isBusy, failure, onSubmit, onClose } = props;
  const due = amountDue(units);
  const [isOther, setOther] = useState(due <= 0);
  const [amount, setAmount] = useState<AmountChoice>('due');
  const [isMissed, setMissed] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const [isTicked, setTicked] = useState(false);
  const method = useMethod({ facility, autopays, today, isOffered: true, failure });
  const read = useState(false);
  const only = units.length === 1 ? units[0]! : null;
  const mayChoose =
    only !== null && (facility.payAhead || (facility.partPayments && only.balance > 0));

  const isDue = !mayChoose || !isOther || amount === 'due';
  const { other = null, preview } = isDue ? {} : amount;
  const sum = isDue ? due : (other?.amount ?? 0);
  // What an amount does makes the sheet longer: the choice goes to its top, under the unit.
  useEffect(() => {
    if (amount !== 'due') place.current?.scrollIntoView({ block: 'start' });
  }, [amount]);
  if (due <= 0 && !mayChoose) return <NothingDue failure={failure} onClose={onClose} />;
  // Another amount never sets up autopay.
  const without = isDue ? units.filter(({ id }) => !autopayOf(autopays, id).active) : [];
  const autopayUnits = isTicked ? without : [];
  /** What comes above the box and below it leaves it in sight, next to the button. */
  function tick(box: HTMLInputElement) {
    flushSync(() => setTicked(box.checked));
    box.scrollIntoView({ block: 'nearest' });
  }
  const label = submitLabel(sum, autopayUnits.length > 0);
  const send = method.submit(autopayUnits.length === 0, (getMethod) =>
    onSubmit({ selected: units, autopayIds: autopayUnits.map(({ id }) => id), other }, getMethod),
  );
  /** Without an amount the press leads to its field. */
  function submit(event: SubmitEvent<HTMLFormElement>) {
    if (sum > 0) send(event);
    else {
      event.preventDefault();
      setMissed(true);
      place.current?.querySelector<HTMLElement>('[data-amount]')?.focus();
    }
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <PaidFor units={units} isDue={isDue && !method.isHeld} isShort={!isDue} />
      {mayChoose && !isOther && (
        <Button variant="quiet" className="-my-2 -ml-3 self-start" onClick={() => setOther(true)}>
          {t('Another amount')}
        </Button>
      )}
      {mayChoose && isOther && (
        <div ref={place} inert={isBusy} className="scroll-mt-14">
          <LazyContent
            part={otherAmountFields}
            skeleton={<Skeleton className="h-24" />}
            props={{ ledger: only, facility, isMissed, onChoose: setAmount }}
          />
        </div>
      )}
      {preview && <PaidParts preview={preview} />}
      <MethodPart
        method={method}
        facility={facility}
        tenantId={units[0]!.tenantId}
        today={today}
        dueNow={sum}
        cardFee={autopayUnits.length > 0 ? facility.cardFeeAmount : 0}
        isFolded
        isBusy={isBusy}
        failure={failure}
      />
      <div role="status" inert={isBusy} className="empty:-mb-4">
        {autopayUnits.length > 0 && (
          <>
            <Authorization
              method={method}
              facility={facility}
              units={autopayUnits}
              autopays={autopays}
              due={due}
              isRead={read[0]}
            />
            <div className="mt-2">
              <Agreement button={label} read={read} />
            </div>
          </>
        )}
      </div>
      {!method.isHeld && (
        <div className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-raised px-4 py-3 sm:-mx-6 sm:px-6 [@media(max-height:24rem)]:static">
          <div className="flex flex-col gap-2">
            <PayNotes form={method.form} isPaying={isBusy && without.length === 0} />
            <Button type="submit" className="w-full py-2 tabular-nums" busy={isBusy}>
              {label}
            </Button>
          </div>
        </div>
      )}
      {/* In the place of the box: nothing moves under the thumb that pressed. */}
      {without.length > 0 && isBusy && <Sending className="-mt-1 min-h-12 py-3" />}
      {without.length > 0 && !isBusy && !method.isHeld && (
        <div className="-mt-1">
          <CheckboxField
            label={t(
              '{count, plural, one {Set up autopay for this unit} other {Set up autopay for these units}}',
              { count: without.length },
            )}
            checked={isTicked}
            onChange={({ target }) => tick(target)}
          />
        </div>
      )}
    </form>
  );
}

/** What the primary button sends, in dollars; nothing while an amount is not known. */
function submitLabel(sum: number, isAutopay: boolean): string {
  if (sum <= 0) return t('Pay');
  return isAutopay
    ? t('Pay {sum} and set up autopay', { sum: formatMoney(sum) })
    : t('Pay {sum}', { sum: formatMoney(sum) });
}

/** An old link, or a payment in another tab. */
function NothingDue({ failure, onClose }: Pick<Props, 'failure' | 'onClose'>) {
  return (
    <div className="flex flex-col gap-4">
      <Alert tone={failure === null ? 'good' : 'warn'} focus={failure !== null}>
        {failure?.message ?? t('Nothing is due')}
      </Alert>
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </div>
  );
}
