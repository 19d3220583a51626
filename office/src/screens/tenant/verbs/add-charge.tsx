import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { SelectInput, required } from 'react-admin';
import { anyAction } from '#parts/action-dialog.tsx';
import { day } from '#parts/outcome.tsx';
import type { OfRecord } from './offers.tsx';

/** A charge on a rental, which is chosen where the record has more than one. */
export function addCharge({ tenant: { ledgers } }: OfRecord) {
  if (ledgers.length === 0) return null;
  const sorted = ledgers.toSorted((one, other) => Number(one.isEnded) - Number(other.isEnded));
  return anyAction({
    action: officeVerbs['charges.add'],
    label: 'Add a charge',
    variant: 'outlined',
    defaultValues: {
      category: 'service',
      ...(sorted.length === 1 && { ledgerId: sorted[0]!.ledgerId }),
    },
    given: (form) => ({ ledgerId: form.text('ledgerId') }),
    children: (
      <SelectInput
        source="ledgerId"
        label="Rental"
        validate={required('Name a rental.')}
        choices={sorted.map(({ ledgerId: id, unitName, isEnded, movedOutOn }) => ({
          id,
          name: isEnded ? `${unitName}, ended ${day(movedOutOn)}` : unitName,
        }))}
      />
    ),
  });
}
