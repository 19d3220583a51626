import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { ActionButton } from '#parts/action-dialog.tsx';
import { todayHere } from '#parts/today-here.ts';
import { UnitInput } from '#parts/unit-input.tsx';
import type { Rental } from './offers.tsx';

/** Another unit of the facility from a day on. */
export function Transfer({ rental, tenant }: { rental: Rental; tenant: TenantFile }) {
  if (rental.isEnded) return null;
  return (
    <ActionButton
      action={officeVerbs['rentals.transfer']}
      label="Transfer"
      given={{ ledgerId: rental.ledgerId }}
      defaultValues={{ on: todayHere() }}
      inputs={{ unit: <UnitInput label="To unit" locationCode={tenant.locationCode} /> }}
    />
  );
}
