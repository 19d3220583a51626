import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { moveOut } from '@gatehouse/contract/rentals';
import { Command } from 'commander';
import { COMMAND } from '#command.ts';
import { moveOutOf } from '#features/rentals/move-out.ts';
import type { Runner } from './runner.ts';
import { addStaffCommand } from './staff-command.ts';

const LEDGER = '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49';

/** `rentals`: move-ins, move-outs and what changes between them. */
export function rentalsCommand(run: Runner): Command {
  const rentals = new Command('rentals').description('Move-ins, move-outs and what changes between them.');
  addMoveOut(rentals, run);
  return rentals;
}

function addMoveOut(rentals: Command, run: Runner): void {
  addStaffCommand<typeof moveOut, { ledger: string; on?: string; credit?: string; cancel?: boolean }>(rentals, run, {
    verb: moveOut,
    name: 'move-out',
    declare: (command) =>
      command
        .requiredOption('--ledger <id>', 'the rental, by its id')
        .option('--on <day>', 'the first day that is not rented, such as 2026-11-30')
        .option('--credit <refund|keep>', 'what becomes of a credit (default: refund)')
        .option('--cancel', 'take a move-out back that lies ahead'),
    bodyOf: ({ ledger, on, credit, cancel }) => ({ ledgerId: ledger, on, credit, cancel }),
    work: moveOutOf,
    print: ({ movedOutOn, isSettled, lines, refunds, byHand, ledgers: [ledger] }, isPreview) => {
      const unit = `unit ${ledger!.unitName}`;
      if (movedOutOn === null) return [`The move-out of ${unit} ${isPreview ? 'would be' : 'is'} cancelled.`];
      if (!isSettled)
        return [`Nothing changes until ${formatDate(movedOutOn)}: then ${unit} is moved out of and settled.`];
      return [
        ...lines.map(({ description, amount }) => `${description}: ${formatMoney(amount)}`),
        `The rental of ${unit} ${isPreview ? 'would end' : 'ended'} on ${formatDate(movedOutOn)} with a balance of ${formatMoney(ledger!.balance)}.`,
        ...refunds.map(({ receiptNumber, amount }) => `${formatMoney(amount)} of receipt ${receiptNumber} goes back.`),
        ...(byHand > 0 ? [`${formatMoney(byHand)} cannot go back by a gateway: pay it back by check or cash.`] : []),
      ];
    },
    help: `  ${COMMAND} rentals move-out --ledger ${LEDGER} --on 2026-11-30 --dry-run
  ${COMMAND} rentals move-out --ledger ${LEDGER} --cancel --why "stays another month"`,
  });
}
