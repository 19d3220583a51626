import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { Facility } from '@gatehouse/contract/facilities';
import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import { type ReactNode, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { amountDue } from './amount-due.ts';
import { MethodFields } from './method-fields.tsx';
import { emptyForm, type MethodForm, methodFields, methodSchema, NEW_METHOD, normalized } from './method-form.ts';
import type { SavedMethod } from './saved-methods.ts';
import { UnitChoices } from './unit-choices.tsx';

type Props = {
  facility: Facility;
  current: Ledger;
  others: Ledger[];
  /** The units whose payment is done and whose autopay is still to be saved, or null before that. */
  left: Ledger[] | null;
  saved: SavedMethod[];
  verb: 'Setup' | 'Update';
  isBusy: boolean;
  /** What happened to the last submit; stands above the actions. */
  message: ReactNode;
  onSubmit: (selected: Ledger[], method: PaymentMethodFields) => Promise<void>;
  onCancel: () => void;
};

/** The fields of the payment method dialog. Card and bank fields live here and nowhere else (C8). */
export function MethodFormView(props: Props) {
  const { facility, current, others, left, saved, verb, isBusy, message, onSubmit, onCancel } = props;
  const [chosen, setChosen] = useState<string[]>([]);
  const form = useForm<MethodForm>({
    defaultValues: emptyForm(saved[0]?.paymentMethodId ?? NEW_METHOD),
    mode: 'onTouched',
    resolver,
  });
  const selected = left ?? [current, ...others.filter(({ id }) => chosen.includes(id))];
  const due = left ? 0 : amountDue(selected);
  const label = due > 0 ? `${verb} and pay ${formatMoney(due)}` : verb;

  async function submit(values: MethodForm) {
    if (isBusy) return;
    await onSubmit(selected, methodFields(values, saved));
    form.resetField('creditCard.cardCvv');
  }
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)} className="flex flex-col gap-4">
      <div inert={isBusy} className="flex flex-col gap-4">
        <MethodFields
          form={form}
          saved={saved}
          cardFee={facility.cardFee}
          thisYear={Number(calendarDateIn(facility.timeZone, new Date()).slice(0, 4))}
        />
        {left === null && <UnitChoices current={current} others={others} chosen={chosen} onChoose={setChosen} />}
      </div>
      <p className="text-13 text-muted">{consent(label, facility.name, due)}</p>
      {message}
      <DialogActions>
        <Button variant="secondary" className="max-sm:flex-none! max-sm:px-4!" disabled={isBusy} onClick={onCancel}>
          {left ? 'Close' : 'Cancel'}
        </Button>
        <Button type="submit" className="max-sm:px-3!" busy={isBusy}>
          {label}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Checks what is sent, and reports it at the field where it was typed. */
const resolver: Resolver<MethodForm> = async (values, context, options) => {
  const check = standardSchemaResolver(methodSchema(values)) as unknown as Resolver<MethodForm>;
  const { errors } = await check(normalized(values) as MethodForm, context, options);
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
};

function consent(label: string, facility: string, due: number): string {
  const today = due > 0 ? `to take ${formatMoney(due)} now and ` : '';
  return `With “${label}” you allow ${facility} ${today}to charge this payment method automatically for rent and other charges of the selected units when they are due, until you change it or ask the facility to stop.`;
}
