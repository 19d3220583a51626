import type { Ledger } from '@gatehouse/contract/ledgers';
import { useListLedgersQuery } from '#api/ledgers.ts';
import { AutopayRow } from '#features/autopay/autopay-row.tsx';
import { ViewCharges } from '#features/charges/view-charges.tsx';
import { EsignRow } from '#features/esign/esign-row.tsx';
import { FacilityInformation } from '#features/facilities/facility-information.tsx';
import { GateAccessRow } from '#features/gate-access/gate-access-row.tsx';
import { InsuranceRow } from '#features/insurance/insurance-row.tsx';
import { BalanceRow } from '#features/ledgers/balance-row.tsx';
import { RentalCard } from '#features/ledgers/rental-card.tsx';
import { rowId } from '#features/ledgers/rental-checks.ts';
import { RentalNotifications } from '#features/ledgers/rental-notifications.tsx';
import { DriversLicenseRow } from '#features/tenants/drivers-license-row.tsx';
import { UnitContentsRow } from '#features/unit-contents/unit-contents-row.tsx';
import { useSession } from '#session/session.ts';
import { Card } from '#ui/card.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export function MyUnits() {
  const session = useSession();
  return (
    <div className="flex flex-col gap-8">
      <h1 className="text-24 font-semibold">My Units</h1>
      <FacilityInformation />
      {session && <Rentals tenantId={session.currentTenantId} />}
    </div>
  );
}

function Rentals({ tenantId }: { tenantId: string }) {
  const { data: ledgers, error, isFetching, refetch } = useListLedgersQuery([tenantId]);
  if (ledgers === undefined) {
    if (error === undefined || isFetching) return <RentalsLoading />;
    return <LoadFailure onTryAgain={refetch}>There was an issue loading the rental data</LoadFailure>;
  }
  if (ledgers.length === 0) return <Card title="Current Rentals">You are not currently renting any units</Card>;

  const ledgerIds = ledgers.map(({ id }) => id);
  return (
    <>
      <Card title="Rental Notifications">
        <div className="divide-y divide-line">
          {ledgers.map((ledger) => (
            <RentalNotifications key={ledger.id} ledger={ledger} ledgerIds={ledgerIds} />
          ))}
        </div>
      </Card>
      <section aria-labelledby="current-rentals" className="flex flex-col gap-4">
        <h2 id="current-rentals" className="text-20 font-semibold">
          Current Rentals
        </h2>
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          {ledgers.map((ledger) => (
            <Rental key={ledger.id} ledger={ledger} ledgerIds={ledgerIds} />
          ))}
        </div>
      </section>
    </>
  );
}

/** A rental's card with its rows in the spec's order. */
function Rental({ ledger, ledgerIds }: { ledger: Ledger; ledgerIds: string[] }) {
  return (
    <RentalCard ledger={ledger}>
      <BalanceRow ledger={ledger} viewCharges={<ViewCharges ledger={ledger} />} />
      <GateAccessRow ledger={ledger} />
      <AutopayRow ledger={ledger} />
      <EsignRow ledger={ledger} id={rowId('esign', ledger.id)} />
      <InsuranceRow ledger={ledger} ledgerIds={ledgerIds} id={rowId('insurance', ledger.id)} />
      <UnitContentsRow ledger={ledger} id={rowId('unit-contents', ledger.id)} />
      <DriversLicenseRow tenantId={ledger.tenantId} />
    </RentalCard>
  );
}

/** The frames of what loads, with about its heights. Each is one thing to animate: the first paint waits for all. */
function RentalsLoading() {
  return (
    <>
      <Card title="Rental Notifications">
        <Skeleton className="h-36" />
      </Card>
      <section aria-labelledby="current-rentals" aria-busy className="flex flex-col gap-4">
        <h2 id="current-rentals" className="text-20 font-semibold">
          Current Rentals
        </h2>
        <div className="grid gap-4 lg:grid-cols-2">
          {['first', 'second'].map((key) => (
            <div key={key} className="rounded-card border border-line bg-raised p-4 sm:p-6">
              <div aria-hidden="true" className="flex appear-late flex-col gap-6">
                {bars.map((height, index) => (
                  <div key={index} className={`rounded-control bg-line ${height}`} />
                ))}
              </div>
            </div>
          ))}
        </div>
      </section>
    </>
  );
}

/** Heading, balance, gate access and the five rows under them. */
const bars = ['h-13 w-2/3', 'h-24', 'h-16', 'h-11', 'h-11', 'h-11', 'h-11', 'h-11'];
