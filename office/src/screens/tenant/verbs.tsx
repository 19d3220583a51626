import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { formatMoney } from '@gatehouse/contract/money';
import { HOLD_STOPS, transferRent } from '@gatehouse/contract/rentals';
import { Alert, Stack, Typography } from '@mui/material';
import {
  BooleanInput,
  CheckboxGroupInput,
  DateInput,
  FormDataConsumer,
  RadioButtonGroupInput,
  SelectInput,
  TextInput,
  required,
} from 'react-admin';
import { useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { MoneyInput } from '#parts/money-input.tsx';
import { Balances, Lines, Sum, day } from '#parts/outcome.tsx';
import { todayHere } from '#parts/today-here.ts';
import { VerbButton } from '#parts/verb-dialog.tsx';
import { UnitInput } from '#parts/unit-input.tsx';
import { FinalStatementButton, ReceiptButton } from './paper-buttons.tsx';

/** A rental as the tenant's page has it. */
export type Rental = TenantFile['ledgers'][number];

/** Cash, check or money order over one or several rentals. */
/** Which rentals are paid; until it is typed over, the amount is what they owe. */
function PaidRentals({ choices, first }: { choices: Rental[]; first: string }) {
  const { getValues, setValue } = useFormContext();
  const offered = useRef(first);
  function offer(chosen: unknown) {
    const ids = Array.isArray(chosen) ? (chosen as string[]) : [];
    if (getValues('amount') !== offered.current) return;
    const owed = choices
      .filter(({ ledgerId, balance }) => ids.includes(ledgerId) && balance > 0)
      .reduce((cents, { balance }) => cents + Math.round(balance * 100), 0);
    offered.current = owed > 0 ? (owed / 100).toFixed(2) : '';
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

export function TakePayment({ rentals }: { rentals: Rental[] }) {
  const owing = rentals
    .filter(({ balance }) => balance > 0)
    .toSorted((one, other) => other.daysPastDue - one.daysPastDue);
  const current = rentals.filter(({ isEnded }) => !isEnded);
  const choices = [...new Set([...owing, ...current])];
  if (choices.length === 0) return null;
  const due = owing.reduce((cents, { balance }) => cents + Math.round(balance * 100), 0) / 100;
  const offered = due > 0 ? due.toFixed(2) : '';
  return (
    <VerbButton
      verb="payments.record"
      label="Take a payment"
      variant="contained"
      explanation={`Owed in all: ${formatMoney(due)}. It settles the rentals in the order below.`}
      defaultValues={{
        ledgerIds: (owing.length > 0 ? owing : choices.slice(0, 1)).map(({ ledgerId }) => ledgerId),
        type: 'cash',
        amount: offered,
        isPrepaid: false,
        why: 'Paid at the counter',
      }}
      toBody={(form) => {
        const type = form.one('type', ['cash', 'check', 'moneyOrder']);
        return {
          ledgerIds: form.list('ledgerIds'),
          type,
          amount: form.amount('amount'),
          isPrepaid: form.isYes('isPrepaid'),
          ...(type !== 'cash' && { number: form.text('number') }),
        };
      }}
      describe={({ receiptNumber, payments, ledgers }, isDone) => (
        <Stack sx={{ gap: 1.5 }}>
          <Lines
            lines={payments.map(({ ledgerId, amount }) => ({
              label: choices.find((one) => one.ledgerId === ledgerId)?.unitName ?? 'Rental',
              amount,
            }))}
          />
          <Balances ledgers={ledgers} isDone={isDone} />
          {receiptNumber !== null && <ReceiptButton receiptNumber={receiptNumber} />}
          {isDone && <Typography>The receipt is mailed to the tenant.</Typography>}
        </Stack>
      )}
    >
      <PaidRentals choices={choices} first={offered} />
      <RadioButtonGroupInput
        source="type"
        label="Paid by"
        choices={[
          { id: 'cash', name: 'Cash' },
          { id: 'check', name: 'Check' },
          { id: 'moneyOrder', name: 'Money order' },
        ]}
      />
      <FormDataConsumer>
        {({ formData }) =>
          formData['type'] !== 'cash' && (
            <TextInput
              source="number"
              label={formData['type'] === 'check' ? 'Check number' : 'Money order number'}
              validate={required('Enter the number.')}
            />
          )
        }
      </FormDataConsumer>
      <MoneyInput source="amount" label="Amount" />
      <BooleanInput source="isPrepaid" label="Keep what is more than owed as a credit" />
    </VerbButton>
  );
}

/** The address that the record signs in with; users of the old one lose the record. */
export function ChangeEmail({ tenantId, email }: { tenantId: string; email: string }) {
  return (
    <VerbButton
      verb="tenants.email"
      label="Change email"
      explanation={`Now ${email}. Who signs in with it loses this record; both addresses are mailed.`}
      toBody={(form) => ({ tenantId, email: form.text('email') })}
      describe={({ email: next, sessionsEnded }, isDone) => (
        <Typography>{`${isDone ? 'The record signs in with' : 'The record will sign in with'} ${next}. ${sessionsEnded} ${sessionsEnded === 1 ? 'session ends' : 'sessions end'}.`}</Typography>
      )}
    >
      <TextInput source="email" label="New email" type="email" validate={required()} />
    </VerbButton>
  );
}

export function AddCharge({ rental: { ledgerId } }: { rental: Rental }) {
  return (
    <VerbButton
      verb="charges.add"
      label="Add a charge"
      defaultValues={{ category: 'service', isTaxed: false }}
      toBody={(form) => ({
        ledgerId,
        category: form.one('category', ['service', 'insurance', 'fee']),
        description: form.text('description'),
        amount: form.amount('amount'),
        isTaxed: form.isYes('isTaxed'),
      })}
      describe={({ total, tax1, tax2, gate, ledgers }, isDone) => (
        <Stack sx={{ gap: 1 }}>
          <Sum label="Charge" value={total} />
          {tax1 + tax2 > 0 && <Sum label="Of it tax" value={tax1 + tax2} />}
          <Balances ledgers={ledgers} isDone={isDone} />
          {gate !== null && (
            <Alert severity={gate.effect === 'closes' ? 'warning' : 'info'}>{gate.sentence}</Alert>
          )}
        </Stack>
      )}
    >
      <SelectInput
        source="category"
        validate={required()}
        choices={[
          { id: 'service', name: 'Service' },
          { id: 'insurance', name: 'Insurance' },
          { id: 'fee', name: 'Fee' },
        ]}
      />
      <TextInput source="description" label="Description" validate={required()} />
      <MoneyInput source="amount" label="Amount before tax" />
      <BooleanInput source="isTaxed" label="The facility's taxes come on top" />
    </VerbButton>
  );
}

export function AddCredit({ rental: { ledgerId } }: { rental: Rental }) {
  return (
    <VerbButton
      verb="credits.add"
      label="Add a credit"
      toBody={(form) => ({
        ledgerId,
        amount: form.amount('amount'),
        description: form.text('description'),
      })}
      describe={({ ledgers }, isDone) => <Balances ledgers={ledgers} isDone={isDone} />}
    >
      <MoneyInput source="amount" label="Amount" />
      <TextInput source="description" label="Description" validate={required()} />
    </VerbButton>
  );
}

/** An open credit goes to another rental of the record. */
export function MoveCredit({ rental, rentals }: { rental: Rental; rentals: Rental[] }) {
  const others = rentals.filter(({ ledgerId }) => ledgerId !== rental.ledgerId);
  if (others.length === 0 || rental.balance >= 0) return null;
  return (
    <VerbButton
      verb="credits.move"
      label="Move the credit"
      defaultValues={{ amount: (-rental.balance).toFixed(2) }}
      toBody={(form) => ({
        fromLedgerId: rental.ledgerId,
        toLedgerId: form.text('toLedgerId'),
        amount: form.amount('amount'),
      })}
      describe={({ ledgers }, isDone) => <Balances ledgers={ledgers} isDone={isDone} />}
    >
      <SelectInput
        source="toLedgerId"
        label="To"
        validate={required()}
        choices={others.map(({ ledgerId, unitName }) => ({ id: ledgerId, name: unitName }))}
      />
      <MoneyInput source="amount" label="Amount" />
    </VerbButton>
  );
}

/** Another rent from a day on, or the scheduled one taken back; not of a rental that has ended. */
export function ChangeRent({
  rental: { ledgerId, rentalRate, scheduledRate, isEnded },
}: {
  rental: Rental;
}) {
  if (isEnded) return null;
  return (
    <>
      <VerbButton
        verb="rentals.rate"
        label="Change the rent"
        explanation={`Now ${formatMoney(rentalRate)}. The notice is mailed at once.`}
        toBody={(form) => ({
          ledgerId,
          amount: form.amount('amount'),
          on: form.text('on'),
        })}
        describe={({ from, to, on, firstBill, replaced }) => (
          <Stack sx={{ gap: 1 }}>
            <Typography>{`From ${formatMoney(from)} to ${formatMoney(to)}, from ${day(on)} on.`}</Typography>
            {replaced && (
              <Typography>{`It replaces ${formatMoney(replaced.to)} from ${day(replaced.on)}.`}</Typography>
            )}
            {firstBill && (
              <Typography>{`First bill: ${formatMoney(firstBill.total)} on ${day(firstBill.dueOn)}.`}</Typography>
            )}
          </Stack>
        )}
      >
        <MoneyInput source="amount" label="New rent" />
        <DateInput source="on" label="From" validate={required('Choose the day.')} />
      </VerbButton>
      {scheduledRate && (
        <VerbButton
          verb="rentals.rate"
          label="Cancel the rent change"
          explanation={`${formatMoney(scheduledRate.rate)} from ${day(scheduledRate.on)}.`}
          toBody={() => ({ ledgerId, cancel: true })}
          describe={({ to }) => <Typography>{`The rent stays ${formatMoney(to)}.`}</Typography>}
        />
      )}
    </>
  );
}

/** Overlock and release; a rental that has ended can only be released. */
export function Lock({ rental: { ledgerId, overlockedOn, isEnded } }: { rental: Rental }) {
  if (isEnded && overlockedOn === null) return null;
  return overlockedOn === null ? (
    <VerbButton
      verb="rentals.overlock"
      label="Overlock"
      explanation="Locks the unit whatever is owed. The tenant has no code and is asked to call."
      toBody={() => ({ ledgerId })}
      describe={(_, isDone) => (
        <Typography>{isDone ? 'The unit is locked.' : 'The unit will be locked.'}</Typography>
      )}
      isDanger
    />
  ) : (
    <VerbButton
      verb="rentals.release"
      label="Release the lock"
      explanation="What is owed may keep the gate locked all the same."
      toBody={() => ({ ledgerId })}
      describe={(_, isDone) => (
        <Typography>{isDone ? 'The lock is off.' : 'The lock will be taken off.'}</Typography>
      )}
    />
  );
}

/** What is done because the rental is late, stopped until a day; one that has ended may owe. */
export function Hold({ rental: { ledgerId, hold, isEnded, balance } }: { rental: Rental }) {
  if (isEnded && balance <= 0 && hold === null) return null;
  return (
    <>
      <VerbButton
        verb="rentals.hold"
        label={hold === null ? 'Hold' : 'Change the hold'}
        explanation={`${HOLD_STOPS} The gate follows what is owed all the same. After it, rent that is still open gets its late fee.`}
        toBody={(form) => ({ ledgerId, ...form.optionalText('until') })}
        describe={({ until, ledgers }, isDone) => (
          <Typography>
            {`${ledgers[0]?.unitName ?? ''} ${isDone ? 'is' : 'will be'} on hold until ${until === null ? 'you end it' : day(until)}.`}
          </Typography>
        )}
      >
        <DateInput
          source="until"
          label="Until, the first day that is not on hold"
          helperText="Until you end it where it is empty."
        />
      </VerbButton>
      {hold !== null && (
        <VerbButton
          verb="rentals.endHold"
          label="End the hold"
          explanation="From the facility’s next day on autopay and late fees are as usual."
          toBody={() => ({ ledgerId })}
          describe={({ ledgers }, isDone) => (
            <Typography>
              {`${ledgers[0]?.unitName ?? ''} ${isDone ? 'is' : 'will be'} no longer on hold.`}
            </Typography>
          )}
        />
      )}
    </>
  );
}

export function ChangeCode({ rental: { ledgerId, isEnded } }: { rental: Rental }) {
  if (isEnded) return null;
  return (
    <VerbButton
      verb="rentals.changeCode"
      label="Change the gate code"
      explanation="The old code stops at once. The tenant is mailed and reads the new one in the portal."
      toBody={(form) => ({ ledgerId, ...form.optionalText('gateCode') })}
      describe={(_, isDone) => (
        <Typography>{isDone ? 'The code is changed.' : 'The code will be changed.'}</Typography>
      )}
    >
      <TextInput source="gateCode" label="New code" helperText="A random one where it is empty." />
    </VerbButton>
  );
}

/** Another unit of the facility from a day on, or the planned transfer taken back. */
export function Transfer({
  rental: { ledgerId, transfer, isEnded },
  locationCode,
}: {
  rental: Rental;
  locationCode: string;
}) {
  if (isEnded) return null;
  return (
    <>
      <VerbButton
        verb="rentals.transfer"
        label="Transfer"
        defaultValues={{ on: todayHere() }}
        toBody={(form) => ({
          ledgerId,
          unit: form.text('unit'),
          on: form.text('on'),
          ...form.optionalAmount('rate'),
        })}
        describe={(
          { on, fromUnit, toUnit, isDone: isMoved, rent, cancelledRate, ledgers },
          isDone,
        ) => (
          <Stack sx={{ gap: 1 }}>
            <Typography>{`From ${fromUnit} to ${toUnit} on ${day(on)}${isMoved ? '' : ', when the day comes'}.`}</Typography>
            {rent && <Typography>{transferRent(rent)}</Typography>}
            <CancelledRent rate={cancelledRate} isDone={isDone} />
            <Balances ledgers={ledgers} isDone={isDone} />
          </Stack>
        )}
      >
        <DateInput source="on" label="On" validate={required('Choose the day.')} />
        <UnitInput label="To unit" locationCode={locationCode} />
        <MoneyInput source="rate" label="Rent from that day on" isOptional />
      </VerbButton>
      {transfer && (
        <VerbButton
          verb="rentals.transfer"
          label="Cancel the transfer"
          explanation={`To ${transfer.unitName} on ${day(transfer.on)}.`}
          toBody={() => ({ ledgerId, cancel: true })}
          describe={({ fromUnit, cancelledRate }, isDone) => (
            <Stack sx={{ gap: 1 }}>
              <Typography>{`The rental stays in ${fromUnit}.`}</Typography>
              <CancelledRent rate={cancelledRate} isDone={isDone} />
            </Stack>
          )}
        />
      )}
    </>
  );
}

/** The rent that was scheduled with a transfer which is cancelled or replaced. */
function CancelledRent({ rate, isDone }: { rate: number | null; isDone: boolean }) {
  if (rate === null) return null;
  return (
    <Typography>{`The rent of ${formatMoney(rate)} that came with it ${isDone ? 'is' : 'will be'} cancelled.`}</Typography>
  );
}

/** The end of a rental on a day with its settlement, or the planned one taken back. */
export function MoveOut({ rental: { ledgerId, movedOutOn, isEnded } }: { rental: Rental }) {
  if (isEnded) return null;
  if (movedOutOn !== null)
    return (
      <VerbButton
        verb="rentals.moveOut"
        label="Cancel the move-out"
        explanation={`Planned for ${day(movedOutOn)}.`}
        toBody={() => ({ ledgerId, cancel: true })}
        describe={({ ledgers }, isDone) => <Balances ledgers={ledgers} isDone={isDone} />}
      />
    );
  return (
    <VerbButton
      verb="rentals.moveOut"
      label="Move out"
      isDanger
      defaultValues={{ credit: 'refund' }}
      toBody={(form) => ({
        ledgerId,
        on: form.text('on'),
        credit: form.one('credit', ['refund', 'keep']),
      })}
      describe={({ movedOutOn: on, isSettled, lines, refunds, byHand, ledgers }, isDone) => (
        <Stack sx={{ gap: 1.5 }}>
          <Typography>{`First day that is not rented: ${day(on)}. ${isSettled ? 'Settled at once.' : 'Settled when the day has come.'}`}</Typography>
          {lines.length > 0 && (
            <Lines
              lines={lines.map(({ description, amount }) => ({ label: description, amount }))}
            />
          )}
          {refunds.map(({ receiptNumber, amount, status }) => (
            <Typography
              key={receiptNumber}
            >{`Refund of ${formatMoney(amount)} to the method of receipt ${receiptNumber}: ${status}.`}</Typography>
          ))}
          {byHand > 0 && <Sum label="To give back by hand" value={byHand} />}
          <Balances ledgers={ledgers} isDone={isDone} />
          {isDone && isSettled && (
            <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
              <Typography>The final statement is mailed.</Typography>
              <FinalStatementButton ledgerId={ledgerId} />
            </Stack>
          )}
        </Stack>
      )}
    >
      <DateInput
        source="on"
        label="First day that is not rented"
        validate={required('Choose the day.')}
      />
      <RadioButtonGroupInput
        source="credit"
        label="What is left as a credit"
        choices={[
          { id: 'refund', name: 'Refund it' },
          { id: 'keep', name: 'Keep it on the ledger' },
        ]}
      />
    </VerbButton>
  );
}

export function StopAutopay({ rental: { ledgerId, autopayMethodId } }: { rental: Rental }) {
  if (autopayMethodId === null) return null;
  return (
    <VerbButton
      verb="autopay.stop"
      label="Stop autopay"
      explanation="What is owed stays owed. The tenant is mailed."
      toBody={() => ({ ledgerId })}
      describe={({ unitName }, isDone) => (
        <Typography>{`Autopay of ${unitName} ${isDone ? 'is off.' : 'will be off.'}`}</Typography>
      )}
      isDanger
    />
  );
}

export function WaiveCharge({ chargeId, most }: { chargeId: string; most: number }) {
  return (
    <VerbButton
      verb="charges.waive"
      label="Waive"
      explanation="With its tax. What had paid it becomes a credit."
      defaultValues={{ amount: most.toFixed(2) }}
      toBody={(form) => ({ chargeId, amount: form.amount('amount') })}
      describe={({ amount, tax1, tax2, ledgers }, isDone) => (
        <Stack sx={{ gap: 1 }}>
          <Sum label="Waived" value={amount} />
          {tax1 + tax2 > 0 && <Sum label="Of it tax" value={tax1 + tax2} />}
          <Balances ledgers={ledgers} isDone={isDone} />
        </Stack>
      )}
    >
      <MoneyInput source="amount" label="Amount with tax" />
    </VerbButton>
  );
}

export function ReverseCredit({ creditId }: { creditId: string }) {
  return (
    <VerbButton
      verb="credits.reverse"
      label="Take back"
      explanation="What the credit had settled is owed again."
      toBody={() => ({ creditId })}
      describe={({ amount, ledgers }, isDone) => (
        <Stack sx={{ gap: 1 }}>
          <Sum label="Taken back" value={amount} />
          <Balances ledgers={ledgers} isDone={isDone} />
        </Stack>
      )}
      isDanger
    />
  );
}

export function Refund({
  receiptNumber,
  isCounter,
}: {
  receiptNumber: string;
  isCounter: boolean;
}) {
  return (
    <VerbButton
      verb="payments.refund"
      label="Refund"
      explanation="What the payment had paid is owed again. All that is left where no amount is given."
      defaultValues={{ way: isCounter ? 'cash' : 'gateway' }}
      toBody={(form) => {
        const way = form.one('way', ['gateway', 'cash', 'check']);
        return {
          receiptNumber,
          ...form.optionalAmount('amount'),
          ...(way !== 'gateway' && { way }),
          ...(way === 'check' && { number: form.text('number') }),
        };
      }}
      describe={({ amount, status, reopened, ledgers, receiptNumber: number }, isDone) => (
        <Stack sx={{ gap: 1 }}>
          <Sum label="Refund" value={amount} />
          {reopened.length > 0 && (
            <Lines
              lines={reopened.map(({ description, dueOn, amount: owed }) => ({
                label: `Owed again: ${description}, due ${day(dueOn)}`,
                amount: owed,
              }))}
            />
          )}
          <Balances ledgers={ledgers} isDone={isDone} />
          {isDone && status === 'submitted' && (
            <Typography>
              The gateway has not answered yet. It is asked again until it does.
            </Typography>
          )}
          {number !== null && <Typography>{`Its number is ${number}.`}</Typography>}
        </Stack>
      )}
      isDanger
    >
      <MoneyInput source="amount" label="Amount" isOptional />
      <RadioButtonGroupInput
        source="way"
        label="Given back"
        choices={[
          ...(isCounter ? [] : [{ id: 'gateway', name: 'To the card or account' }]),
          { id: 'cash', name: 'In cash' },
          { id: 'check', name: 'By check' },
        ]}
      />
      <FormDataConsumer>
        {({ formData }) =>
          formData['way'] === 'check' && (
            <TextInput source="number" label="Check number" validate={required()} />
          )
        }
      </FormDataConsumer>
    </VerbButton>
  );
}

/** To the address on record: there is no field for another one. */
export function MailReceipt({ receiptNumber }: { receiptNumber: string }) {
  return (
    <VerbButton
      verb="payments.mailReceipt"
      label="Mail the receipt"
      explanation={`The receipt ${receiptNumber} goes to the tenant’s address on record.`}
      toBody={() => ({ receiptNumber })}
      describe={({ to, receipts }, isDone) => (
        <Stack sx={{ gap: 1.5 }}>
          <Lines
            lines={receipts.map(({ unitName, receiptNumber: number, amount }) => ({
              label: `${unitName}, receipt ${number}`,
              amount,
            }))}
          />
          <Typography>{`${isDone ? 'It is mailed to' : 'It will be mailed to'} ${to}.`}</Typography>
        </Stack>
      )}
    />
  );
}

export function ReversePayment({ receiptNumber }: { receiptNumber: string }) {
  const whole = receiptNumber.replace(/-\d+$/, '');
  return (
    <VerbButton
      verb="payments.reverse"
      label="Reverse"
      explanation={`Takes back all that is left of receipt ${receiptNumber}, once. What a bank takes back is the whole of receipt ${whole}, of every rental that it paid.`}
      toBody={(form) => {
        const reason = form.one('reason', ['nsf', 'chargeback', 'mistake']);
        // A bank takes back all that was paid at once; a mistake may be in one rental's share.
        return { receiptNumber: reason === 'mistake' ? receiptNumber : whole, reason };
      }}
      describe={({ amount, fee, ledgers }, isDone) => (
        <Stack sx={{ gap: 1 }}>
          <Sum label="Taken back" value={amount} />
          {fee > 0 && <Sum label="Fee for the returned payment" value={fee} />}
          <Balances ledgers={ledgers} isDone={isDone} />
        </Stack>
      )}
      isDanger
    >
      <RadioButtonGroupInput
        source="reason"
        label="Because"
        validate={required('Say why.')}
        choices={[
          { id: 'nsf', name: 'A check bounced' },
          { id: 'chargeback', name: 'The card’s issuer took it back' },
          { id: 'mistake', name: 'It was recorded by mistake' },
        ]}
      />
    </VerbButton>
  );
}

export function AllowAccount({ tenantId, methodId }: { tenantId: string; methodId: string }) {
  return (
    <VerbButton
      verb="payments.allowAccount"
      label="Allow again"
      explanation="Autopay stays off until the tenant sets it up again in the portal."
      toBody={() => ({ tenantId, methodId })}
      describe={({ description, returnCode }) => (
        <Typography>{`${description}${returnCode !== null ? `, which was returned with ${returnCode}` : ''}.`}</Typography>
      )}
    />
  );
}
