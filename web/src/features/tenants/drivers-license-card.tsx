import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { stateName } from '@gatehouse/contract/states';
import type { Tenant } from '@gatehouse/contract/tenants';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { useGetTenantQuery } from '#api/tenants.ts';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { Icon } from '#ui/icons.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenCard } from '#ui/open-card.tsx';
import { DriversLicenseDialog, fetchDriversLicenseForm } from './drivers-license-dialog.tsx';

/** The Driver's License card: added where there is none, else changed by the facility only. */
export function DriversLicenseCard({ tenantId }: { tenantId: string }) {
  const load = useGetTenantQuery(tenantId);
  const [isOpen, setOpen] = useState(false);
  const isMissing = load.data?.driversLicenseNumber === null;
  return (
    <OpenCard
      id="license"
      title={t("Driver's License")}
      isWanting={load.error !== undefined || isMissing}
      summary={load.data && (isMissing ? <NoneOnFile /> : licenseOf(load.data))}
      actions={
        isMissing ? (
          <OpenButton
            label={t('Add')}
            about={t("driver's license")}
            variant="primary"
            fetchAhead={fetchDriversLicenseForm}
            onOpen={() => setOpen(true)}
          />
        ) : undefined
      }
    >
      <Loadable
        load={load}
        failure={t("The driver's license could not be loaded.")}
        skeleton="h-6 w-full"
      >
        {(tenant) =>
          tenant.driversLicenseNumber === null ? (
            <p className="text-muted">
              {t('Your lease asks for it. Afterwards we show only its last digits.')}
            </p>
          ) : (
            <WhoChangesIt />
          )
        }
      </Loadable>
      <DialogPlace>
        {isOpen && <DriversLicenseDialog tenantId={tenantId} onClose={() => setOpen(false)} />}
      </DialogPlace>
    </OpenCard>
  );
}

function NoneOnFile() {
  return (
    <span className="flex items-center gap-1.5 text-bad">
      <Icon name="alert" className="size-5" />
      <span>{t('None on file')}</span>
    </span>
  );
}

/** Its number as the server masks it, and its state. */
function licenseOf({ driversLicenseNumber: number, driversLicenseState: state }: Tenant): string {
  return state === null ? `${number}` : `${number}, ${stateName(state)}`;
}

/** Only the facility changes it; with its number, once it is known and where there is one. */
function WhoChangesIt() {
  const { data: facility } = useGetFacilityQuery();
  return (
    <p className="text-muted">
      {facility?.phone ? (
        <span>
          {rich('To change it, please call the facility at {phone}.', {
            phone: (
              <a href={phoneHref(facility.phone)} className="link whitespace-nowrap">
                {formatPhone(facility.phone)}
              </a>
            ),
          })}
        </span>
      ) : (
        <span>{t('To change it, please call the facility.')}</span>
      )}
    </p>
  );
}
