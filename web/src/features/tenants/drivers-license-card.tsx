import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { stateName } from '@gatehouse/contract/states';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { useGetTenantQuery } from '#api/tenants.ts';
import { Card } from '#ui/card.tsx';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { Fact, Facts } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { DriversLicenseDialog, fetchDriversLicenseForm } from './drivers-license-dialog.tsx';

/** The Driver's License card: added where there is none, else changed by the facility only. */
export function DriversLicenseCard({ tenantId }: { tenantId: string }) {
  const load = useGetTenantQuery(tenantId);
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={t("Driver's License")}
      actions={
        load.data?.driversLicenseNumber === null ? (
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
        skeleton="h-30"
      >
        {({ driversLicenseNumber: number, driversLicenseState: state }) =>
          number === null ? (
            <Facts>
              <Fact label={t('Number')} state="missing">
                {t('None on file')}
              </Fact>
            </Facts>
          ) : (
            <>
              <Facts>
                <Fact label={t('Number')}>{number}</Fact>
                {state !== null && <Fact label={t('State')}>{stateName(state)}</Fact>}
              </Facts>
              <WhoChangesIt />
            </>
          )
        }
      </Loadable>
      <DialogPlace>
        {isOpen && <DriversLicenseDialog tenantId={tenantId} onClose={() => setOpen(false)} />}
      </DialogPlace>
    </Card>
  );
}

/** Only the facility changes it; with its number, once it is known and where there is one. */
function WhoChangesIt() {
  const { data: facility } = useGetFacilityQuery();
  return (
    <p className="mt-4 text-muted">
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
