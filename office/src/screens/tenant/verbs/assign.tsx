import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { ActionButton } from '#parts/action-dialog.tsx';
import { TenantInput } from '#parts/tenant-input.tsx';
import type { Rental } from './offers.tsx';

/** The rental goes to another record of the facility. */
export function Assign({ rental, tenant }: { rental: Rental; tenant: TenantFile }) {
  if (rental.isEnded) return null;
  return (
    <ActionButton
      action={officeVerbs['rentals.assign']}
      label="Assign to another tenant"
      explanation="From today on, with what is owed, the deposit and rent ahead. Add the other record first."
      given={{ ledgerId: rental.ledgerId }}
      inputs={{
        toTenantId: (
          <TenantInput
            source="toTenantId"
            label="To"
            locationCode={tenant.locationCode}
            exceptId={tenant.id}
          />
        ),
      }}
      isDanger
    />
  );
}
