import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { stateName } from '@gatehouse/contract/states';
import { useState } from 'react';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { useGetTenantQuery } from '#api/tenants.ts';
import { Card } from '#ui/card.tsx';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { Fact, Facts } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { DriversLicenseDialog, fetchDriversLicenseForm } from './drivers-license-dialog.tsx';

/**
 * The Driver's License card: added where there is none, else changed by the facility alone (spec
 * section 5).
 */
export function DriversLicenseCard({ tenantId }: { tenantId: string }) {
  const load = useGetTenantQuery(tenantId);
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Driver's License"
      actions={
        load.data?.driversLicenseNumber === null ? (
          <OpenButton
            label="Add"
            about="driver's license"
            variant="primary"
            fetchAhead={fetchDriversLicenseForm}
            onOpen={() => setOpen(true)}
          />
        ) : undefined
      }
    >
      <Loadable load={load} failure="The driver's license could not be loaded." skeleton="h-30">
        {({ driversLicenseNumber: number, driversLicenseState: state }) =>
          number === null ? (
            <Facts>
              <Fact label="Number" state="missing">
                None on file
              </Fact>
            </Facts>
          ) : (
            <>
              <Facts>
                <Fact label="Number">{number}</Fact>
                {state !== null && <Fact label="State">{stateName(state)}</Fact>}
              </Facts>
              <p className="mt-4 text-muted">
                To change it, please call <FacilityPhone />.
              </p>
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

/** The facility with its number, once it is known and where there is one. */
function FacilityPhone() {
  const { data: facility } = useGetFacilityQuery();
  if (!facility?.phone) return 'the facility';
  return (
    <>
      the facility at{' '}
      <a href={phoneHref(facility.phone)} className="link whitespace-nowrap">
        {formatPhone(facility.phone)}
      </a>
    </>
  );
}
