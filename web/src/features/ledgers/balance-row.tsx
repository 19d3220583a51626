import { formatDate } from '@gatehouse/contract/dates';
import { hasScheduledRateChange, type Ledger, nextChargeDate } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
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

/**
 * What is owed and until when is paid, or when the next charge comes (spec section 4, Balance
 * display).
 */
export function BalanceRow({ ledger, viewCharges, lastReceipt }: Props) {
  const { balance, paidThrough, daysPastDue } = ledger;
  const isOwed = balance > 0;
  return (
    <Fact
      label="Current Balance (Required)"
      state={isOwed ? 'owed' : 'done'}
      action={
        isOwed && (
          <a
            href={`/billing-info?ledger=${ledger.id}`}
            className={buttonClass('primary', 'max-sm:px-5!')}
          >
            {/* One text, so that what is read out has its space. */}
            <span>
              Pay<span className="sr-only"> for {ledger.unitName}</span>
            </span>
          </a>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-x-4">
        <p className="text-24 font-semibold tabular-nums">{formatMoney(balance)}</p>
        <div className="-mx-3 -my-2 @max-[12rem]:my-2">{isOwed ? viewCharges : lastReceipt}</div>
      </div>
      {isOwed ? (
        <Line>
          <span>{pastDue(daysPastDue)}</span> <span>Paid Through: {formatDate(paidThrough)}</span>
        </Line>
      ) : (
        <Line>Next Charge: {formatDate(nextChargeDate(paidThrough))}</Line>
      )}
      <RateChange ledger={ledger} />
    </Fact>
  );
}

function RateChange({ ledger }: { ledger: Ledger }) {
  const { scheduledRateChange, scheduledRateChangeEffectiveDate } = ledger;
  if (!hasScheduledRateChange(ledger)) return null;
  return (
    <Line>
      {`Scheduled Rate Change: ${formatMoney(scheduledRateChange ?? 0)} on ${formatDate(scheduledRateChangeEffectiveDate ?? '')}`}
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return (
    <p className="flex flex-wrap gap-x-3 text-15 font-normal text-muted tabular-nums">{children}</p>
  );
}

function pastDue(days: number): string {
  if (days <= 0) return 'Due now';
  return `${days} ${days === 1 ? 'day' : 'days'} past due`;
}
