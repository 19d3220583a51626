import type { Autopay } from '@gatehouse/contract/autopay';
import { formatDate } from '@gatehouse/contract/dates';
import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { mandateText } from '@gatehouse/contract/mandate';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { chargedMethod, type MethodForm } from './method-form.ts';
import { nextCharges, unitsWords } from './next-charges.ts';
import type { Method } from './use-method.ts';

type Props = {
  method: Method;
  facility: Facility;
  /** The units that autopay is saved for. */
  units: Ledger[];
  autopays: Autopay[];
  /** The dollars that the primary button takes at once. */
  due: number;
  /** Whether the whole text is shown. */
  isRead: boolean;
};

/** What autopay takes now and next, a row a day, and on demand the text that the server keeps. */
export function Authorization({ method, facility, units, autopays, due, isRead }: Props) {
  const form = useWatch({ control: method.form.control }) as MethodForm;
  const { bringsFee, ...charged } = chargedMethod(form, method.saved);
  const names = units.map(({ unitName }) => unitName);
  const text = mandateText({
    ...charged,
    unitName: names.join(', '),
    facilityName: facility.name,
    cardFee: facility.cardFee ? facility.cardFeeAmount : 0,
  });
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isRead) whole.current?.focus();
  }, [isRead]);
  return (
    <section aria-label={t('Autopay authorization')}>
      <ul className="divide-y divide-line border-y border-line">
        <Charge day={t('Today')} amount={due} />
        {nextCharges(units, autopays, bringsFee).map(({ date, amount, cardFee, unitNames }) => (
          <Charge
            key={date}
            day={formatDate(date)}
            about={unitsWords(unitNames)}
            amount={amount}
            cardFee={cardFee}
          />
        ))}
      </ul>
      <p className="mt-2 text-muted wrap-anywhere">
        <span>
          {t('On each due date: what is owed on {units} that day.', { units: unitsWords(names) })}
        </span>{' '}
        <span>{t('Switch it off at any time under Billing Info.')}</span>
      </p>
      <div ref={whole} tabIndex={-1} hidden={!isRead}>
        {text.split('\n').map((paragraph) => (
          <p key={paragraph} className="mt-2 text-muted">
            {paragraph}
          </p>
        ))}
      </div>
    </section>
  );
}

type ChargeProps = { day: string; about?: string; amount: number; cardFee?: number };

function Charge({ day, about, amount, cardFee = 0 }: ChargeProps) {
  return (
    <li className="flex items-baseline justify-between gap-x-4 py-2">
      <span className="min-w-0 wrap-anywhere">
        <span className="block font-medium tabular-nums">{day}</span>
        {about !== undefined && <span className="block text-15 text-muted">{about}</span>}
      </span>
      <span className="text-right">
        <span className="block font-semibold tabular-nums">{formatMoney(amount)}</span>
        {cardFee > 0 && (
          <span className="block text-15 text-muted">
            {t('with {sum} card fee', { sum: formatMoney(cardFee) })}
          </span>
        )}
      </span>
    </li>
  );
}
