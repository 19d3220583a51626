import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { Stack, Typography } from '@mui/material';
import { anyAction, type Reply } from '#parts/action-dialog.tsx';
import { Balances, Lines, Sum, day } from '#parts/outcome.tsx';
import { todayAt } from '#parts/today-at.ts';
import { FinalStatementButton } from '../paper-buttons.tsx';
import type { OfRental } from './offers.tsx';

const action = officeVerbs['rentals.moveOut'];

/** The end of a rental on a day with its settlement, or the planned one taken back. */
export function moveOut({ rental: { ledgerId, movedOutOn, isEnded }, tenant }: OfRental) {
  if (isEnded) return null;
  if (movedOutOn !== null)
    return anyAction({
      action,
      label: 'Cancel the move-out',
      explanation: `Planned for ${formatDate(movedOutOn)}.`,
      given: { ledgerId, cancel: true },
      inputs: 'none',
      describe: ({ ledgers }, isDone) => <Balances ledgers={ledgers} isDone={isDone} />,
    });
  return anyAction({
    action,
    label: 'Move out',
    given: { ledgerId },
    defaultValues: { on: todayAt(tenant.locationCode), credit: 'refund' },
    describe: (reply, isDone) => <Settlement ledgerId={ledgerId} reply={reply} isDone={isDone} />,
    isDanger: true,
  });
}

type SettlementProps = { ledgerId: string; reply: Reply<typeof action>; isDone: boolean };

function Settlement({ ledgerId, reply, isDone }: SettlementProps) {
  const { movedOutOn, isSettled, lines, refunds, byHand, ledgers } = reply;
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Typography>{`First day that is not rented: ${day(movedOutOn)}. ${isSettled ? 'Settled at once.' : 'Settled when the day has come.'}`}</Typography>
      {lines.length > 0 && (
        <Lines lines={lines.map(({ description, amount }) => ({ label: description, amount }))} />
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
  );
}
