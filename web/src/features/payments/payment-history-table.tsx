import { t } from '@gatehouse/language/t';
import { fetchReceiptPaper } from '#api/papers.ts';
import { useListPaymentsQuery } from '#api/payments.ts';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { PaymentPages } from './payment-pages.tsx';

/**
 * The payments of one rental, a year a page. Always asked afresh: a bank may have returned one
 * since.
 */
export function PaymentHistoryTable({
  ledgerId,
  unitName,
}: {
  ledgerId: string;
  unitName: string;
}) {
  const { data, error, isFetching, refetch } = useListPaymentsQuery(ledgerId, {
    isAskedAfresh: true,
  });
  if (data)
    return (
      <PaymentPages
        payments={data}
        pagesLabel={t('Payment history pages')}
        caption={t('Payments on {unit}', { unit: unitName })}
        fetchReceipt={({ receiptNumber }) => fetchReceiptPaper(ledgerId, receiptNumber)}
      />
    );
  if (error === undefined || isFetching) return <Skeleton className="h-132" />;
  return (
    <LoadFailure onTryAgain={refetch}>
      {t('An error was encountered when getting payment history')}
    </LoadFailure>
  );
}
