import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { Facility } from '@gatehouse/contract/facilities';
import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import type { PaymentMethodType } from '@gatehouse/contract/payment-methods';
import { type ReactNode, useRef, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { lazyForm } from '#ui/form-dialog.tsx';
import { AchFields } from './ach-fields.tsx';
import { amountDue } from './amount-due.ts';
import { BillingFields } from './billing-fields.tsx';
import { CardFields } from './card-fields.tsx';
import { Consent } from './consent.tsx';
import type { HostedFieldsProps } from './hosted-fields.tsx';
import type { MethodAnswer, Tokenize } from './hosted-method.ts';
import { MethodFields } from './method-fields.tsx';
import {
  emptyForm,
  hostedSchema,
  type MethodForm,
  methodFields,
  methodSchema,
  NEW_METHOD,
  normalized,
} from './method-form.ts';
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
  onSubmit: (selected: Ledger[], getMethod: () => Promise<MethodAnswer>) => Promise<void>;
  onCancel: () => void;
};

/** What the form forgets after each submit, whatever came of it (C8). */
const numbers = ['creditCard.cardNumber', 'creditCard.cardCvv', 'ach.accountNumber', 'ach.routingNumber'] as const;

const hostedFields = lazyForm<HostedFieldsProps>(() => import('./hosted-fields.tsx'));

/** The fields of the payment method dialog. Card and bank fields live here and nowhere else (C8). */
export function MethodFormView(props: Props) {
  const { facility, current, others, left, saved, verb, isBusy, message, onSubmit, onCancel } = props;
  const { hostedFields: hosted } = facility;
  const [chosen, setChosen] = useState<string[]>([]);
  const form = useForm<MethodForm>({
    defaultValues: emptyForm(saved[0]?.paymentMethodId ?? NEW_METHOD),
    mode: 'onTouched',
    resolver: resolvers[hosted ? 'hosted' : 'own'],
  });
  const tokenize = useRef<Tokenize>(null);
  const thisYear = Number(calendarDateIn(facility.timeZone, new Date()).slice(0, 4));
  const selected = left ?? [current, ...others.filter(({ id }) => chosen.includes(id))];
  const due = left ? 0 : amountDue(selected);
  const label = due > 0 ? `${verb} and pay ${formatMoney(due)}` : verb;

  async function getMethod(values: MethodForm): Promise<MethodAnswer> {
    if (hosted === null || values.source !== NEW_METHOD) return { method: methodFields(values, saved) };
    return tokenize.current?.(values) ?? { error: 'The form is still loading. Please wait a moment and try again.' };
  }
  async function submit(values: MethodForm) {
    if (isBusy) return;
    await onSubmit(selected, () => getMethod(values));
    for (const name of numbers) form.resetField(name);
  }
  function fieldsOf(type: PaymentMethodType) {
    if (hosted === null) {
      return type === 'creditCard' ? <CardFields form={form} thisYear={thisYear} /> : <AchFields form={form} />;
    }
    return (
      <>
        <hostedFields.Form
          key={type}
          publishableKey={hosted.publishableKey}
          type={type}
          tenantId={current.tenantId}
          dueNow={due}
          onReady={(made) => void (tokenize.current = made)}
        />
        {type === 'creditCard' && <BillingFields form={form} />}
      </>
    );
  }
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)} className="flex flex-col gap-4">
      <div inert={isBusy} className="flex flex-col gap-4">
        <MethodFields form={form} saved={saved} cardFee={facility.cardFee} fieldsOf={fieldsOf} />
        {left === null && <UnitChoices current={current} others={others} chosen={chosen} onChoose={setChosen} />}
      </div>
      <Consent control={form.control} {...{ facility, selected, saved, label, due }} />
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
const resolvers = { own: resolverOf(methodSchema), hosted: resolverOf(hostedSchema) };

function resolverOf(schemaOf: typeof methodSchema | typeof hostedSchema): Resolver<MethodForm> {
  return async (values, context, options) => {
    const check = standardSchemaResolver(schemaOf(values)) as unknown as Resolver<MethodForm>;
    const { errors } = await check(normalized(values) as MethodForm, context, options);
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
}
