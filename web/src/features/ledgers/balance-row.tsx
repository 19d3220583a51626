import { formatDate } from '@gatehouse/contract/dates';
import { hasScheduledRateChange, type Ledger, nextChargeDate } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { buttonClass } from '#ui/button.tsx';
import { Fact } from '#ui/facts.tsx';

type Props = {
  ledger: Ledger;
  /** Beside what is owed. */
  viewCharges: ReactNode;
  /** Beside a balance that is paid. */
  lastReceipt: ReactNode;
};

/** What is owed and until when is paid, or when the next charge comes. */
export function BalanceRow({ ledger, viewCharges, lastReceipt }: Props) {
  const { balance, paidThrough, daysPastDue } = ledger;
  const isOwed = balance > 0;
  return (
    <Fact
      label={t('Current Balance (Required)')}
      state={isOwed ? 'owed' : 'done'}
      saved={balance}
      action={
        isOwed && (
          <a
            href={`/billing-info?ledger=${ledger.id}`}
            className={buttonClass('primary', 'min-w-21 max-sm:min-h-11!')}
          >
            {/* One text, so that what is read out has its space. */}
            <span>
              {t('Pay')}
              <span className="sr-only"> {t('for {unit}', { unit: ledger.unitName })}</span>
            </span>
          </a>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-x-2">
        <p className="text-24 leading-none font-semibold tabular-nums">{formatMoney(balance)}</p>
        <div className="-mx-3 -my-2.5 [&>button]:mr-0! [&>button]:bg-transparent! @max-[12rem]:my-2">
          {isOwed ? viewCharges : lastReceipt}
        </div>
      </div>
      <p className="font-normal text-muted tabular-nums">
        {isOwed ? (
          <>
            <span>{`${pastDue(daysPastDue)}, `}</span>
            <span className="inline-block">
              {t('Paid Through: {date}', { date: formatDate(paidThrough) })}
            </span>
          </>
        ) : (
          <span>{t('Next Charge: {date}', { date: formatDate(nextChargeDate(paidThrough)) })}</span>
        )}
        {hasScheduledRateChange(ledger) && (
          <span>
            {`, ${t('Scheduled Rate Change: {rate} on {date}', {
              rate: formatMoney(ledger.scheduledRateChange ?? 0),
              date: formatDate(ledger.scheduledRateChangeEffectiveDate ?? ''),
            })}`}
          </span>
        )}
      </p>
    </Fact>
  );
}

function pastDue(days: number): string {
  if (days <= 0) return t('Due now');
  return t('{days, plural, one {# day} other {# days}} past due', { days });
}
