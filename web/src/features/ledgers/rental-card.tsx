import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { type ReactNode, useId } from 'react';
import { buttonClass } from '#ui/button.tsx';
import { cardClass } from '#ui/card.tsx';

type Props = {
  ledger: Ledger;
  /** Over both columns of the list, its rows in two columns. */
  isWide: boolean;
  /** Seven rows. */
  children: ReactNode;
};

/**
 * A rental: unit name, width x length, type and monthly rate, then its rows (spec section 2,
 * Current Rentals). In two columns the rows of neighbours align.
 */
export function RentalCard({ ledger, isWide, children }: Props) {
  const { unitName, unit, rentalRate } = ledger;
  const heading = useId();
  return (
    <section
      aria-labelledby={heading}
      className={`${cardClass} py-3! sm:py-5! ${isWide ? 'lg:col-span-2' : 'lg:row-span-8 lg:grid lg:grid-rows-subgrid'}`}
    >
      <div className="mb-1 border-b border-line pb-2">
        <div className="flex items-center justify-between gap-x-3">
          <h3 id={heading} className="min-w-0 text-17 font-semibold wrap-anywhere">
            {unitName}
          </h3>
          <a
            href={`/maintenance-request?ledger=${ledger.id}`}
            className={buttonClass('quiet', '-my-2.5 -mr-3 shrink-0')}
          >
            <span>
              Repair<span className="sr-only"> request for {unitName}</span>
            </span>
          </a>
        </div>
        <p className="text-muted tabular-nums">
          {unit.width} x {unit.length} {unit.typeName} · {formatMoney(rentalRate)} a month
        </p>
      </div>
      <dl
        className={`divide-y divide-line ${
          isWide
            ? 'lg:columns-2 lg:gap-x-12 lg:*:nth-3:border-b-0 lg:*:nth-4:break-before-column'
            : 'lg:row-span-7 lg:grid lg:grid-rows-subgrid'
        }`}
      >
        {children}
      </dl>
    </section>
  );
}
