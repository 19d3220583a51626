import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useListLedgersQuery } from '#api/ledgers.ts';
import NoRentals from '#features/facilities/no-rentals.tsx';
import { MaintenanceForm } from '#features/maintenance/maintenance-form.tsx';
import { RequestSent } from '#features/maintenance/sent.tsx';
import type { Sent } from '#features/maintenance/use-send-request.ts';
import type { Session } from '#session/session.ts';
import { useSession } from '#session/use-session.ts';
import { Alert } from '#ui/alert.tsx';
import { Card, cardClass } from '#ui/card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export default function MaintenanceRequest() {
  const session = useSession();
  return (
    <div className="flex flex-col gap-4 sm:gap-6 lg:max-w-2xl">
      <h1 className="text-24 font-semibold">{t('Maintenance Request')}</h1>
      {session && <Request tenants={session.tenants} />}
    </div>
  );
}

/** For the units of all tenant records of the sign-in. */
function Request({ tenants }: Pick<Session, 'tenants'>) {
  const { data: ledgers, error } = useListLedgersQuery(tenants.map(({ id }) => id));
  const [sent, setSent] = useState<Sent | null>(null);
  const [isAnother, setAnother] = useState(false);
  if (ledgers === undefined) {
    if (error)
      return <Alert tone="bad">{t('Error loading unit names. Please refresh the page.')}</Alert>;
    return <Skeleton className="h-140" />;
  }
  if (ledgers.length === 0)
    return (
      <section className={cardClass}>
        <NoRentals />
      </section>
    );

  function sendAnother() {
    setSent(null);
    setAnother(true);
  }
  return (
    <Card title={sent ? t('Request sent') : t('What needs repair?')}>
      {sent ? (
        <RequestSent sent={sent} onAgain={sendAnother} />
      ) : (
        <MaintenanceForm
          ledgers={ledgers}
          // `?ledger=ID`, as a rental's card has it.
          askedId={new URLSearchParams(location.search).get('ledger')}
          focus={isAnother}
          onSent={setSent}
        />
      )}
    </Card>
  );
}
