import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { depositTypes, type Deposits } from '@gatehouse/contract/reports';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { findDeposits } from '#features/reports/deposits.ts';
import { columnsOf } from './columns.ts';
import { calendarDate, findFacilities } from './facilities.ts';
import { exitCodes, type Runner } from './runner.ts';

type Options = { on: string; facility?: string; json?: boolean };

/** `deposits`: what a day brought in, and what was taken back. */
export function depositsCommand(run: Runner): Command {
  return new Command('deposits')
    .description(
      'Lists a day’s takings by facility, type and gateway payout, and reversals separately.',
    )
    .requiredOption('--on <day>', 'the facilities’ day, such as 2026-12-01', calendarDate)
    .option('--facility <code>', 'only this facility, by its location code (default: all)')
    .option('--json', 'print one JSON object, sums in dollars')
    .addHelpText(
      'after',
      `\nExamples:\n  ${COMMAND} deposits --on 2026-12-01\n  ${COMMAND} deposits --on 2026-12-01 --facility TXDFW03 --json`,
    )
    .action(({ on, facility, json = false }: Options) =>
      run(async ({ db }, terminal) => {
        const [only] = facility === undefined ? [] : await findFacilities(db, facility);
        const deposits = await findDeposits(db, { on, facilityIds: only ? [only.id] : null });
        if (json) terminal.line(JSON.stringify(deposits));
        else for (const line of linesOf(deposits)) terminal.line(line);
        return exitCodes.DONE;
      }),
    );
}

function linesOf({ on, facilities, taken, back }: Deposits): string[] {
  const rows = facilities.flatMap(({ locationCode, takings, takenBack }) => [
    ...takings.map((taking) => [
      locationCode,
      depositTypes[taking.type],
      takenBy(taking),
      String(taking.count),
      formatMoney(taking.amount),
    ]),
    ...takenBack.map(({ type, reason, count, amount }) => [
      locationCode,
      depositTypes[type],
      `taken back: ${reason}`,
      String(count),
      formatMoney(-amount),
    ]),
  ]);
  const sum = `Taken on ${formatDate(on)}: ${formatMoney(taken)}; taken back: ${formatMoney(back)}.`;
  const titles = ['facility', 'type', 'how', 'count', 'amount'];
  return rows.length === 0 ? [sum] : [...columnsOf([titles, ...rows], 3), sum];
}

const standings = { underWay: 'arrives', paid: 'arrived', failed: 'failed' };

function takenBy({ via, payout }: Deposits['facilities'][number]['takings'][number]): string {
  if (via === 'dispute') return 'by a dispute that was won';
  if (via !== 'gateway') return `by the ${via}`;
  if (payout === null) return 'by the gateway, not paid out yet';
  const { payoutId, standing, arrivesOn } = payout;
  return `by the gateway, payout ${payoutId} ${standings[standing]} ${formatDate(arrivesOn)}`;
}
