import { t } from '@gatehouse/language/t';
import { CalendarCard } from '#features/calendar-feed/calendar-card.tsx';
import { RemindersCard } from '#features/reminders/reminders-card.tsx';
import { RequestsCard } from '#features/requests/requests-card.tsx';
import { LanguageCard } from '#features/session/language-card.tsx';
import { DriversLicenseCard } from '#features/tenants/drivers-license-card.tsx';
import { useRecordNames } from '#features/tenants/use-record-names.ts';
import { PapersCard } from '#features/vehicle-papers/papers-card.tsx';
import type { Session } from '#session/session.ts';
import { useSession } from '#session/use-session.ts';

/**
 * Account Management: the driver's license, below it the papers of what is stored, what was asked
 * of the facility, the reminders, the language, and the private calendar.
 */
export default function Account() {
  const session = useSession();
  return (
    <div className="flex flex-col gap-4 sm:gap-6">
      <h1 className="text-24 font-semibold">{t('Account Management')}</h1>
      {session && (
        <DriversLicenseCard key={session.currentTenantId} tenantId={session.currentTenantId} />
      )}
      {session && (
        <PapersCard
          key={`papers of ${session.currentTenantId}`}
          tenantId={session.currentTenantId}
        />
      )}
      {session && <Requests tenants={session.tenants} />}
      {session && (
        <RemindersCard
          key={`reminders of ${session.currentTenantId}`}
          tenantId={session.currentTenantId}
        />
      )}
      {session && (
        <LanguageCard
          key={`language of ${session.currentTenantId}`}
          tenantId={session.currentTenantId}
        />
      )}
      {session && (
        <CalendarCard
          key={`calendar of ${session.currentTenantId}`}
          tenantId={session.currentTenantId}
        />
      )}
    </div>
  );
}

function Requests({ tenants }: Pick<Session, 'tenants'>) {
  const tenantIds = tenants.map(({ id }) => id);
  const { names } = useRecordNames(tenantIds);
  const nameOf = (tenantId: string) => names?.find(({ id }) => id === tenantId)?.name;
  return (
    <RequestsCard
      tenantIds={tenantIds}
      // One record needs no name.
      nameOf={(tenantId) => (tenants.length > 1 ? nameOf(tenantId) : undefined)}
    />
  );
}
