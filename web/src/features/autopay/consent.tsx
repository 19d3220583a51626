import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { type Mandate, mandateText } from '@gatehouse/contract/mandate';
import { formatMoney } from '@gatehouse/contract/money';
import { CARD_NUMBER } from '@gatehouse/contract/payment-methods';
import { type Control, useWatch } from 'react-hook-form';
import { digitsOf } from './card-number.ts';
import { type MethodForm, normalized } from './method-form.ts';
import type { SavedMethod } from './saved-methods.ts';

type Props = {
  control: Control<MethodForm>;
  facility: Facility;
  selected: Ledger[];
  saved: SavedMethod[];
  /** The primary button's words, and the dollars that it takes at once. */
  label: string;
  due: number;
};

/** What the tenant agrees to with the primary button (D13): the text that the server keeps, and what is taken at once. */
export function Consent({ control, facility, selected, saved, label, due }: Props) {
  const form = useWatch({ control }) as MethodForm;
  const text = mandateText({
    ...chargedMethod(form, saved),
    unitName: selected.map(({ unitName }) => unitName).join(', '),
    facilityName: facility.name,
    cardFee: facility.cardFee ? facility.cardFeeAmount : 0,
  });
  return (
    <section aria-label="Autopay authorization" className="text-13 text-muted">
      <p className="font-medium text-text">
        With “{label}” {due > 0 && `you pay ${formatMoney(due)} now, and `}you agree to autopay:
      </p>
      <div className="mt-1.5 space-y-1.5 border-l-2 border-line pl-3">
        {text.split('\n').map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
  );
}

/** Kind and last four of the method that is chosen, the latter as soon as a new one's number is there. */
export function chargedMethod(form: MethodForm, saved: SavedMethod[]): Pick<Mandate, 'method' | 'lastFour'> {
  const chosen = saved.find(({ paymentMethodId }) => paymentMethodId === form.source);
  if (chosen) return { method: chosen.type, lastFour: chosen.lastFour };
  const { type } = form;
  const number = type === 'ach' ? normalized(form).ach.accountNumber : digitsOf(form.creditCard.cardNumber);
  const shortest = type === 'ach' ? 4 : CARD_NUMBER.min;
  return { method: type, ...(number.length >= shortest && { lastFour: number.slice(-4) }) };
}
