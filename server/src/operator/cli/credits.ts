import { addCredit, moveCredit, reverseCredit } from '@gatehouse/contract/credits';
import { formatMoney } from '@gatehouse/contract/money';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { addCreditTo, moveCreditTo, reverseCreditOf } from '#features/counter/credits.ts';
import type { Runner } from './runner.ts';
import { addStaffCommand, balancesOf, dollarAmount, recordId } from './staff-command.ts';

/** `credits add|move|reverse`: amounts in a tenant's favour that are no payments. */
export function creditsCommand(run: Runner): Command {
  const credits = new Command('credits').description('Credits of tenants other than payments.');
  addStaffCommand<typeof addCredit, { ledger: string; amount: number; description: string }>(
    credits,
    run,
    {
      verb: addCredit,
      name: 'add',
      declare: (command) =>
        command
          .requiredOption('--ledger <id>', 'the rental, by its id', recordId)
          .requiredOption('--amount <dollars>', 'how much, such as 25.50', dollarAmount)
          .requiredOption('--description <text>', 'what the tenant reads of it'),
      bodyOf: ({ ledger, amount, description }) => ({ ledgerId: ledger, amount, description }),
      work: addCreditTo,
      print: ({ ledgers }, isPreview) => [
        `The credit ${isPreview ? 'would be' : 'is'} posted; ${balancesOf(ledgers)}.`,
      ],
      help: `  ${COMMAND} credits add --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --amount 25 --description "Gate was out of order" --by Ana
  ${COMMAND} credits add --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --amount 25 --description "Gate was out of order" --dry-run --json`,
    },
  );

  addStaffCommand<typeof moveCredit, { from: string; to: string; amount: number }>(credits, run, {
    verb: moveCredit,
    name: 'move',
    declare: (command) =>
      command
        .requiredOption('--from <id>', 'the rental that has the open credit, by its id', recordId)
        .requiredOption('--to <id>', 'the rental that gets it, of the same tenant record', recordId)
        .requiredOption('--amount <dollars>', 'how much, such as 25.50', dollarAmount),
    bodyOf: ({ from, to, amount }) => ({ fromLedgerId: from, toLedgerId: to, amount }),
    work: moveCreditTo,
    print: ({ ledgers }, isPreview) => [
      `The credit ${isPreview ? 'would be' : 'is'} moved; ${balancesOf(ledgers)}.`,
    ],
    help: `  ${COMMAND} credits move --from 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --to 5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a --amount 25`,
  });

  addStaffCommand<typeof reverseCredit, object>(credits, run, {
    verb: reverseCredit,
    name: 'reverse',
    declare: (command) => command.argument('<credit>', 'the credit or waiver, by its id', recordId),
    bodyOf: (_, creditId) => ({ creditId }),
    work: reverseCreditOf,
    print: ({ amount, ledgers }, isPreview) => [
      `${formatMoney(amount)} of credit ${isPreview ? 'would be' : 'is'} taken back; ${balancesOf(ledgers)}.`,
    ],
    help: `  ${COMMAND} credits reverse 7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e --why "wrong unit"`,
  });
  return credits;
}
