import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { anyAction } from '#parts/action-dialog.tsx';
import { TenantInput } from '#parts/tenant-input.tsx';
import type { OfRental } from './offers.tsx';

/** The rental goes to another record of the facility. */
export function assign({ rental, tenant: { id, locationCode } }: OfRental) {
  if (rental.isEnded) return null;
  return anyAction({
    action: officeVerbs['rentals.assign'],
    label: 'Assign to another tenant',
    explanation:
      'From today on, with what is owed, the deposit and rent ahead. Add the other record first.',
    given: { ledgerId: rental.ledgerId },
    inputs: {
      toTenantId: (
        <TenantInput source="toTenantId" label="To" locationCode={locationCode} exceptId={id} />
      ),
    },
    isDanger: true,
  });
}
