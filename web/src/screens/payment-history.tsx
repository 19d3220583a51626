import { getFacility } from '@gatehouse/contract/facilities';
import { idLists } from '@gatehouse/contract/id-lists';
import { type Ledger, listLedgers } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { facilityCalls } from '#api/facilities.ts';
import { firstRead, type FirstReads } from '#api/first-read.ts';
import { ledgerCalls, useListLedgersQuery } from '#api/ledgers.ts';
import { useListPaymentsQuery } from '#api/payments.ts';
import { PastPayments } from '#features/payments/past-payments.tsx';
import { PaymentHistoryTable } from '#features/payments/payment-history-table.tsx';
import { Statements } from '#features/payments/statements.tsx';
import { YearStatements } from '#features/payments/year-statements.tsx';
import { chooseTenant, type Session } from '#session/session.ts';
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
      {session && <Units {...session} />}
    </div>
  );
}

/** The units of all tenant records of the sign-in, those of the record in view first. */
function Units({ tenants, currentTenantId }: Session) {
  const {
    data: ledgers,
    error,
    isFetching,
    refetch,
  } = useListLedgersQuery(tenants.map(({ id }) => id));
  if (ledgers) {
    const first = ledgers.find(({ tenantId }) => tenantId === currentTenantId);
    if (first === undefined)
      return (
        <>
          <p className="text-muted">{t('You are not currently renting any units')}</p>
          <Papers key={currentTenantId} tenantId={currentTenantId} unitNames={[]} />
        </>
      );
    return <History ledgers={ledgers} first={first} />;
  }
  if (error === undefined || isFetching) return <Skeleton className="h-140" />;
  return (
    <LoadFailure onTryAgain={refetch}>
      {t('Error loading unit names. Please refresh the page.')}
    </LoadFailure>
  );
}

type HistoryProps = {
  ledgers: Ledger[];
  /** The first of the record in view. */
  first: Ledger;
};

function History({ ledgers, first }: HistoryProps) {
  const { tenantId } = first;
  const [chosenId, setChosenId] = useState(first.id);
  const own = ledgers.filter((one) => one.tenantId === tenantId);
  const ledger = own.find(({ id }) => id === chosenId) ?? first;
  const { isLoading } = useListPaymentsQuery(ledger.id);

  /** A unit of another record puts that in view too. */
  function choose(id: string) {
    setChosenId(id);
    const chosen = ledgers.find((one) => one.id === id);
    if (chosen) chooseTenant(chosen.tenantId);
  }
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
      {!isLoading && (
        <Papers
          key={tenantId}
          tenantId={tenantId}
          unitNames={own.map(({ unitName }) => unitName)}
        />
      )}
    </>
  );
}

/** What a record has besides the payments of its units; of one without, what it paid first. */
function Papers(record: { tenantId: string; unitNames: string[] }) {
  const past = <PastPayments tenantId={record.tenantId} />;
  const isPast = record.unitNames.length === 0;
  return (
    <>
      {isPast && past}
      <Statements {...record} />
      {!isPast && past}
      <YearStatements tenantId={record.tenantId} />
    </>
  );
}
