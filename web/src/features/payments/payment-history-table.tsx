import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { pageWindow, type Payment, PAYMENTS_PER_PAGE } from '@gatehouse/contract/payments';
import { useRef, useState } from 'react';
import { useListPaymentsQuery } from '#api/payments.ts';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Pager } from '#ui/pager.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Table } from '#ui/table.tsx';

/** The payments of one rental, ten a page. Always asked afresh: a bank may have returned one since. */
export function PaymentHistoryTable({ ledgerId, unitName }: { ledgerId: string; unitName: string }) {
  const { data, error, isFetching, refetch } = useListPaymentsQuery(ledgerId, { refetchOnMountOrArgChange: true });
  if (data) return <Pages payments={data} unitName={unitName} />;
  if (error === undefined || isFetching) return <Skeleton className="h-132" />;
  return <LoadFailure onTryAgain={refetch}>An error was encountered when getting payment history</LoadFailure>;
}

function Pages({ payments, unitName }: { payments: Payment[]; unitName: string }) {
  const [wanted, setPage] = useState(1);
  const pages = Math.max(1, Math.ceil(payments.length / PAYMENTS_PER_PAGE));
  const page = Math.min(wanted, pages);
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
          { header: 'Date', cell: ({ date }) => <span className="tabular-nums">{formatDate(date)}</span> },
          { header: 'Description', cell: (payment) => <Description payment={payment} /> },
          { header: 'Amount', align: 'right', cell: ({ amount }) => formatMoney(amount) },
        ]}
        rows={payments.slice((page - 1) * PAYMENTS_PER_PAGE, page * PAYMENTS_PER_PAGE)}
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

function Description({ payment: { paymentTypeDescription, receiptNumber } }: { payment: Payment }) {
  return (
    <>
      {paymentTypeDescription}
      <span className="block text-13 text-muted tabular-nums">Receipt {receiptNumber}</span>
    </>
  );
}
