import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import { Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '#config/command.ts';
import { findLateLedgers } from '#features/reports/late.ts';
import { columnsOf } from './columns.ts';
import { findFacilities } from './facilities.ts';
import { exitCodes, type Runner } from './runner.ts';

type LateOptions = { days: number; facility?: string; json?: boolean };

/** `ledgers late`: who owes how long. */
export function ledgersCommand(run: Runner): Command {
  const late = new Command('late')
    .description('Lists past-due rentals with phone and autopay, the longest past due first.')
    .option(
      '--days <number>',
      'at least so many days past due (default: all with a balance)',
      wholeDays,
      0,
    )
    .option('--facility <code>', 'only this facility, by its location code (default: all)')
    .option('--json', 'print one JSON object, sums in dollars')
    .addHelpText(
      'after',
      `\nExamples:\n  ${COMMAND} ledgers late\n  ${COMMAND} ledgers late --days 14 --facility TXDFW03 --json`,
    )
    .action(({ days, facility, json = false }: LateOptions) =>
      run(async (ctx, terminal) => {
        const [only] = facility === undefined ? [] : await findFacilities(ctx.db, facility);
        const late = await findLateLedgers(ctx, { facilityId: only?.id ?? null, days });
        if (json) terminal.line(JSON.stringify(late));
        else {
          const rows = late.ledgers.map((one) => [
            one.locationCode,
            one.unitName,
            `${one.firstName} ${one.lastName}${one.movedOutOn === null ? '' : ` (moved out ${formatDate(one.movedOutOn)})`}`,
            formatPhone(one.phone ?? ''),
            `autopay ${one.autopay}`,
            `since ${formatDate(one.owedSince)}`,
            `${one.daysPastDue} days`,
            formatMoney(one.balance),
          ]);
          for (const line of rows.length === 0 ? [] : columnsOf(rows, 6)) terminal.line(line);
          terminal.line(
            `${late.count === 1 ? '1 rental owes' : `${late.count} rentals owe`} ${formatMoney(late.balance)}.`,
          );
        }
        return exitCodes.DONE;
      }),
    );
  return new Command('ledgers').description('Balances of rentals.').addCommand(late);
}

function wholeDays(text: string): number {
  if (!/^\d{1,5}$/.test(text))
    throw new InvalidArgumentError('It must be a number of days such as 14.');
  return Number(text);
}
