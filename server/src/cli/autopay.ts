import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { COMMAND } from '#command.ts';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { Command } from 'commander';
import type { Context } from '#context.ts';
import {
  foreseeAutopay,
  noAttempts,
  runAutopay,
  type AutopayForeseen,
  type AutopayTotals,
} from '#features/autopay/run.ts';
import { isTimeZone } from '#features/billing/zone.ts';
import { StartFault } from '#start-fault.ts';
import { calendarDate, findFacilities, type Facility } from './facilities.ts';
import { checkGateway, gatewayFault } from './gateway.ts';
import { exitCodes, type Runner, type Terminal } from './runner.ts';

type Options = { date?: string; facility?: string; dryRun?: boolean; json?: boolean };

/** What a run took at one facility, sums in cents; `date` is null where the zone is unknown and nothing was tried. */
type FacilityResult = { facility: string; date: string | null } & AutopayTotals;

/** What it would take there. */
type FacilityForeseen = { facility: string; date: string | null } & AutopayForeseen;

/** `autopay run`: charges what is due by autopay, as the server does by itself after each day's billing. */
export function autopayCommand(run: Runner): Command {
  const autopay = new Command('autopay').description('Charges what is due by autopay.');
  autopay
    .command('run')
    .description(
      'Charges each rental on autopay for what it owes on its due date, and tries again what was declined. Each due date is charged once, however often this is run.',
    )
    .option(
      '--date <day>',
      'the day whose run it is, as 2026-12-01 (default: the today of each facility)',
      calendarDate,
    )
    .option('--facility <code>', 'one facility by its location code (default: all)')
    .option('--dry-run', 'print what would be charged, ask no gateway and change nothing')
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

async function runForFacilities(ctx: Context, terminal: Terminal, { date, facility, json = false }: Options) {
  await checkGateway(ctx);
  const facilities = await findFacilities(ctx.db, facility);
  for (const one of facilities) refuseDayToCome(ctx, one, date);
  const results: FacilityResult[] = [];
  for (const one of facilities) results.push(await runForOne(ctx, terminal, one, date));
  if (json) terminal.line(JSON.stringify({ facilities: results, total: totalOf(results) }));
  else print(terminal, results);
  const isClean = results.every((result) => result.date !== null && result.failed === 0);
  return isClean ? exitCodes.DONE : exitCodes.PARKED;
}

async function foreseeForFacilities(ctx: Context, terminal: Terminal, { date, facility, json = false }: Options) {
  const facilities = await findFacilities(ctx.db, facility);
  for (const one of facilities) refuseDayToCome(ctx, one, date);
  const results: FacilityForeseen[] = [];
  for (const one of facilities) {
    const run = { facilityId: one.id, date: dateOf(ctx, one, date) ?? '0001-01-01' };
    const onProgress = (progress: { done: number; total: number }) => terminal.progress(one.code, progress);
    const foreseen = await foreseeAutopay(ctx, { ...run, onProgress });
    results.push({ facility: one.code, date: dateOf(ctx, one, date), ...foreseen });
  }
  const total: AutopayForeseen = { attempts: 0, cents: 0, skipped: 0 };
  for (const { attempts, cents, skipped } of results) {
    total.attempts += attempts;
    total.cents += cents;
    total.skipped += skipped;
  }
  if (json) terminal.line(JSON.stringify({ dryRun: true, facilities: results, total }));
  else {
    terminal.line('This would be charged; nothing was changed.');
    const row = (name: string, day: string, { attempts, cents, skipped }: AutopayForeseen) => [
      name,
      day,
      String(attempts),
      formatMoney(toDollars(cents)),
      String(skipped),
    ];
    printTable(terminal, [
      ['facility', 'day', 'attempts', 'sum', 'skipped'],
      ...results.map((result) => row(result.facility, dayText(result.date), result)),
      row('all', '', total),
    ]);
  }
  return results.every((result) => result.date !== null) ? exitCodes.DONE : exitCodes.PARKED;
}

/** The day whose run it is; null where the zone is unknown: the run has the alarm. */
function dateOf(ctx: Context, { timeZone }: Facility, given: string | undefined): string | null {
  return isTimeZone(timeZone) ? (given ?? calendarDateIn(timeZone, ctx.clock.now())) : null;
}

async function runForOne(
  ctx: Context,
  terminal: Terminal,
  facility: Facility,
  given: string | undefined,
): Promise<FacilityResult> {
  const { id, code } = facility;
  const date = dateOf(ctx, facility, given);
  const run = { facilityId: id, date: date ?? '0001-01-01' };
  const onProgress = (progress: { done: number; total: number }) => terminal.progress(code, progress);
  const totals = await runAutopay(ctx, { ...run, onProgress }).catch((error: unknown) => {
    throw gatewayFault(error, `the run ended at ${code}, and what was charged stays charged`) ?? error;
  });
  return { facility: code, date, ...totals };
}

function refuseDayToCome(ctx: Context, { code, timeZone }: Facility, date: string | undefined): void {
  if (date === undefined || !isTimeZone(timeZone)) return;
  const today = calendarDateIn(timeZone, ctx.clock.now());
  if (date > today) throw new StartFault(`At ${code} it is ${today}: nothing is charged for a day to come.`);
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
    String(totals.unknown),
    String(totals.skipped),
    String(totals.failed),
  ];
  const rows = [
    ['facility', 'day', 'attempts', 'taken', 'sum', 'declined', 'unknown', 'skipped', 'failed'],
    ...results.map((result) => row(result.facility, dayText(result.date), result)),
    row('all', '', totalOf(results)),
  ];
  printTable(terminal, rows);
}

function dayText(date: string | null): string {
  return date === null ? 'unknown zone' : formatDate(date);
}

function printTable(terminal: Terminal, rows: string[][]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  for (const cells of rows)
    terminal.line(
      cells
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    );
}
