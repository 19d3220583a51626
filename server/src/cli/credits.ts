import { addCredit } from '@gatehouse/contract/credits';
import { formatMoney } from '@gatehouse/contract/money';
import { Command } from 'commander';
import { COMMAND } from '#command.ts';
import { addCreditTo } from '#features/counter/credits.ts';
import type { Runner } from './runner.ts';
import { addStaffCommand, dollarAmount } from './staff-command.ts';

/** `credits add`: amounts in a tenant's favour that are no payments. */
export function creditsCommand(run: Runner): Command {
  const credits = new Command('credits').description('Credits in a tenant’s favour that are no payments.');
  addStaffCommand<typeof addCredit, { ledger: string; amount: number; description: string }>(credits, run, {
    verb: addCredit,
    name: 'add',
    declare: (command) =>
      command
        .requiredOption('--ledger <id>', 'the rental, by its id')
        .requiredOption('--amount <dollars>', 'how much, such as 25.50', dollarAmount)
        .requiredOption('--description <text>', 'what the tenant reads of it'),
    bodyOf: ({ ledger, amount, description }) => ({ ledgerId: ledger, amount, description }),
    work: addCreditTo,
    print: ({ ledgers }, isPreview) =>
      ledgers.map(
        ({ unitName, balance }) =>
          `The credit ${isPreview ? 'would be' : 'is'} posted; unit ${unitName} then has a balance of ${formatMoney(balance)}.`,
      ),
    help: `  ${COMMAND} credits add --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --amount 25 --description "Gate was out of order" --by Ana
  ${COMMAND} credits add --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --amount 25 --description "Gate was out of order" --dry-run --json`,
  });
  return credits;
}
