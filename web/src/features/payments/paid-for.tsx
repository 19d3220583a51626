import { entryName } from '@gatehouse/contract/entry-names';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { usePreviewPaymentQuery } from '#api/payments.ts';
import { Disclosure } from '#ui/disclosure.tsx';
import { GateAnswer } from './gate-answer.tsx';
import { amountDue } from './payment-requests.ts';

/** More units than these are folded behind their number. */
const MOST_IN_SIGHT = 4;

type Props = {
  units: Ledger[];
  /** Whether what is due is paid, not another amount. */
  isDue: boolean;
  /** Without what for, which another amount says itself. */
  isShort?: boolean;
};

/**
 * What is paid: a row a unit with what for, its sum and whether that opens the gate, and the total
 * of several. The sum stays in sight while the sheet scrolls.
 */
export function PaidFor({ units, isDue, isShort = false }: Props) {
  if (units.length === 1)
    return (
      <Kept>
        <Rows units={units} isDue={isDue} isShort={isShort} />
      </Kept>
    );
  return (
    <>
      <div className="-mb-4 border-t border-line">
        {units.length > MOST_IN_SIGHT ? (
          <Disclosure
            summary={
              <span className="font-medium">{t('{count} units', { count: units.length })}</span>
            }
          >
            <Rows units={units} isDue={false} />
          </Disclosure>
        ) : (
          <Rows units={units} isDue={isDue} />
        )}
      </div>
      <Kept>
        <p className="flex flex-wrap justify-between gap-x-4 py-2.5 text-20 font-semibold">
          <span>{t('Total')}</span>
          <strong className="font-semibold tabular-nums">{formatMoney(amountDue(units))}</strong>
        </p>
      </Kept>
    </>
  );
}

/** What stays in sight under the sheet's title, where a screen has room for it. */
function Kept({ children }: { children: ReactNode }) {
  return (
    <div className="sticky top-17 z-1 -mx-4 bg-raised px-4 sm:top-19 sm:-mx-6 sm:px-6 [@media(max-height:40rem)]:static">
      <div className="border-y border-line">{children}</div>
    </div>
  );
}

function Rows({ units, isDue, isShort = false }: Props) {
  return (
    <ul aria-label={t('What it pays')} className="divide-y divide-line">
      {units.map((unit) => (
        <li key={unit.id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="block font-medium">{unit.unitName}</span>
            {(!isShort || unit.balance <= 0) && (
              <span className="block text-15 text-muted tabular-nums">{whatFor(unit)}</span>
            )}
          </span>
          <span className={`tabular-nums ${units.length === 1 ? 'text-20 font-semibold' : ''}`}>
            {formatMoney(Math.max(0, unit.balance))}
          </span>
          {isDue && unit.balance > 0 && <Gate unit={unit} />}
        </li>
      ))}
    </ul>
  );
}

/** Whether what is due opens the gate, as the server says. */
function Gate({ unit: { id: ledgerId, balance: amount } }: { unit: Ledger }) {
  const { currentData } = usePreviewPaymentQuery({ ledgerId, amount });
  return <GateAnswer preview={currentData} />;
}

/** The charges of a unit by name, two of many. */
function whatFor({ charges, balance }: Ledger): string {
  if (balance <= 0) return t('Nothing due');
  const [first, second, ...more] = charges.map(({ description }) => entryName(description));
  const named = [first, second].filter((name) => name !== undefined).join(', ');
  return more.length === 0
    ? named
    : t('{names} and {count} more', { names: named, count: more.length });
}
