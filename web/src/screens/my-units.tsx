import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { type ReactNode, useEffect, useState } from 'react';
import type { FirstReads } from '#api/first-read.ts';
import { useListLedgersQuery } from '#api/ledgers.ts';
import { overviewRead, useOverview } from '#api/overview.ts';
import { AutopayRow } from '#features/autopay/autopay-row.tsx';
import { ViewCharges } from '#features/charges/view-charges.tsx';
import { EsignRow } from '#features/esign/esign-row.tsx';
import { FacilityInformation } from '#features/facilities/facility-information.tsx';
import { GateAccessRow } from '#features/gate-access/gate-access-row.tsx';
import { GatePass, GatePassLoading } from '#features/gate-access/gate-pass.tsx';
import { InsuranceRow } from '#features/insurance/insurance-row.tsx';
import { BalanceRow } from '#features/ledgers/balance-row.tsx';
import { owingFirst } from '#features/ledgers/owing-first.ts';
import { type Fold, RentalCard } from '#features/ledgers/rental-card.tsx';
import { rowId } from '#features/ledgers/rental-checks.ts';
import { RentalNotifications } from '#features/ledgers/rental-notifications.tsx';
import { type Asked, askedIn } from '#features/payments/asked.ts';
import type { PaidHere } from '#features/payments/payment-outcome.tsx';
import { DriversLicenseRow } from '#features/tenants/drivers-license-row.tsx';
import { UnitContentsRow } from '#features/unit-contents/unit-contents-row.tsx';
import type { Session } from '#session/session.ts';
import { useSession } from '#session/use-session.ts';
import { buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { hrefOfClick } from '#ui/href-of-click.ts';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const noRentals = lazyPart(() => import('#features/facilities/no-rentals.tsx'));
const payDialog = lazyPart(() => import('#features/payments/pay-dialog.tsx'));
const paidNote = lazyPart(() => import('#features/payments/payment-outcome.tsx'));
const lastReceipt = lazyPart(() => import('#features/payments/last-receipt.tsx'));

export const reads: FirstReads = (session) => [overviewRead(session)];

/** My Units: above its three parts the gate pass, and what is due over all rentals. */
export default function MyUnits() {
  const session = useSession();
  return (
    <div className="-mt-2.5 flex flex-col gap-3 sm:mt-0 sm:gap-6">
      {session ? (
        // Another record is another account: nothing of the last one stays in sight.
        <Units key={session.currentTenantId} session={session} />
      ) : (
        unitsLoading
      )}
    </div>
  );
}

function Units({ session }: { session: Session }) {
  const { currentTenantId: tenantId } = session;
  useOverview(session);
  const { data: ledgers, error, isFetching, refetch } = useListLedgersQuery([tenantId]);
  if (ledgers === undefined) {
    if (error === undefined || isFetching) return unitsLoading;
    return (
      <>
        <Heading />
        <LoadFailure onTryAgain={refetch}>
          {t('There was an issue loading the rental data')}
        </LoadFailure>
        <FacilityInformation />
      </>
    );
  }
  if (ledgers.length === 0)
    return (
      <>
        <Heading />
        <FacilityInformation />
        <Card title={t('Current Rentals')}>
          <LazyContent part={noRentals} props={{}} skeleton={<Skeleton className="h-44" />} />
        </Card>
      </>
    );

  return (
    <>
      <Heading>
        <TotalDue ledgers={ledgers} />
      </Heading>
      <Rentals tenantId={tenantId} ledgers={ledgers} />
    </>
  );
}

/** The record's rentals; Pay opens its sheet over them, and what was paid shows here. */
function Rentals({ tenantId, ledgers }: { tenantId: string; ledgers: Ledger[] }) {
  const [asked, setAsked] = usePayHere();
  const [paid, setPaid] = useState<Omit<PaidHere, 'ledgers'> | null>(null);
  const [atFirst] = useState(ledgers);
  const ordered = owingFirst(ledgers, atFirst);
  const ledgerIds = ledgers.map(({ id }) => id);
  const foldOf = (ledger: Ledger): Fold => {
    const first = atFirst.find(({ id }) => id === ledger.id);
    if (first === undefined || ledgers.length < 4) return 'none';
    if (first.balance <= 0) return 'line';
    return ledgers.length < 7 ? 'none' : 'balance';
  };
  // The last whole card and the last closed one, where it has no neighbour.
  const isWhole = (ledger: Ledger) => foldOf(ledger) === 'none';
  const wide = [ordered.filter(isWhole), ordered.filter((one) => !isWhole(one))]
    .filter(({ length }) => length % 2 === 1)
    .map((cards) => cards.at(-1));
  return (
    <>
      {paid && <LazyContent part={paidNote} props={{ paidHere: { ...paid, ledgers } }} isQuiet />}
      <GatePass ledgers={ordered} isHeld={asked !== null} paidId={paid?.paid.units[0]?.ledgerId} />
      <FacilityInformation />
      <Card title={t('Rental Notifications')} className="max-sm:px-3! max-sm:py-3!">
        <RentalNotifications ledgers={ordered} ledgerIds={ledgerIds} />
      </Card>
      <CurrentRentals>
        {ordered.map((ledger) => (
          <Rental
            key={ledger.id}
            ledger={ledger}
            ledgerIds={ledgerIds}
            isWide={wide.includes(ledger)}
            fold={foldOf(ledger)}
          />
        ))}
      </CurrentRentals>
      {asked && (
        <LazyContent
          part={payDialog}
          skeleton={null}
          props={{
            asked,
            tenantId,
            ledgers,
            onClose: () => setAsked(null),
            onPaid: (taken, isAutopaySaved) => {
              setPaid({ paid: taken, isAutopaySaved });
              setAsked(null);
            },
          }}
        />
      )}
    </>
  );
}

/** What a link of this page to a payment asks for: its sheet opens here, not on Billing Info. */
function usePayHere() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    function open(event: MouseEvent) {
      const [path, search] = hrefOfClick(event)?.split('?') ?? [];
      const wanted = path === '/billing-info' ? askedIn(search ?? '') : null;
      if (wanted?.kind !== 'pay') return;
      event.preventDefault();
      setAsked(wanted);
    }
    // Ahead of the router's.
    document.addEventListener('click', open, true);
    return () => document.removeEventListener('click', open, true);
  }, []);
  return [asked, setAsked] as const;
}

/** The heading, and next to it what is due, for which it has room from the start. */
function Heading({ children }: { children?: ReactNode }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:-my-2">
      <h1 className="text-24 font-semibold">{t('My Units')}</h1>
      {children}
    </div>
  );
}

/** What is due over all rentals, where there are several. */
function TotalDue({ ledgers }: { ledgers: Ledger[] }) {
  const owed = ledgers.map(({ balance }) => balance).filter((balance) => balance > 0);
  if (ledgers.length < 2 || owed.length === 0) return null;
  const sum = formatMoney(sumDollars(owed));
  return (
    <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
      <p className="text-right leading-tight">
        <span className="text-15 text-muted">{t('Total due')}</span>{' '}
        <span className="block text-24 font-semibold text-bad tabular-nums sm:inline">{sum}</span>
      </p>
      <a
        href="/billing-info?ledger=all"
        className={buttonClass('primary', 'px-4! max-sm:min-h-11!')}
      >
        {owed.length > 1 ? t('Pay all') : t('Pay {sum}', { sum })}
      </a>
    </div>
  );
}

type RentalsProps = { children: ReactNode; isBusy?: boolean };

function CurrentRentals({ children, isBusy = false }: RentalsProps) {
  return (
    <section
      aria-labelledby="current-rentals"
      aria-busy={isBusy}
      className="@container flex flex-col gap-3 sm:gap-4"
    >
      <h2 id="current-rentals" className="text-20 font-semibold">
        {t('Current Rentals')}
      </h2>
      <div className="grid grid-cols-1 gap-x-4 lg:grid-cols-2 *:mb-3 sm:*:mb-4">{children}</div>
    </section>
  );
}

/** A rental's card with its rows in the spec's order. */
function Rental({
  ledger,
  ledgerIds,
  isWide,
  fold,
}: {
  ledger: Ledger;
  ledgerIds: string[];
  isWide: boolean;
  fold: Fold;
}) {
  return (
    <RentalCard ledger={ledger} isWide={isWide} fold={fold}>
      <BalanceRow
        ledger={ledger}
        viewCharges={<ViewCharges ledger={ledger} />}
        lastReceipt={<LazyContent part={lastReceipt} props={{ ledger }} isQuiet />}
      />
      <GateAccessRow ledger={ledger} />
      <AutopayRow ledger={ledger} />
      <EsignRow ledger={ledger} id={rowId('esign', ledger.id)} />
      <InsuranceRow ledger={ledger} ledgerIds={ledgerIds} id={rowId('insurance', ledger.id)} />
      <UnitContentsRow ledger={ledger} id={rowId('unit-contents', ledger.id)} />
      <DriversLicenseRow tenantId={ledger.tenantId} />
    </RentalCard>
  );
}

/**
 * The frames of what loads, with about its heights. Each is one thing to animate: the first paint
 * waits for all. No component: the heading, and with it the focus, stays when the data arrive.
 */
const unitsLoading = (
  <>
    <Heading />
    <GatePassLoading />
    <FacilityInformation />
    <Card title={t('Rental Notifications')} className="max-sm:px-3! max-sm:py-3!">
      <Skeleton className="-my-2 h-33 sm:h-36" />
    </Card>
    <CurrentRentals isBusy>
      <Skeleton className="h-127" />
      <Skeleton className="h-127" />
    </CurrentRentals>
  </>
);
