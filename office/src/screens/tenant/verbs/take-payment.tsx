import type { recordPayment } from '@gatehouse/contract/counter-payments';
import { formatDate } from '@gatehouse/contract/dates';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { Stack, Typography } from '@mui/material';
import { useRef } from 'react';
import { BooleanInput, CheckboxGroupInput, TextInput, required } from 'react-admin';
import { useFormContext, useWatch } from 'react-hook-form';
import { anyAction } from '#parts/action-dialog.tsx';
import { Balances, Lines, Sentences } from '#parts/outcome.tsx';
import { ReceiptButton } from '../paper-buttons.tsx';
import type { OfRecord, Rental } from './offers.tsx';

/** Cash, check or money order over one or several rentals. */
export function takePayment({ tenant: { ledgers: rentals } }: OfRecord) {
  const owing = rentals
    .filter(({ balance }) => balance > 0)
    .toSorted((one, other) => other.daysPastDue - one.daysPastDue);
  const current = rentals.filter(({ isEnded }) => !isEnded);
  const choices = [...new Set([...owing, ...current])];
  if (choices.length === 0) return null;
  const due = sumDollars(owing.map(({ balance }) => balance));
  const offered = offeredOf(due);
  return anyAction({
    action: officeVerbs['payments.record'],
    label: 'Take a payment',
    variant: 'contained',
    explanation: `Owed in all: ${formatMoney(due)}. A payment settles the rentals in the order below.`,
    defaultValues: {
      ledgerIds: (owing.length > 0 ? owing : choices.slice(0, 1)).map(({ ledgerId }) => ledgerId),
      type: 'cash',
      amount: offered,
      why: 'Paid at the counter',
    },
    inputs: {
      ledgerIds: <PaidRentals choices={choices} first={offered} />,
      number: <PaperNumber />,
      waivesFees: <WaivesFees />,
    },
    describe: (reply, isDone) => (
      <Stack sx={{ gap: 1.5 }}>
        <Lines lines={linesOf(reply, choices)} />
        <Sentences action={officeVerbs['payments.record']} reply={reply} isDone={isDone} />
        <Balances ledgers={reply.ledgers} isDone={isDone} />
        {reply.receiptNumber !== null && <ReceiptButton receiptNumber={reply.receiptNumber} />}
        {isDone && <Typography>The receipt is mailed to the tenant.</Typography>}
      </Stack>
    ),
  });
}

/** What each rental gets, and the late fees that are waived with it. */
function linesOf({ payments, prevented }: VerbReply<typeof recordPayment>, choices: Rental[]) {
  const unitOf = (id: string) => choices.find(({ ledgerId }) => ledgerId === id)?.unitName;
  return [
    ...payments.map(({ ledgerId, amount }) => ({ label: unitOf(ledgerId) ?? 'Rental', amount })),
    ...prevented
      .filter(({ isWaived }) => isWaived)
      .map(({ description, dueOn, amount }) => ({
        label: `Waived: ${description} of ${formatDate(dueOn)}`,
        amount: -amount,
      })),
  ];
}

/** The amount that is offered; nothing where nothing is owed. */
function offeredOf(owed: number): string {
  return owed > 0 ? owed.toFixed(2) : '';
}

/** Which rentals are paid; until it is typed over, the amount is what they owe. */
function PaidRentals({ choices, first }: { choices: Rental[]; first: string }) {
  const { getValues, setValue } = useFormContext();
  const offered = useRef(first);
  function offer(chosen: unknown) {
    const ids = Array.isArray(chosen) ? (chosen as string[]) : [];
    if (getValues('amount') !== offered.current) return;
    const paid = choices.filter(({ ledgerId }) => ids.includes(ledgerId));
    offered.current = offeredOf(sumDollars(paid.map(({ balance }) => Math.max(0, balance))));
    setValue('amount', offered.current);
  }
  return (
    <CheckboxGroupInput
      source="ledgerIds"
      label="Rentals"
      validate={required('Name a rental.')}
      onChange={offer}
      choices={choices.map(({ ledgerId, unitName, balance }) => ({
        id: ledgerId,
        name: `${unitName}, ${balance > 0 ? `owes ${formatMoney(balance)}` : 'owes nothing'}`,
      }))}
    />
  );
}

/** Of a payment of today there are none. */
function WaivesFees() {
  const on: unknown = useWatch({ name: 'on' });
  if (typeof on !== 'string' || on === '') return null;
  return (
    <BooleanInput
      source="waivesFees"
      label="Waive the late fees that it would have prevented on that day"
      shouldUnregister
    />
  );
}

/** The number of a check or money order; cash has none. */
function PaperNumber() {
  const type: unknown = useWatch({ name: 'type' });
  if (type === 'cash') return null;
  return (
    <TextInput
      source="number"
      label={type === 'check' ? 'Check number' : 'Money order number'}
      validate={required('Enter the number.')}
      shouldUnregister
    />
  );
}
