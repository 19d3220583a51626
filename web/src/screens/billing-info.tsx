import { type Autopay, listAutopays } from '@gatehouse/contract/autopay';
import { getFacility } from '@gatehouse/contract/facilities';
import { type Ledger, listLedgers } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { cardFeeDetails, cardFeeNotice } from '@gatehouse/contract/payment-methods';
import { t } from '@gatehouse/language/t';
import { useEffect } from 'react';
import { autopayOf } from '#api/autopay-record.ts';
import { autopayCalls, useListAutopaysQuery } from '#api/autopay.ts';
import { facilityCalls, useGetFacilityQuery } from '#api/facilities.ts';
import { firstRead, type FirstReads } from '#api/first-read.ts';
import { skipToken } from '#api/hooks.ts';
import { ledgerCalls, useListLedgersQuery } from '#api/ledgers.ts';
import { AutopayStanding } from '#features/autopay/autopay-standing.tsx';
import NoRentals from '#features/facilities/no-rentals.tsx';
import { GateAccess } from '#features/gate-access/gate-access.tsx';
import { BillingTable } from '#features/payments/billing-table.tsx';
import { askedIn } from '#features/payments/asked.ts';
import { chooseTenant } from '#session/session.ts';
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
  const { data: autopays } = useListAutopaysQuery(session ? session.currentTenantId : skipToken);
  const hasNone = ledgers?.length === 0;
  return (
    <div className="flex flex-col gap-4 sm:gap-6">
      <div>
        <h1 className="text-24 font-semibold">{t('Billing Information')}</h1>
        {!hasNone && <p className="mt-2 max-w-prose text-muted">{introOf(ledgers, autopays)}</p>}
      </div>
      <Card title={t('Units and payment methods')}>
        {/* Another record is another account: nothing of the last one stays in sight. */}
        {session && <Units key={session.currentTenantId} tenantId={session.currentTenantId} />}
      </Card>
      {session && <CardFee key={session.currentTenantId} tenantId={session.currentTenantId} />}
    </div>
  );
}

/** What there is to do here: nothing, where nothing is due and autopay pays every unit. */
function introOf(ledgers: Ledger[] | undefined, autopays: Autopay[] = []): string {
  if (!ledgers?.every(({ balance }) => balance <= 0))
    return t(
      'Pay what is due, or let autopay take each bill on its due date. If something is due, Setup or Update pays it first.',
    );
  return ledgers.every(({ id }) => autopayOf(autopays, id).active)
    ? t('Autopay pays each bill on its due date.')
    : t('Let autopay take each bill on its due date.');
}

/** Comes when all that is above it is known: its heights would move it. */
function CardFee({ tenantId }: { tenantId: string }) {
  const { data: facility } = useGetFacilityQuery();
  const { data: ledgers, isLoading } = useListLedgersQuery([tenantId]);
  const { isLoading: isAutopayLoading } = useListAutopaysQuery(tenantId);
  if (isLoading || isAutopayLoading || !facility?.cardFee || ledgers?.length === 0) return null;
  return (
    <p className="flex max-w-prose gap-2 text-15 text-muted sm:-mt-2">
      <Icon name="info" className="mt-0.5 size-5" />
      <span>{`${cardFeeNotice()} ${cardFeeDetails(formatMoney(facility.cardFeeAmount))}`}</span>
    </p>
  );
}

const unitsLoading = <Skeleton className="-mt-2 h-190 sm:mt-0 sm:h-100" />;

function Units({ tenantId }: { tenantId: string }) {
  const { data: ledgers, error, isFetching, refetch } = useListLedgersQuery([tenantId]);
  // How each is paid makes its row: the table comes with it, or with why that is not known.
  const { isFetched } = useListAutopaysQuery(tenantId);
  if (ledgers && isFetched) return <AskedUnits tenantId={tenantId} ledgers={ledgers} />;
  if (error === undefined || isFetching) return unitsLoading;
  return (
    <LoadFailure onTryAgain={refetch}>
      {t('There was an issue loading the rental data')}
    </LoadFailure>
  );
}

/** The units of a record; an address about a rental of another one chooses that record first. */
function AskedUnits({ tenantId, ledgers }: { tenantId: string; ledgers: Ledger[] }) {
  const asked = askedIn(location.search);
  const ledgerId = new URLSearchParams(location.search).get('of') ?? asked?.ledgerId;
  const isElsewhere = ledgerId !== undefined && ledgers.every(({ id }) => id !== ledgerId);
  const tenants = useSession()?.tenants ?? [];
  const { data: all, error } = useListLedgersQuery(
    isElsewhere && tenants.length > 1 ? tenants.map(({ id }) => id) : skipToken,
  );
  const other = isElsewhere ? all?.find(({ id }) => id === ledgerId)?.tenantId : undefined;
  useEffect(() => {
    if (other !== undefined) chooseTenant(other);
  }, [other]);
  const isSought = isElsewhere && tenants.length > 1 && all === undefined && error === undefined;
  if (isSought || other !== undefined) return unitsLoading;
  if (ledgers.length === 0) return <NoRentals />;
  return (
    <BillingTable
      tenantId={tenantId}
      ledgers={ledgers}
      Standing={AutopayStanding}
      GateAccess={GateAccess}
      asked={asked}
      onClosed={() => history.replaceState(history.state, '', location.pathname)}
    />
  );
}
