import type { Autopay } from '@gatehouse/contract/autopay';
import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { mandateText } from '@gatehouse/contract/mandate';
import { formatMoney } from '@gatehouse/contract/money';
import type { PaymentMethodType } from '@gatehouse/contract/payment-methods';
import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { type Control, useForm, useWatch } from 'react-hook-form';
import type { SavedMethod } from '#api/autopay-record.ts';
import { expiredCards, savedMethods } from './saved-methods.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { CheckboxField } from '#ui/field.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { MethodFields } from './method-fields.tsx';
import {
  asOffered,
  chargedMethod,
  emptyForm,
  hostedSchema,
  type MethodAnswer,
  type MethodForm,
  methodFields,
  methodSchema,
  NEW_METHOD,
  type Tokenize,
} from './method-form.ts';
import { resolverOf } from './method-resolver.ts';
import { chargeWords, nextCharges } from './next-charges.ts';
import { amountDue, type AmountChoice, type OtherAmount } from './payment-requests.ts';

type PaymentFormProps = {
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
  /** Why the last submit failed. */
  error: string | null;
  /** `isOnce`: pays without saving autopay. `other`: another amount of the one unit. */
  onSubmit: (
    selected: Ledger[],
    getMethod: () => Promise<MethodAnswer>,
    isOnce: boolean,
    other: OtherAmount | null,
  ) => Promise<void>;
  onCancel: () => void;
};

const hostedFields = lazyPart(() => import('./hosted-fields.tsx'));
const newMethodFields = lazyPart(() => import('./new-method-fields.tsx'));
const otherAmountFields = lazyPart(() => import('./other-amount-fields.tsx'));

/**
 * The form of the payment dialog: method, units, outcome, consent, actions. Card and bank fields
 * are kept here and nowhere else, and end with the dialog; a submit that fails loses none.
 */
export function PaymentForm(props: PaymentFormProps) {
  const { facility, current, others, left, isAll, autopays, today, isSetup } = props;
  const { isBusy, error, onSubmit, onCancel } = props;
  const { hostedFields: hosted } = facility;
  const [chosen, setChosen] = useState<string[]>(() =>
    isAll ? others.filter(({ balance }) => balance > 0).map(({ id }) => id) : [],
  );
  const [amount, setAmount] = useState<AmountChoice>('due');
  const tokenize = useRef<Tokenize>(null);
  const selected = left ?? [current, ...others.filter(({ id }) => chosen.includes(id))];
  const due = left ? 0 : amountDue(selected);
  const isOwing = due > 0;
  // Another amount is of one unit, and never sets up autopay.
  const mayChoose =
    left === null &&
    selected.length === 1 &&
    facility.payOnce &&
    (facility.payAhead || (facility.partPayments && isOwing));
  const isOther = mayChoose && amount !== 'due';
  const other = isOther ? amount.other : null;
  const isOncePossible = facility.payOnce && isOwing && !isOther;
  // Spec section 4 shows saved methods where autopay is not active; what is owed may be paid with
  // one in any case (departures in docs/specification.md).
  const saved = isSetup || isOwing || isOther ? savedMethods(autopays, today) : [];
  const form = useForm<MethodForm>({
    defaultValues: emptyForm(saved[0]?.paymentMethodId ?? NEW_METHOD),
    mode: 'onTouched',
    resolver: hosted
      ? resolverOf(hostedSchema, saved, undefined)
      : resolverOf(methodSchema, saved, today),
  });
  useEffect(() => newMethodFields.fetchAhead(), []);
  const label = submitLabel(isSetup, due);

  /** Where another amount is what the saved methods are offered for, the first is chosen. */
  function chooseSaved() {
    const [first] = savedMethods(autopays, today);
    if (first && !form.formState.isDirty) form.setValue('source', first.paymentMethodId);
  }

  async function getMethod(values: MethodForm, isOnce: boolean): Promise<MethodAnswer> {
    if (hosted === null || values.source !== NEW_METHOD)
      return { method: methodFields(values, saved) };
    return (
      tokenize.current?.(values, isOnce) ?? {
        error: t('The form is still loading. Please wait a moment and try again.'),
      }
    );
  }
  const submitAs = (isOnce: boolean) =>
    form.handleSubmit(async (values) => {
      if (!isBusy && !(isOther && other === null))
        await onSubmit(selected, () => getMethod(asOffered(values, saved), isOnce), isOnce, other);
    });
  const fieldsOf = (type: PaymentMethodType) => (
    <>
      {hosted && (
        <LazyContent
          key={type}
          part={hostedFields}
          props={{
            publishableKey: hosted.publishableKey,
            type,
            tenantId: current.tenantId,
            dueNow: other?.amount ?? due,
            onReady: (made) => void (tokenize.current = made),
          }}
        />
      )}
      <LazyContent
        part={newMethodFields}
        props={{ form, type, thisYear: Number(today.slice(0, 4)), isHosted: hosted !== null }}
      />
    </>
  );
  return (
    <form
      noValidate
      onSubmit={(event) => void submitAs(isOther)(event)}
      className="flex flex-col gap-4"
    >
      <div inert={isBusy} className="flex flex-col gap-4">
        <MethodFields
          form={form}
          saved={saved}
          expired={expiredCards(autopays, today)}
          cardFee={facility.cardFeeAmount}
          fieldsOf={fieldsOf}
        />
        {left === null && (
          <UnitChoices current={current} others={others} chosen={chosen} onChoose={setChosen} />
        )}
        {mayChoose && (
          <LazyContent
            part={otherAmountFields}
            skeleton={<Skeleton className="h-24" />}
            props={{ ledger: current, facility, onOther: chooseSaved, onChoose: setAmount }}
          />
        )}
      </div>
      {!isOther && (
        <Consent
          control={form.control}
          facility={facility}
          selected={selected}
          autopays={autopays}
          saved={saved}
          label={label}
          due={due}
        />
      )}
      {error !== null && (
        <Alert tone="bad" focus>
          {error}
        </Alert>
      )}
      <DialogActions>
        <Button
          variant="secondary"
          className={isOncePossible ? narrow : alone}
          disabled={isBusy}
          onClick={onCancel}
        >
          {left ? t('Close') : t('Cancel')}
        </Button>
        {isOncePossible && (
          <Button
            variant="secondary"
            className={narrow}
            disabled={isBusy}
            aria-label={t('Pay once, without autopay')}
            onClick={(event) => void submitAs(true)(event)}
          >
            {t('Pay once')}
          </Button>
        )}
        <Button
          type="submit"
          className={primary}
          disabled={isOther && other === null}
          busy={isBusy}
        >
          {!isOther
            ? label
            : other
              ? t('Pay {sum}', { sum: formatMoney(other.amount) })
              : t('Pay once')}
        </Button>
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
 * The buttons on a phone: in English they share a row, where the secondary ones, or the one that is
 * only, leave their room to the primary one; the longer Spanish primary one has a row of its own.
 */
const [narrow, alone, primary] =
  language() === 'es'
    ? ['', '', 'max-sm:order-first max-sm:basis-full!']
    : [
        'flex-none! px-2.5! sm:px-5!',
        'max-sm:flex-none! max-sm:px-4!',
        'max-sm:px-2! max-sm:leading-tight',
      ];

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
          hint={
            <>
              {balanceOf(current)} <span className="block">{t('Always included')}</span>
            </>
          }
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

type ConsentProps = {
  control: Control<MethodForm>;
  facility: Facility;
  selected: Ledger[];
  autopays: Autopay[];
  saved: SavedMethod[];
  /** The primary button's words, and the dollars that it takes at once. */
  label: string;
  due: number;
};

/**
 * What the tenant agrees to with the primary button: the text that the server keeps, and what is
 * taken at once.
 */
function Consent({ control, facility, selected, autopays, saved, label, due }: ConsentProps) {
  const form = useWatch({ control }) as MethodForm;
  const { bringsFee, ...charged } = chargedMethod(form, saved);
  const charges = nextCharges(selected, autopays, bringsFee);
  const text = mandateText({
    ...charged,
    unitName: selected.map(({ unitName }) => unitName).join(', '),
    facilityName: facility.name,
    cardFee: facility.cardFee ? facility.cardFeeAmount : 0,
  });
  return (
    <section aria-label={t('Autopay authorization')} className="text-muted">
      <p className="text-17 font-semibold text-text tabular-nums">
        <span>{due > 0 ? t('Now {sum}', { sum: formatMoney(due) }) : t('Nothing now')}</span>
        {charges.length > 0 && (
          <span>{t(', next {charges}', { charges: chargeWords(charges) })}</span>
        )}
      </p>
      <p className="mt-2 font-medium text-text">
        {t('With “{button}” you agree to autopay:', { button: label })}
      </p>
      <div className="mt-1.5 grid gap-1.5 border-l-2 border-line pl-3">
        {text.split('\n').map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
  );
}
