import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { pageWindow, type Payment, PAYMENTS_PER_PAGE } from '@gatehouse/contract/payments';
import { useRef, useState } from 'react';
import { fetchReceiptPaper } from '#api/papers.ts';
import { useListPaymentsQuery } from '#api/payments.ts';
import { Chip } from '#ui/chip.tsx';
import { Icon } from '#ui/icons.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Pager } from '#ui/pager.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Table } from '#ui/table.tsx';
import { usePrinting } from '#ui/use-printing.ts';
import { PaperButton } from './paper-button.tsx';

/**
 * The payments of one rental, ten a page. Always asked afresh: a bank may have returned one since.
 */
export function PaymentHistoryTable({
  ledgerId,
  unitName,
}: {
  ledgerId: string;
  unitName: string;
}) {
  const { data, error, isFetching, refetch } = useListPaymentsQuery(ledgerId, {
    refetchOnMountOrArgChange: true,
  });
  if (data) return <Pages payments={data} {...{ ledgerId, unitName }} />;
  if (error === undefined || isFetching) return <Skeleton className="h-132" />;
  return (
    <LoadFailure onTryAgain={refetch}>
      An error was encountered when getting payment history
    </LoadFailure>
  );
}

type PagesProps = { payments: Payment[]; ledgerId: string; unitName: string };

function Pages({ payments, ledgerId, unitName }: PagesProps) {
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
        caption={`Payments on ${unitName}, page ${page} of ${pages}`}
        columns={[
          {
            header: 'Date',
            onPhone: 'beside',
            cell: ({ date }) => <span className="tabular-nums">{formatDate(date)}</span>,
          },
          {
            header: 'Description',
            onPhone: 'below',
            cell: (payment) => <Description {...{ payment, ledgerId }} />,
          },
          {
            header: 'Amount',
            onPhone: 'beside',
            align: 'right',
            cell: (payment) => <Amount payment={payment} />,
          },
        ]}
        rows={isPrinting ? payments : shown}
        rowKey={({ receiptNumber, date, amount }) => `${receiptNumber} ${date} ${amount}`}
        empty="No payments have been made on this unit"
      />
      {pages > 1 && (
        <Pager
          page={page}
          pages={pages}
          window={pageWindow(page, pages)}
          onPage={turnTo}
          label="Payment history pages"
        />
      )}
    </div>
  );
}

/** How it was paid, what became of it where that is not done, and its receipt. */
function Description({ payment, ledgerId }: { payment: Payment; ledgerId: string }) {
  const { paymentTypeDescription, receiptNumber, isPending, takenBack } = payment;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <div className="min-w-0 max-sm:text-muted">
        {paymentTypeDescription} {isPending && <Chip tone="neutral">Pending at the bank</Chip>}
        {takenBack && (
          <p className="flex items-start gap-1.5 text-15 text-warn">
            <Icon name="alert" className="mt-px size-4.5" />
            {takenBack.sentence}
          </p>
        )}
      </div>
      <PaperButton
        label="Receipt"
        more={receiptNumber}
        about="as PDF"
        fetchPaper={() => fetchReceiptPaper(ledgerId, receiptNumber)}
      />
    </div>
  );
}

function Amount({ payment: { amount, takenBack } }: { payment: Payment }) {
  return (
    <>
      <span className="max-sm:font-medium">{formatMoney(amount)}</span>
      {takenBack && (
        <span className="block text-right text-15 text-warn">
          <span className="sr-only">Taken back </span>
          {formatMoney(-takenBack.amount)}
        </span>
      )}
    </>
  );
}
