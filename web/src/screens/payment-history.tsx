import { getFacility } from '@gatehouse/contract/facilities';
import { idLists } from '@gatehouse/contract/id-lists';
import { type Ledger, listLedgers } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { facilityCalls } from '#api/facilities.ts';
import { firstRead, type FirstReads } from '#api/first-read.ts';
import { ledgerCalls, useListLedgersQuery } from '#api/ledgers.ts';
import { useListPaymentsQuery } from '#api/payments.ts';
import NoRentals from '#features/facilities/no-rentals.tsx';
import { PastPayments } from '#features/payments/past-payments.tsx';
import { PaymentHistoryTable } from '#features/payments/payment-history-table.tsx';
import { Statements } from '#features/payments/statements.tsx';
import { YearStatements } from '#features/payments/year-statements.tsx';
import type { Session } from '#session/session.ts';
import { useSession } from '#session/use-session.ts';
import { Card } from '#ui/card.tsx';
import { SelectField } from '#ui/field.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export const reads: FirstReads = (session) => {
  const ids = session.tenants.map(({ id }) => id);
  const [tenantIds = '', ...more] = idLists(ids);
  return [
    // Where it takes several calls, the screen makes them.
    ...(more.length === 0
      ? [firstRead(session, ledgerCalls.listLedgers, ids, listLedgers, { tenantIds })]
      : []),
    firstRead(session, facilityCalls.getFacility, undefined, getFacility),
  ];
};

export default function PaymentHistory() {
  const session = useSession();
  return (
    <div className="flex flex-col gap-4 sm:gap-6">
      <h1 className="text-24 font-semibold">{t('Payment History')}</h1>
      {session && <Units tenants={session.tenants} />}
    </div>
  );
}

/** The units of all tenant records of the sign-in. */
function Units({ tenants }: Pick<Session, 'tenants'>) {
  const {
    data: ledgers,
    error,
    isFetching,
    refetch,
  } = useListLedgersQuery(tenants.map(({ id }) => id));
  if (ledgers) {
    const [first] = ledgers;
    if (first === undefined)
      return (
        <>
          <Card title={t('Payments')}>
            <NoRentals />
          </Card>
          {tenants.map(({ id }) => (
            <Papers key={id} tenantId={id} unitNames={[]} />
          ))}
        </>
      );
    return <History tenants={tenants} ledgers={ledgers} first={first} />;
  }
  if (error === undefined || isFetching) return <Skeleton className="h-160" />;
  return (
    <LoadFailure onTryAgain={refetch}>
      {t('Error loading unit names. Please refresh the page.')}
    </LoadFailure>
  );
}

type HistoryProps = Pick<Session, 'tenants'> & { ledgers: Ledger[]; first: Ledger };

function History({ tenants, ledgers, first }: HistoryProps) {
  const [chosenId, choose] = useState(first.id);
  const ledger = ledgers.find(({ id }) => id === chosenId) ?? first;
  const { isLoading } = useListPaymentsQuery(ledger.id);
  const unitNamesOf = (tenantId: string) =>
    ledgers.filter((one) => one.tenantId === tenantId).map(({ unitName }) => unitName);
  // A record without rentals has no unit to choose.
  const ended = tenants.filter(({ id }) => unitNamesOf(id).length === 0).map(({ id }) => id);
  return (
    <>
      <div className="sm:max-w-80">
        <SelectField
          label={t('Unit')}
          options={ledgers.map(({ id, unitName }) => ({ value: id, label: unitName }))}
          value={ledger.id}
          onChange={({ target }) => choose(target.value)}
        />
      </div>
      <Card title={t('Payments')}>
        <PaymentHistoryTable key={ledger.id} ledgerId={ledger.id} unitName={ledger.unitName} />
      </Card>
      {/* Under the table once its height is known. */}
      {!isLoading &&
        [ledger.tenantId, ...ended].map((id) => (
          <Papers key={id} tenantId={id} unitNames={unitNamesOf(id)} />
        ))}
    </>
  );
}

/** What a tenant record has besides the payments of its units. */
function Papers(record: { tenantId: string; unitNames: string[] }) {
  return (
    <>
      <Statements {...record} />
      <PastPayments tenantId={record.tenantId} />
      <YearStatements tenantId={record.tenantId} />
    </>
  );
}
