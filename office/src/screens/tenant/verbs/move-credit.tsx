import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { SelectInput, required } from 'react-admin';
import { anyAction } from '#parts/action-dialog.tsx';
import type { OfRental } from './offers.tsx';

/** An open credit goes to another rental of the record. */
export function moveCredit({ rental, tenant }: OfRental) {
  const others = tenant.ledgers.filter(({ ledgerId }) => ledgerId !== rental.ledgerId);
  if (others.length === 0 || rental.balance >= 0) return null;
  return anyAction({
    action: officeVerbs['credits.move'],
    label: 'Move the credit',
    given: { fromLedgerId: rental.ledgerId },
    defaultValues: { amount: (-rental.balance).toFixed(2) },
    inputs: {
      toLedgerId: (
        <SelectInput
          source="toLedgerId"
          label="To"
          validate={required()}
          choices={others.map(({ ledgerId, unitName }) => ({ id: ledgerId, name: unitName }))}
        />
      ),
    },
  });
}
