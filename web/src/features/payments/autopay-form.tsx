import type { Autopay } from '@gatehouse/contract/autopay';
import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { CheckboxField } from '#ui/field.tsx';
import { Authorization } from './authorization.tsx';
import type { MethodAnswer } from './method-form.ts';
import { MethodPart } from './method-part.tsx';
import type { Failure, Order } from './payment-flow.ts';
import { amountDue } from './payment-requests.ts';
import { Agreement, PayNotes } from './pay-notes.tsx';
import { useMethod } from './use-method.ts';

type Props = {
  facility: Facility;
  current: Ledger;
  others: Ledger[];
  /**
   * The units whose payment is done and whose autopay is still to be saved, or null before that.
   */
  left: Ledger[] | null;
  /** Whether every rental that owes is selected at first. */
  isAll: boolean;
  autopays: Autopay[];
  /** A day of the facility's calendar. */
  today: string;
  /** Whether autopay is set up, or else updated. */
  isSetup: boolean;
  isBusy: boolean;
  failure: Failure | null;
  onSubmit: (order: Order, getMethod: () => Promise<MethodAnswer>) => Promise<void>;
  onCancel: () => void;
};

/** The specification's payment method flow: units, method, authorization, Setup or Update. */
export function AutopayForm(props: Props) {
  const { facility, current, others, left, isAll, autopays, today, isSetup } = props;
  const { isBusy, failure, onSubmit, onCancel } = props;
  const [chosen, setChosen] = useState<string[]>(() =>
    isAll ? others.filter(({ balance }) => balance > 0).map(({ id }) => id) : [],
  );
  const selected = left ?? [current, ...others.filter(({ id }) => chosen.includes(id))];
  const due = left ? 0 : amountDue(selected);
  // Spec section 4 shows saved methods where autopay is not active; what is owed may be paid with
  // one in any case (departures in docs/specification.md).
  const method = useMethod({ facility, autopays, today, isOffered: isSetup || due > 0, failure });
  const read = useState(false);
  const label = submitLabel(isSetup, due);
  const send = method.submit(false, (getMethod) =>
    onSubmit({ selected, autopayIds: selected.map(({ id }) => id), other: null }, getMethod),
  );
  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4">
      {left === null && (
        <div inert={isBusy}>
          <UnitChoices current={current} others={others} chosen={chosen} onChoose={setChosen} />
        </div>
      )}
      <MethodPart
        method={method}
        facility={facility}
        tenantId={current.tenantId}
        today={today}
        dueNow={due}
        cardFee={facility.cardFeeAmount}
        isFolded={false}
        isBusy={isBusy}
        failure={failure}
      />
      <Authorization
        method={method}
        facility={facility}
        units={selected}
        autopays={autopays}
        due={due}
        isRead={read[0]}
      />
      <Agreement button={label} read={read} />
      <DialogActions>
        <PayNotes form={method.form} isPaying={isBusy && due > 0} />
        <Button variant="secondary" className={cancel} disabled={isBusy} onClick={onCancel}>
          {left ? t('Close') : t('Cancel')}
        </Button>
        {!method.isHeld && (
          <Button type="submit" className={`${primary} tabular-nums`} busy={isBusy}>
            {label}
          </Button>
        )}
      </DialogActions>
    </form>
  );
}

/** What the primary button does; `due` is what it takes at once, in dollars. */
function submitLabel(isSetup: boolean, due: number): string {
  if (due <= 0) return isSetup ? t('Setup') : t('Update');
  const sum = formatMoney(due);
  return isSetup ? t('Setup and pay {sum}', { sum }) : t('Update and pay {sum}', { sum });
}

/**
 * The buttons on a phone: in English they share a row; the longer Spanish primary one has a row of
 * its own.
 */
const [cancel, primary] =
  language() === 'es'
    ? ['', 'max-sm:order-first max-sm:basis-full!']
    : ['max-sm:flex-none! max-sm:px-4!', 'max-sm:px-2! max-sm:leading-tight'];

type UnitChoicesProps = {
  current: Ledger;
  others: Ledger[];
  /** The ids of the other units that are selected. */
  chosen: string[];
  onChoose: (ledgerIds: string[]) => void;
};

/** Which units the method pays: the current one always, the others as the tenant likes. */
function UnitChoices({ current, others, chosen, onChoose }: UnitChoicesProps) {
  const isAll = others.every(({ id }) => chosen.includes(id));
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{t('Units')}</legend>
      <div className="mt-1.5 grid grid-cols-1 gap-2">
        {others.length > 1 && (
          <CheckboxField
            label={t('All units')}
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = chosen.length > 0 && !isAll;
            }}
            onChange={() => onChoose(isAll ? [] : others.map(({ id }) => id))}
          />
        )}
        <CheckboxField
          label={current.unitName}
          hint={balanceOf(current)}
          isHintBeside
          checked
          aria-disabled
          onChange={() => {}}
        />
        {others.map((ledger) => (
          <CheckboxField
            key={ledger.id}
            label={ledger.unitName}
            hint={balanceOf(ledger)}
            isHintBeside
            checked={chosen.includes(ledger.id)}
            onChange={({ target }) =>
              onChoose(
                target.checked ? [...chosen, ledger.id] : chosen.filter((id) => id !== ledger.id),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

function balanceOf({ balance }: Ledger) {
  if (balance <= 0) return <span>{t('Nothing due')}</span>;
  return (
    <span className="font-medium text-bad tabular-nums">
      {t('{sum} due', { sum: formatMoney(balance) })}
    </span>
  );
}
