import { t } from '@gatehouse/language/t';
import { CalendarCard } from '#features/calendar-feed/calendar-card.tsx';
import { RemindersCard } from '#features/reminders/reminders-card.tsx';
import { RequestsCard } from '#features/requests/requests-card.tsx';
import { LanguageCard } from '#features/session/language-card.tsx';
import { PasskeysCard } from '#features/session/passkeys-card.tsx';
import { SessionsCard } from '#features/session/sessions-card.tsx';
import { DriversLicenseCard } from '#features/tenants/drivers-license-card.tsx';
import { useRecordNames } from '#features/tenants/use-record-names.ts';
import { PapersCard } from '#features/unit-contents/papers-card.tsx';
import type { Session } from '#session/session.ts';
import { useSession } from '#session/use-session.ts';

/**
 * Account Management: short cards that open: the license, which the lease asks for, those of the
 * sign-in, then the others of the tenant record in view.
 */
export default function Account() {
  const session = useSession();
  return (
    <div className="flex flex-col gap-3">
      <h1 className="text-24 font-semibold sm:pb-3">{t('Account Management')}</h1>
      {session && (
        <>
          <DriversLicenseCard
            key={`license of ${session.currentTenantId}`}
            tenantId={session.currentTenantId}
          />
          <PasskeysCard />
          <SessionsCard />
          {/* Another record is another account: nothing of the last one stays in sight. */}
          <Record key={session.currentTenantId} session={session} />
        </>
      )}
    </div>
  );
}

function Record({ session: { currentTenantId: tenantId, tenants } }: { session: Session }) {
  return (
    <>
      <LanguageCard tenantId={tenantId} />
      <RemindersCard tenantId={tenantId} />
      <PapersCard tenantId={tenantId} />
      <CalendarCard tenantId={tenantId} />
      <Requests tenants={tenants} />
    </>
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
