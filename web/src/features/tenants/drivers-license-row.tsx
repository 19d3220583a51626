import { stateName } from '@gatehouse/contract/states';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useGetTenantQuery } from '#api/tenants.ts';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { DriversLicenseDialog, fetchDriversLicenseForm } from './drivers-license-dialog.tsx';

/**
 * The tenant's driver's license, its number masked by the server; it can be added where there is
 * none.
 */
export function DriversLicenseRow({ tenantId }: { tenantId: string }) {
  const load = useGetTenantQuery(tenantId);
  const [isOpen, setOpen] = useState(false);
  const number = load.data?.driversLicenseNumber;
  return (
    <Fact
      label={t("Driver's License (Required)")}
      state={number === undefined ? 'none' : number === null ? 'missing' : 'done'}
      saved={number === undefined ? undefined : String(number)}
      action={
        number === null ? (
          <OpenButton
            label={t('Add')}
            about={t("driver's license")}
            variant="soft"
            fetchAhead={fetchDriversLicenseForm}
            onOpen={() => setOpen(true)}
          />
        ) : undefined
      }
    >
      <Loadable load={load} failure={t("The driver's license could not be loaded.")}>
        {({ driversLicenseNumber, driversLicenseState: state }) =>
          driversLicenseNumber === null ? (
            <span className="inline-block">{t('None on file')}</span>
          ) : (
            <span>{`${driversLicenseNumber}${state === null ? '' : `, ${stateName(state)}`}`}</span>
          )
        }
      </Loadable>
      <DialogPlace>
        {isOpen && <DriversLicenseDialog tenantId={tenantId} onClose={() => setOpen(false)} />}
      </DialogPlace>
    </Fact>
  );
}
