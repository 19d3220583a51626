import type { BookLine } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { RadioButtonGroupInput, TextInput, required } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { anyAction } from '#parts/action-dialog.tsx';

const counterTypes = ['cash', 'check', 'moneyOrder'];

/** A payment goes back: through the gateway that took it, in cash or by check. */
export function refund({ line: { kind, receiptNumber, paidBy }, hasRest }: Props) {
  if (kind !== 'payment' || receiptNumber === null || !hasRest) return null;
  const isCounter = paidBy !== null && counterTypes.includes(paidBy);
  return anyAction({
    action: officeVerbs['payments.refund'],
    label: 'Refund',
    explanation: 'What the payment had paid is owed again.',
    given: (form) =>
      form.text('way') === GATEWAY ? { receiptNumber, way: undefined } : { receiptNumber },
    defaultValues: { way: isCounter ? 'cash' : GATEWAY },
    inputs: {
      way: (
        <RadioButtonGroupInput
          source="way"
          label="Given back"
          choices={[
            ...(isCounter ? [] : [{ id: GATEWAY, name: 'To the card or account' }]),
            { id: 'cash', name: 'In cash' },
            { id: 'check', name: 'By check' },
          ]}
        />
      ),
      number: <CheckNumber />,
    },
    isDanger: true,
  });
}

type Props = { line: BookLine; hasRest: boolean };

/** The way back that no body names. */
const GATEWAY = 'gateway';

/** The number of the check that money is given back by. */
export function CheckNumber() {
  const way: unknown = useWatch({ name: 'way' });
  if (way !== 'check') return null;
  return <TextInput source="number" label="Check number" validate={required()} shouldUnregister />;
}
