import { formatDate } from '@gatehouse/contract/dates';
import { hasScheduledRateChange, type Ledger, nextChargeDate } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import type { ReactNode } from 'react';
import { buttonClass } from '#ui/button.tsx';
import { Fact } from '#ui/facts.tsx';
import { Icon } from '#ui/icons.tsx';

type Props = { ledger: Ledger; viewCharges: ReactNode };

/** What is owed and until when is paid, or when the next charge comes (spec section 4, Balance display). */
export function BalanceRow({ ledger, viewCharges }: Props) {
  const { balance, paidThrough, daysPastDue, scheduledRateChange, scheduledRateChangeEffectiveDate } = ledger;
  return (
    <Fact label="Current Balance (Required)">
      {balance > 0 ? (
        <>
          <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-2 @max-[17.5rem]:justify-start sm:gap-x-4">
            <p className="text-24 font-semibold text-bad tabular-nums">{formatMoney(balance)}</p>
            <a href="/billing-info" className={buttonClass('primary', 'max-sm:px-5!')}>
              {/* One text, so that what is read out has its space. */}
              <span>
                Pay<span className="sr-only"> for {ledger.unitName}</span>
              </span>
            </a>
          </div>
          <Line>Paid Through: {formatDate(paidThrough)}</Line>
          <p className="flex items-center justify-end gap-1 text-13 @max-[17.5rem]:justify-start text-bad tabular-nums">
            <Icon name="alert" className="size-4" />
            {pastDue(daysPastDue)}
          </p>
          <div className="-mr-3 -mb-2.5 @max-[17.5rem]:-ml-3">{viewCharges}</div>
        </>
      ) : (
        <>
          <p className="text-24 font-semibold tabular-nums">{formatMoney(balance)}</p>
          <Line>Next Charge: {formatDate(nextChargeDate(paidThrough))}</Line>
        </>
      )}
      {hasScheduledRateChange(ledger) && (
        <Line>
          Scheduled Rate Change: {formatMoney(scheduledRateChange ?? 0)} on{' '}
          {formatDate(scheduledRateChangeEffectiveDate ?? '')}
        </Line>
      )}
    </Fact>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <p className="mt-1 text-13 font-normal text-balance text-muted tabular-nums">{children}</p>;
}

function pastDue(days: number): string {
  if (days <= 0) return 'Due now';
  return `${days} ${days === 1 ? 'day' : 'days'} past due`;
}
