import { t } from '@gatehouse/language/t';
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
    <Card title={t('Past rentals')} description={t('Payments on units that you no longer rent.')}>
      {data ? (
        <PaymentPages
          payments={data}
          pagesLabel={t('Past rental pages')}
          caption={t('Payments on past rentals')}
          fetchReceipt={({ receiptNumber }) => fetchTenantReceiptPaper(tenantId, receiptNumber)}
        />
      ) : (
        <LoadFailure onTryAgain={refetch}>
          {t('The payments on past rentals could not be loaded.')}
        </LoadFailure>
      )}
    </Card>
  );
}
