import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import type { Context } from '#context/context.ts';
import { add, noTotals, runBilling, type BillingTotals } from '#features/money/billing/billing.ts';
import { countLateFees, postLateFees } from '#features/money/billing/late-fees.ts';
import { columnsOf } from './columns.ts';
import { calendarDate, findFacilities, type Facility } from './facilities.ts';
import { dayText, refuseDayToCome, runAt } from './facility-runs.ts';
import { exitCodes, type Runner, type Terminal } from './runner.ts';

type Options = { date?: string; facility?: string; dryRun?: boolean; json?: boolean };

/**
 * What a run billed at one facility, sums in cents; `lateFees` is how many, `lateFeeCents` their
 * sum in a dry run.
 */
type FacilityResult = {
  facility: string;
  date: string | null;
  lateFees: number;
  lateFeeCents?: number;
} & BillingTotals;

/**
 * `billing run`: bills one facility or all of them, as the server does by itself at four in the
 * morning.
 */
export function billingCommand(run: Runner): Command {
  const billing = new Command('billing').description(
    'Bills rent, protection plans, taxes and fees.',
  );
  billing
    .command('run')
    .description(
      'Bills every period that is due and not billed yet, and late fees. Each is billed exactly once.',
    )
    .option(
      '--date <day>',
      'bill up to this day, such as 2026-12-01 (default: today at each facility)',
      calendarDate,
    )
    .option('--facility <code>', 'only this facility, by its location code (default: all)')
    .option(
      '--dry-run',
      'print what would be billed, with late fees, and change nothing; the day may be in the future',
    )
    .option('--json', 'print one JSON object, sums in cents')
    .addHelpText(
      'after',
      `
Examples:
  ${COMMAND} billing run
  ${COMMAND} billing run --date 2026-12-01 --dry-run
  ${COMMAND} billing run --date 2026-11-01 --facility TXDFW03 --json`,
    )
    .action((options: Options) => run((ctx, terminal) => runForFacilities(ctx, terminal, options)));
  return billing;
}

const LOOKED_AT = 'a day to come can only be looked at, with --dry-run.';

async function runForFacilities(ctx: Context, terminal: Terminal, options: Options) {
  const { dryRun = false, json = false } = options;
  const facilities = await findFacilities(ctx.db, options.facility);
  if (!dryRun)
    for (const facility of facilities) refuseDayToCome(ctx, facility, options.date, LOOKED_AT);
  const results: FacilityResult[] = [];
  for (const facility of facilities)
    results.push(await runForOne(ctx, terminal, facility, options));
  if (json) terminal.line(JSON.stringify({ dryRun, facilities: results, total: totalOf(results) }));
  else print(terminal, results, dryRun);
  const isClean = results.every(({ date, parked }) => date !== null && parked === 0);
  return isClean ? exitCodes.DONE : exitCodes.PARKED;
}

async function runForOne(
  ctx: Context,
  terminal: Terminal,
  facility: Facility,
  { date: given, dryRun = false }: Options,
): Promise<FacilityResult> {
  const { date, run } = runAt(ctx, terminal, facility, given);
  const totals = await runBilling(ctx, { ...run, dryRun });
  return {
    facility: facility.code,
    date,
    ...totals,
    ...(dryRun
      ? foreseen(await countLateFees(ctx.db, run))
      : { lateFees: await postLateFees(ctx, run) }),
  };
}

const foreseen = ({ count, cents }: { count: number; cents: number }) => ({
  lateFees: count,
  lateFeeCents: cents,
});

function totalOf(results: FacilityResult[]): BillingTotals {
  const total = noTotals();
  for (const {
    facility: _,
    date: _date,
    lateFees: _fees,
    lateFeeCents: _cents,
    ...totals
  } of results)
    add(total, totals);
  return total;
}

function print(terminal: Terminal, results: FacilityResult[], dryRun: boolean): void {
  const money = (cents: number) => formatMoney(toDollars(cents));
  const row = (name: string, day: string, totals: BillingTotals) => [
    name,
    day,
    String(totals.ledgers),
    String(totals.periods),
    money(totals.rentCents),
    money(-totals.discountCents || 0),
    money(totals.insuranceCents),
    money(totals.feeCents),
    money(totals.taxCents),
    money(totals.totalCents),
    String(totals.parked),
  ];
  const rows = [
    [
      'facility',
      'up to',
      'ledgers',
      'periods',
      'rent',
      'discounts',
      'plans',
      'fees',
      'taxes',
      'total',
      'parked',
    ],
    ...results.map((result) => row(result.facility, dayText(result.date), result)),
    row('all', '', totalOf(results)),
  ];
  terminal.line(dryRun ? 'This would be billed; nothing was changed.' : 'Billed:');
  for (const line of columnsOf(rows, 2)) terminal.line(line);
  const lateFees = results.reduce((count, result) => count + result.lateFees, 0);
  const cents = results.reduce((sum, result) => sum + (result.lateFeeCents ?? 0), 0);
  if (lateFees > 0)
    terminal.line(`Late fees: ${lateFees}${dryRun ? `, ${formatMoney(toDollars(cents))}` : ''}`);
}
