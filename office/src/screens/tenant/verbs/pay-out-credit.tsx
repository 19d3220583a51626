import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { RadioButtonGroupInput } from 'react-admin';
import { anyAction } from '#parts/action-dialog.tsx';
import type { OfRental } from './offers.tsx';
import { CheckNumber } from './refund.tsx';

/** An open credit that no card or account can get back. */
export function payOutCredit({ rental }: OfRental) {
  if (rental.balance >= 0) return null;
  return anyAction({
    action: officeVerbs['credits.payOut'],
    label: 'Pay out the credit',
    explanation:
      'What was paid by card or from a bank account goes back there: refund that payment instead.',
    given: { ledgerId: rental.ledgerId },
    defaultValues: { way: 'check' },
    inputs: {
      way: (
        <RadioButtonGroupInput
          source="way"
          label="Paid out"
          choices={[
            { id: 'check', name: 'By check' },
            { id: 'cash', name: 'In cash' },
          ]}
        />
      ),
      number: <CheckNumber />,
    },
    isDanger: true,
  });
}
