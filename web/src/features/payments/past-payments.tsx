import { fetchTenantReceiptPaper } from '#api/papers.ts';
import { useListPastPaymentsQuery } from '#api/payments.ts';
import { Card } from '#ui/card.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { PaymentPages } from './payment-pages.tsx';

/** The payments of a tenant record on rentals that have ended; nothing where there are none. */
export function PastPayments({ tenantId }: { tenantId: string }) {
  const { data, error, isFetching, refetch } = useListPastPaymentsQuery(tenantId);
  if (data?.length === 0) return null;
  if (data === undefined && (error === undefined || isFetching)) return null;
  return (
    <Card title="Past rentals" description="Payments on units that you no longer rent.">
      {data ? (
        <PaymentPages
          payments={data}
          title="Past rental"
          caption="Payments on past rentals"
          fetchReceipt={({ receiptNumber }) => fetchTenantReceiptPaper(tenantId, receiptNumber)}
        />
      ) : (
        <LoadFailure onTryAgain={refetch}>
          The payments on past rentals could not be loaded.
        </LoadFailure>
      )}
    </Card>
  );
}
