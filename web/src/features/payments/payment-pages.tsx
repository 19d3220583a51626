import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney } from '@gatehouse/contract/money';
import type { Paper } from '@gatehouse/contract/papers';
import { pageWindow, type Payment, PAYMENTS_PER_PAGE } from '@gatehouse/contract/payments';
import { t } from '@gatehouse/language/t';
import { useRef, useState } from 'react';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Icon } from '#ui/icons.tsx';
import { Pager } from '#ui/pager.tsx';
import { Table } from '#ui/table.tsx';
import { usePrinting } from '#ui/use-printing.ts';
import { PaperButton } from './paper-button.tsx';

type Props = {
  /** A payment on a past rental names its unit. */
  payments: (Payment & { unitName?: string })[];
  caption: string;
  /** What the pages are of, for screen readers: `Payment history pages`. */
  pagesLabel: string;
  fetchReceipt: (payment: Payment) => Promise<Paper>;
};

/** Payments with their receipts, a year of monthly ones a page, on paper all of them. */
export function PaymentPages({ payments, caption, pagesLabel, fetchReceipt }: Props) {
  const [wanted, setPage] = useState(1);
  const pages = Math.max(1, Math.ceil(payments.length / PAYMENTS_PER_PAGE));
  const page = Math.min(wanted, pages);
  const shown = payments.slice((page - 1) * PAYMENTS_PER_PAGE, page * PAYMENTS_PER_PAGE);
  const isPrinting = usePrinting();
  const top = useRef<HTMLDivElement>(null);

  function turnTo(next: number) {
    setPage(next);
    // On a phone the pager is far below the first row of the page it opens.
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView();
  }
  return (
    <div ref={top} className="flex flex-col gap-4">
      <Table
        isDense
        caption={t('{caption}, page {page} of {pages}', { caption, page, pages })}
        columns={[
          {
            header: t('Date'),
            onPhone: 'beside',
            cell: ({ date }) => <span className="tabular-nums">{formatDate(date)}</span>,
          },
          {
            header: t('Description'),
            onPhone: 'below',
            cell: (payment) => <Description payment={payment} fetchReceipt={fetchReceipt} />,
          },
          {
            header: t('Amount'),
            onPhone: 'beside',
            align: 'right',
            cell: (payment) => <Amount payment={payment} />,
          },
        ]}
        rows={isPrinting ? payments : shown}
        rowKey={({ receiptNumber, date, amount }) => `${receiptNumber} ${date} ${amount}`}
        empty={<EmptyState>{t('No payments have been made on this unit')}</EmptyState>}
      />
      {pages > 1 && (
        <Pager
          page={page}
          pages={pages}
          window={pageWindow(page, pages)}
          onPage={turnTo}
          label={pagesLabel}
        />
      )}
    </div>
  );
}

/**
 * The unit of a past rental, how it was paid, what became of it where that is not done, and its
 * receipt.
 */
function Description({
  payment,
  fetchReceipt,
}: Pick<Props, 'fetchReceipt'> & { payment: Props['payments'][number] }) {
  const { unitName, paymentTypeDescription, receiptNumber, isPending, takenBack } = payment;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <div className="min-w-0 max-sm:text-15 max-sm:text-muted">
        {unitName !== undefined && <span>{`${unitName} · `}</span>}
        <span>{entryName(paymentTypeDescription)}</span>{' '}
        {/* On paper, where the button that names it is not. */}
        <span className="hidden print:inline">
          {t('Receipt {number}', { number: receiptNumber })}
        </span>{' '}
        {isPending && <Chip tone="neutral">{t('Pending at the bank')}</Chip>}
        {takenBack && (
          <p
            className={`flex items-start gap-1.5 text-15 ${takenBack.amount > 0 ? 'text-warn' : ''}`}
          >
            <Icon name={takenBack.amount > 0 ? 'alert' : 'check'} className="mt-0.5 size-4.5" />
            <span>{takenBack.sentence}</span>
          </p>
        )}
      </div>
      <PaperButton
        label={t('Receipt')}
        more={receiptNumber}
        about={t('as PDF')}
        fetchPaper={() => fetchReceipt(payment)}
      />
    </div>
  );
}

function Amount({ payment: { amount, takenBack } }: { payment: Payment }) {
  return (
    <>
      <span className="font-medium">{formatMoney(amount)}</span>
      {takenBack !== null && takenBack.amount > 0 && (
        <span className="block text-right text-15 text-warn">
          <span className="sr-only">{t('Taken back')} </span>
          <span>{formatMoney(-takenBack.amount)}</span>
        </span>
      )}
    </>
  );
}
