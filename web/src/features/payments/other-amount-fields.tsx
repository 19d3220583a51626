import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { MOST_MONTHS_AHEAD, type PaymentPreview } from '@gatehouse/contract/payment-preview';
import { plainNumber } from '@gatehouse/contract/typed';
import { t } from '@gatehouse/language/t';
import { useDeferredValue, useEffect, useState } from 'react';
import { isApiError } from '#api/base.ts';
import { skipToken } from '#api/hooks.ts';
import { usePreviewPaymentQuery } from '#api/payments.ts';
import { ChoiceField } from '#ui/choice-field.tsx';
import { SelectField, TextField } from '#ui/field.tsx';
import { GateAnswer } from './gate-answer.tsx';
import type { AmountChoice } from './payment-requests.ts';
import { previewWords } from './preview-words.ts';

type Kind = 'due' | 'part' | 'ahead';
type Props = {
  ledger: Ledger;
  facility: Pick<Facility, 'partPayments' | 'payAhead'>;
  /** Whether the button was pressed without an amount. */
  isMissed: boolean;
  onChoose: (choice: AmountChoice) => void;
};

/**
 * What of a unit is paid: what is due, a part of it, or bills to come as well, with what that
 * pays and does for the gate, as the server says.
 */
export default function OtherAmountFields({ ledger, facility, isMissed, onChoose }: Props) {
  const { id: ledgerId, balance } = ledger;
  const kinds = kindsOf(facility, balance);
  const [kind, setKind] = useState(kinds.find(({ value }) => value !== 'due')!.value);
  const [typed, setTyped] = useState('');
  const [months, setMonths] = useState('1');
  const amount = useDeferredValue(dollarsOf(typed));
  const asked =
    kind === 'ahead' ? { prepayMonths: Number(months) } : amount === null ? null : { amount };
  const isAsked = kind !== 'due' && asked !== null;
  const { currentData, error } = usePreviewPaymentQuery(
    isAsked ? { ledgerId, ...asked } : skipToken,
  );
  const preview = isAsked && error === undefined ? currentData : undefined;
  useEffect(() => {
    if (kind === 'due') onChoose('due');
    else if (preview === undefined) onChoose({ other: null });
    else {
      const { amount: sum } = preview;
      const other =
        kind === 'ahead' ? { amount: sum, prepayMonths: Number(months) } : { amount: sum };
      onChoose({ other, preview });
    }
  }, [kind, months, preview, onChoose]);
  const refused = isAsked && isApiError(error) ? error.message : undefined;
  return (
    <div className="flex flex-col gap-4">
      {kinds.length > 1 && (
        <ChoiceField
          legend={t('Amount')}
          name="amount-kind"
          options={kinds}
          areHintsBeside
          value={kind}
          onChange={({ target }) => setKind(target.value as Kind)}
        />
      )}
      {kind === 'part' && (
        <TextField
          label={t('Amount in dollars')}
          inputMode="decimal"
          autoComplete="off"
          start="$"
          data-amount
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          error={
            (typed !== '' || isMissed) && amount === null && dollarsOf(typed) === null
              ? t('Enter an amount such as 150 or 150.50.')
              : refused
          }
        />
      )}
      {kind === 'ahead' && (
        <SelectField
          label={t('How many months ahead')}
          options={Array.from({ length: MOST_MONTHS_AHEAD }, (_, index) => ({
            value: String(index + 1),
            label: t('{count, plural, one {# month} other {# months}}', { count: index + 1 }),
          }))}
          data-amount
          value={months}
          onChange={({ target }) => setMonths(target.value)}
          error={refused}
        />
      )}
      {kind !== 'due' && <Outcome preview={preview} />}
    </div>
  );
}

/** What may be chosen; nothing is due where there is nothing but months ahead. */
function kindsOf({ partPayments, payAhead }: Props['facility'], balance: number) {
  const due = { label: t('What is due'), hint: formatMoney(balance) };
  const part = { label: t('Another amount'), hint: t('A part of what is due.') };
  const ahead = { label: t('Months ahead'), hint: t('Bills before they are due.') };
  return [
    ...(balance > 0 ? [{ value: 'due' as Kind, ...due }] : []),
    ...(balance > 0 && partPayments ? [{ value: 'part' as Kind, ...part }] : []),
    ...(payAhead ? [{ value: 'ahead' as Kind, ...ahead }] : []),
  ];
}

/** What is left and what the payment does for the gate; announced as it changes. */
function Outcome({ preview }: { preview: PaymentPreview | undefined }) {
  return (
    <div role="status" className="flex flex-col gap-2">
      {preview && (
        <>
          {previewWords(preview).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <GateAnswer preview={preview} />
        </>
      )}
    </div>
  );
}

/** Dollars as they are typed, `150`, `1,150.50` or `$150`; null for what is no amount above 0. */
export function dollarsOf(typed: string): number | null {
  const text = plainNumber(typed)
    .trim()
    .replace(/^\$/, '')
    .replace(/,(?=\d{3}\b)/g, '');
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(text)) return null;
  const dollars = Number(text);
  return dollars > 0 ? dollars : null;
}
