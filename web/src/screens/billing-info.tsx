import { useListAutopaysQuery } from '#api/autopay.ts';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { useListLedgersQuery } from '#api/ledgers.ts';
import { AutopayUnits } from '#features/autopay/autopay-units.tsx';
import { BillingTable } from '#features/autopay/billing-table.tsx';
import { CARD_FEE_NOTICE } from '#features/autopay/card-fee.ts';
import { useSession } from '#session/session.ts';
import { Alert } from '#ui/alert.tsx';
import { Card } from '#ui/card.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export function BillingInfo() {
  const session = useSession();
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h1 className="text-24 font-semibold">Billing Information</h1>
        <p className="mt-2 max-w-prose text-muted">
          To pay a balance or change how a unit is paid, choose Setup or Update beside it. What is due is paid first;
          from then on autopay charges the method you chose when rent is due.
        </p>
      </div>
      <Card title="Units and payment methods">{session && <Units tenantId={session.currentTenantId} />}</Card>
      {session && <BelowUnits tenantId={session.currentTenantId} />}
    </div>
  );
}

/**
 * Comes when all that stands above it is known: its heights would move it. What is in it asks for nothing itself: a call that
 * failed would be sent again by everything that comes, and take it away again.
 */
function BelowUnits({ tenantId }: { tenantId: string }) {
  const { data: facility, isLoading: isFacilityLoading } = useGetFacilityQuery();
  const { data: ledgers, isLoading } = useListLedgersQuery([tenantId]);
  const { data: autopays, isLoading: isAutopayLoading } = useListAutopaysQuery(tenantId);
  if (isLoading || isFacilityLoading || isAutopayLoading) return null;
  return (
    <>
      {facility?.cardFee && <Alert tone="info">{CARD_FEE_NOTICE}</Alert>}
      {/* The table above says when they could not be loaded. */}
      {ledgers && autopays && <AutopayUnits ledgers={ledgers} autopays={autopays} />}
    </>
  );
}

function Units({ tenantId }: { tenantId: string }) {
  const { data: ledgers, error, isFetching, refetch } = useListLedgersQuery([tenantId]);
  if (ledgers) {
    if (ledgers.length === 0) return 'You are not currently renting any units';
    return <BillingTable tenantId={tenantId} ledgers={ledgers} />;
  }
  if (error === undefined || isFetching) return <Skeleton className="h-120 sm:h-60" />;
  return <LoadFailure onTryAgain={refetch}>There was an issue loading the rental data</LoadFailure>;
}
