import { type Autopay, listAutopays } from '@gatehouse/contract/autopay';
import { getFacility } from '@gatehouse/contract/facilities';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { cardFeeDetails, cardFeeNotice } from '@gatehouse/contract/payment-methods';
import { t } from '@gatehouse/language/t';
import { autopayCalls, useListAutopaysQuery } from '#api/autopay.ts';
import { facilityCalls, useGetFacilityQuery } from '#api/facilities.ts';
import { firstRead, type FirstReads } from '#api/first-read.ts';
import { skipToken } from '#api/hooks.ts';
import { ledgerCalls, useListLedgersQuery } from '#api/ledgers.ts';
import { AutopayUnits } from '#features/autopay/autopay-units.tsx';
import { NextCharge } from '#features/autopay/next-charge.tsx';
import { WhyThisAmount } from '#features/autopay/why-this-amount.tsx';
import NoRentals from '#features/facilities/no-rentals.tsx';
import { GateAccess } from '#features/gate-access/gate-access.tsx';
import { type AskedPayment, BillingTable } from '#features/payments/billing-table.tsx';
import { useSession } from '#session/use-session.ts';
import { Card } from '#ui/card.tsx';
import { Icon } from '#ui/icons.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export const reads: FirstReads = (session) => {
  const { currentTenantId: tenantId } = session;
  return [
    firstRead(session, ledgerCalls.listLedgers, [tenantId], listLedgers, { tenantIds: tenantId }),
    firstRead(session, facilityCalls.getFacility, undefined, getFacility),
    firstRead(session, autopayCalls.listAutopays, tenantId, listAutopays, { tenantId }),
  ];
};

export default function BillingInfo() {
  const session = useSession();
  const { data: ledgers } = useListLedgersQuery(session ? [session.currentTenantId] : skipToken);
  const hasNone = ledgers?.length === 0;
  return (
    <div className="flex flex-col gap-4 sm:gap-6">
      <div>
        <h1 className="text-24 font-semibold">{t('Billing Information')}</h1>
        {!hasNone && (
          <p className="mt-2 max-w-prose text-muted">
            {t(
              'To pay a balance or change how a unit is paid, choose Setup or Update beside it. What is due is paid first; autopay then takes the rent when it is due. You can also pay once, without autopay.',
            )}
          </p>
        )}
      </div>
      <Card title={t('Units and payment methods')}>
        {session && <Units tenantId={session.currentTenantId} />}
      </Card>
      {session && <BelowUnits tenantId={session.currentTenantId} />}
    </div>
  );
}

/**
 * Comes when all that is above it is known: its heights would move it. What is in it asks for
 * nothing itself: a call that failed would be sent again by everything that comes, and take it away
 * again.
 */
function BelowUnits({ tenantId }: { tenantId: string }) {
  const { data: facility, isLoading: isFacilityLoading } = useGetFacilityQuery();
  const { data: ledgers, isLoading } = useListLedgersQuery([tenantId]);
  const { data: autopays, isLoading: isAutopayLoading } = useListAutopaysQuery(tenantId);
  if (isLoading || isFacilityLoading || isAutopayLoading) return null;
  return (
    <>
      {facility?.cardFee && ledgers?.length !== 0 && (
        <p className="flex max-w-prose gap-2 text-15 text-muted sm:-mt-2">
          <Icon name="info" className="mt-0.5 size-5" />
          <span>{`${cardFeeNotice()} ${cardFeeDetails(formatMoney(facility.cardFeeAmount))}`}</span>
        </p>
      )}
      {/* The table above says when they could not be loaded. */}
      {ledgers && autopays && <AutopayUnits ledgers={ledgers} autopays={autopays} />}
    </>
  );
}

function ExplainedCharge({ record }: { record: Autopay }) {
  return (
    <>
      <NextCharge record={record} />
      <WhyThisAmount record={record} />
    </>
  );
}

/** `?ledger=ID` asks for the payment of a rental, `?ledger=all` for that of all that owe. */
function askedIn(search: string): AskedPayment | null {
  const ledgerId = new URLSearchParams(search).get('ledger');
  if (ledgerId === null) return null;
  return ledgerId === 'all' ? { ledgerId: null, isAll: true } : { ledgerId, isAll: false };
}

/** Good news above the table, of all rentals together. */
function NothingDue() {
  return (
    <p className="mb-4 flex items-center gap-2 font-medium text-good">
      <Icon name="check-circle" />
      {t('Nothing is due')}
    </p>
  );
}

function Units({ tenantId }: { tenantId: string }) {
  const { data: ledgers, error, isFetching, refetch } = useListLedgersQuery([tenantId]);
  if (ledgers) {
    if (ledgers.length === 0) return <NoRentals />;
    return (
      <>
        {ledgers.every(({ balance }) => balance <= 0) && <NothingDue />}
        <BillingTable
          tenantId={tenantId}
          ledgers={ledgers}
          NextCharge={ExplainedCharge}
          GateAccess={GateAccess}
          asked={askedIn(location.search)}
          onClosed={() => history.replaceState(history.state, '', location.pathname)}
        />
      </>
    );
  }
  if (error === undefined || isFetching)
    return <Skeleton className="-mt-2 h-122 sm:mt-0 sm:h-60" />;
  return (
    <LoadFailure onTryAgain={refetch}>
      {t('There was an issue loading the rental data')}
    </LoadFailure>
  );
}
