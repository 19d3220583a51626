import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { anyAction } from '#parts/action-dialog.tsx';
import { todayAt } from '#parts/today-at.ts';
import { UnitInput } from '#parts/unit-input.tsx';
import type { OfRental } from './offers.tsx';

/** Another unit of the facility from a day on. */
export function transfer({ rental, tenant: { locationCode } }: OfRental) {
  if (rental.isEnded) return null;
  return anyAction({
    action: officeVerbs['rentals.transfer'],
    label: 'Transfer',
    given: { ledgerId: rental.ledgerId },
    defaultValues: { on: todayAt(locationCode) },
    inputs: { unit: <UnitInput label="To unit" locationCode={locationCode} /> },
  });
}
