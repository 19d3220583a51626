import { t } from '@gatehouse/language/t';
import { PasskeysCard } from '#features/session/passkeys-card.tsx';
import { SessionsCard } from '#features/session/sessions-card.tsx';
import { AlternateContactCard } from '#features/tenants/alternate-contact-card.tsx';
import { DriversLicenseCard } from '#features/tenants/drivers-license-card.tsx';
import { PrimaryContactCard } from '#features/tenants/primary-contact-card.tsx';
import { UnitSelector } from '#features/tenants/unit-selector.tsx';
import type { Session } from '#session/session.ts';
import { useSession } from '#session/use-session.ts';

export default function Profile() {
  const session = useSession();
  return (
    <div className="flex flex-col gap-4 sm:gap-6">
      <h1 className="text-24 font-semibold">{t('Profile')}</h1>
      {session && session.tenants.length > 1 && <UnitSelector session={session} />}
      {/* Another record is another profile: nothing of the last one stays in sight. */}
      {session && <Record key={session.currentTenantId} tenantId={session.currentTenantId} />}
      {session && (
        <div className={pairs}>
          <PasskeysCard />
          <SessionsCard />
        </div>
      )}
      <a href="/account" className="link inline-flex min-h-11 items-center self-start">
        {t('Your requests to the facility')}
      </a>
    </div>
  );
}

/** Cards side by side are of one height, with their actions on one line. */
const pairs =
  'grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-2 [&_section]:flex [&_section]:flex-col';

function Record({ tenantId }: { tenantId: Session['currentTenantId'] }) {
  return (
    <div className={pairs}>
      <PrimaryContactCard tenantId={tenantId} />
      <div className="flex flex-col gap-4 sm:gap-6 *:flex-auto">
        <AlternateContactCard tenantId={tenantId} />
        <DriversLicenseCard tenantId={tenantId} />
      </div>
    </div>
  );
}
