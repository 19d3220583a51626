import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { type ReactNode, useId, useState } from 'react';
import { buttonClass } from '#ui/button.tsx';
import { cardClass } from '#ui/card.tsx';
import { Icon } from '#ui/icons.tsx';

/** What a closed card among many shows under its head: all rows, the first, or none. */
export type Fold = 'none' | 'balance' | 'line';

type Props = {
  ledger: Ledger;
  /** Over both columns of the list, its rows in two columns. */
  isWide: boolean;
  /** What it leaves out is shown when it is opened, and on paper. */
  fold: Fold;
  /** Seven rows. */
  children: ReactNode;
};

const folds = {
  none: '',
  balance: 'not-print:not-has-target:*:not-first:hidden',
  line: 'not-print:not-has-target:hidden',
} satisfies Record<Fold, string>;

/**
 * A rental: unit name, width x length, type and monthly rate, then its rows. A button opens what
 * the rows that are done have in store. In two columns the rows of neighbours align.
 */
export function RentalCard({ ledger, isWide, fold, children }: Props) {
  const { unitName, unit, rentalRate } = ledger;
  const [isOpen, setOpen] = useState(false);
  const heading = useId();
  return (
    <section
      aria-labelledby={heading}
      data-open={isOpen || undefined}
      className={`group/card ${cardClass} pt-3! pb-1! max-sm:px-3! ${isWide ? 'lg:col-span-2' : 'lg:row-span-8 lg:grid lg:grid-rows-subgrid'}`}
    >
      <div className="flex flex-wrap items-center justify-end pb-2">
        <h3 id={heading} className="min-w-0 flex-1 basis-28 text-17 font-semibold wrap-anywhere">
          {unitName}
        </h3>
        <p className="order-last basis-full text-15 text-muted tabular-nums">
          {t('{width} x {length} {type}, {rate}/month', {
            width: unit.width,
            length: unit.length,
            type: unit.typeName,
            rate: formatMoney(rentalRate),
          })}
        </p>
        <a
          href={`/maintenance-request?ledger=${ledger.id}`}
          className={buttonClass('quiet', '-my-3 px-2!')}
        >
          <span>
            {t('Repair')}
            <span className="sr-only"> {t('request for {unit}', { unit: unitName })}</span>
          </span>
        </a>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={t('Details of {unit}', { unit: unitName })}
          onClick={() => setOpen(!isOpen)}
          className="-my-3 -mr-3 flex size-11 shrink-0 items-center justify-center rounded-control text-brand hover:bg-brand-soft"
        >
          <Icon
            name="chevron-down"
            className="size-5 transition-transform duration-150 ease-out group-data-open/card:rotate-180"
          />
        </button>
      </div>
      <dl
        className={`border-t border-line ${isOpen ? '' : folds[fold]} ${
          isWide
            ? 'lg:grid lg:grid-flow-col lg:grid-cols-2 lg:grid-rows-[repeat(4,auto)] lg:gap-x-12 lg:*:nth-5:border-t-0!'
            : 'lg:row-span-7 lg:grid lg:grid-rows-subgrid'
        }`}
      >
        {children}
      </dl>
    </section>
  );
}
