import { addCharge, waiveCharge } from '@gatehouse/contract/counter-charges';
import { formatMoney } from '@gatehouse/contract/money';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { addChargeTo, waiveChargeOf } from '#features/counter/charges.ts';
import type { Runner } from './runner.ts';
import { addStaffCommand, balancesOf, dollarAmount, recordId } from './staff-command.ts';

type AddOptions = {
  ledger: string;
  category: string;
  description: string;
  amount: number;
  taxed?: boolean;
};

/** `charges add|waive`: what is charged by hand, and what is taken back of any charge. */
export function chargesCommand(run: Runner): Command {
  const charges = new Command('charges').description('Manual charges, and waivers.');
  addStaffCommand<typeof addCharge, AddOptions>(charges, run, {
    verb: addCharge,
    name: 'add',
    declare: (command) =>
      command
        .requiredOption('--ledger <id>', 'the rental, by its id', recordId)
        .requiredOption('--category <category>', 'service, insurance or fee; rent is billed')
        .requiredOption('--description <text>', 'the text that the tenant reads')
        .requiredOption('--amount <dollars>', 'how much before taxes, such as 25.50', dollarAmount)
        .option('--taxed', 'add the facility’s taxes on top'),
    bodyOf: ({ ledger, category, description, amount, taxed }) => ({
      ledgerId: ledger,
      category,
      description,
      amount,
      isTaxed: taxed,
    }),
    work: addChargeTo,
    print: ({ total, gate, ledgers }, isPreview) => [
      `${formatMoney(total)} ${isPreview ? 'would be' : 'is'} charged; ${balancesOf(ledgers)}.`,
      ...(gate === null ? [] : [gate.sentence]),
    ],
    help: `  ${COMMAND} charges add --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --category fee --description "Lock cut" --amount 25
  ${COMMAND} charges add --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --category service --description "Battery" --amount 25 --taxed --dry-run`,
  });

  addStaffCommand<typeof waiveCharge, { amount?: number }>(charges, run, {
    verb: waiveCharge,
    name: 'waive',
    declare: (command) =>
      command
        .argument('<charge>', 'the charge, by its id (see tenants show)', recordId)
        .option(
          '--amount <dollars>',
          'how much with its tax (default: all that is left of it)',
          dollarAmount,
        ),
    bodyOf: ({ amount }, chargeId) => ({ chargeId, amount }),
    work: waiveChargeOf,
    print: ({ amount, tax1, tax2, ledgers }, isPreview) => [
      `${formatMoney(amount)} ${isPreview ? 'would be' : 'is'} waived, ${formatMoney(tax1 + tax2)} of it tax; ${balancesOf(ledgers)}.`,
    ],
    help: `  ${COMMAND} charges waive 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --why "our mistake"
  ${COMMAND} charges waive 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --amount 10 --dry-run`,
  });
  return charges;
}
