import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import type { Context } from '#context/context.ts';
import {
  foreseeAutopay,
  noAttempts,
  runAutopay,
  type AutopayForeseen,
  type AutopayTotals,
} from '#features/money/autopay/run.ts';
import { columnsOf } from './columns.ts';
import { calendarDate, findFacilities, type Facility } from './facilities.ts';
import { dayText, refuseDayToCome, runAt } from './facility-runs.ts';
import { checkGateway, gatewayFault } from './gateway.ts';
import { exitCodes, type Runner, type Terminal } from './runner.ts';

type Options = { date?: string; facility?: string; dryRun?: boolean; json?: boolean };

/**
 * What a run took at one facility, sums in cents; `date` is null where the zone is unknown and
 * nothing was tried.
 */
type FacilityResult = { facility: string; date: string | null } & AutopayTotals;

/** What it would take there. */
type FacilityForeseen = { facility: string; date: string | null } & AutopayForeseen;

/**
 * `autopay run`: charges what is due by autopay, as the server does by itself after each day's
 * billing.
 */
export function autopayCommand(run: Runner): Command {
  const autopay = new Command('autopay').description(
    'Charges what is due by autopay, and turns it off.',
  );
  autopay
    .command('run')
    .description(
      'Charges the balance of each rental on autopay on its due date, and retries declined charges. A due date is charged once, however often this runs.',
    )
    .option(
      '--date <day>',
      'the day to run for, such as 2026-12-01 (default: today at each facility)',
      calendarDate,
    )
    .option('--facility <code>', 'only this facility, by its location code (default: all)')
    .option(
      '--dry-run',
      'print what would be charged, without calling the gateway, and change nothing',
    )
    .option('--json', 'print one JSON object, sums in cents')
    .addHelpText(
      'after',
      `
Examples:
  ${COMMAND} autopay run
  ${COMMAND} autopay run --dry-run
  ${COMMAND} autopay run --facility TXDFW03 --json`,
    )
    .action((options: Options) =>
      run((ctx, terminal) =>
        options.dryRun === true
          ? foreseeForFacilities(ctx, terminal, options)
          : runForFacilities(ctx, terminal, options),
      ),
    );
  return autopay;
}

const NOT_TO_COME = 'nothing is charged for a day to come.';

async function runForFacilities(
  ctx: Context,
  terminal: Terminal,
  { date, facility, json = false }: Options,
) {
  await checkGateway(ctx);
  const facilities = await findFacilities(ctx.db, facility);
  for (const one of facilities) refuseDayToCome(ctx, one, date, NOT_TO_COME);
  const results: FacilityResult[] = [];
  for (const one of facilities) results.push(await runForOne(ctx, terminal, one, date));
  if (json) terminal.line(JSON.stringify({ facilities: results, total: totalOf(results) }));
  else print(terminal, results);
  const isClean = results.every((result) => result.date !== null && result.failed === 0);
  return isClean ? exitCodes.DONE : exitCodes.PARKED;
}

async function foreseeForFacilities(
  ctx: Context,
  terminal: Terminal,
  { date: given, facility, json = false }: Options,
) {
  const facilities = await findFacilities(ctx.db, facility);
  for (const one of facilities) refuseDayToCome(ctx, one, given, NOT_TO_COME);
  const results: FacilityForeseen[] = [];
  const total: AutopayForeseen = { attempts: 0, cents: 0, skipped: 0 };
  for (const one of facilities) {
    const { date, run } = runAt(ctx, terminal, one, given);
    const foreseen = await foreseeAutopay(ctx, run);
    for (const name of Object.keys(total) as (keyof AutopayForeseen)[])
      total[name] += foreseen[name];
    results.push({ facility: one.code, date, ...foreseen });
  }
  if (json) terminal.line(JSON.stringify({ dryRun: true, facilities: results, total }));
  else printForeseen(terminal, results, total);
  return results.every((result) => result.date !== null) ? exitCodes.DONE : exitCodes.PARKED;
}

async function runForOne(
  ctx: Context,
  terminal: Terminal,
  facility: Facility,
  given: string | undefined,
): Promise<FacilityResult> {
  const { code } = facility;
  const { date, run } = runAt(ctx, terminal, facility, given);
  const totals = await runAutopay(ctx, run).catch((error: unknown) => {
    throw (
      gatewayFault(error, `the run ended at ${code}, and what was charged stays charged`) ?? error
    );
  });
  return { facility: code, date, ...totals };
}

function totalOf(results: FacilityResult[]): AutopayTotals {
  const total = noAttempts();
  for (const result of results)
    for (const name of Object.keys(total) as (keyof AutopayTotals)[]) total[name] += result[name];
  return total;
}

function print(terminal: Terminal, results: FacilityResult[]): void {
  const row = (name: string, day: string, totals: AutopayTotals) => [
    name,
    day,
    String(totals.attempts),
    String(totals.taken),
    formatMoney(toDollars(totals.takenCents)),
    String(totals.declined),
    String(totals.notSent),
    String(totals.unknown),
    String(totals.skipped),
    String(totals.failed),
  ];
  const rows = [
    [
      'facility',
      'day',
      'attempts',
      'taken',
      'sum',
      'declined',
      'not sent',
      'unknown',
      'skipped',
      'failed',
    ],
    ...results.map((result) => row(result.facility, dayText(result.date), result)),
    row('all', '', totalOf(results)),
  ];
  for (const line of columnsOf(rows, 2)) terminal.line(line);
}

function printForeseen(
  terminal: Terminal,
  results: FacilityForeseen[],
  total: AutopayForeseen,
): void {
  const row = (name: string, day: string, { attempts, cents, skipped }: AutopayForeseen) => [
    name,
    day,
    String(attempts),
    formatMoney(toDollars(cents)),
    String(skipped),
  ];
  const rows = [
    ['facility', 'day', 'attempts', 'sum', 'skipped'],
    ...results.map((result) => row(result.facility, dayText(result.date), result)),
    row('all', '', total),
  ];
  terminal.line('This would be charged; nothing was changed.');
  for (const line of columnsOf(rows, 2)) terminal.line(line);
}
