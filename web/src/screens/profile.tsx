import { t } from '@gatehouse/language/t';
import { AlternateContactCard } from '#features/tenants/alternate-contact-card.tsx';
import { DriversLicenseCard } from '#features/tenants/drivers-license-card.tsx';
import { PrimaryContactCard } from '#features/tenants/primary-contact-card.tsx';
import { UnitSelector } from '#features/tenants/unit-selector.tsx';
import type { Session } from '#session/session.ts';
import { useSession } from '#session/use-session.ts';

export default function Profile() {
  const session = useSession();
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-24 font-semibold">{t('Profile')}</h1>
      {session && session.tenants.length > 1 && <UnitSelector session={session} />}
      {/* Another record is another profile: nothing of the last one stays in sight. */}
      {session && <Record key={session.currentTenantId} tenantId={session.currentTenantId} />}
    </div>
  );
}

function Record({ tenantId }: { tenantId: Session['currentTenantId'] }) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <PrimaryContactCard tenantId={tenantId} />
      <div className="flex flex-col gap-4">
        <AlternateContactCard tenantId={tenantId} />
        <DriversLicenseCard tenantId={tenantId} />
      </div>
    </div>
  );
}
