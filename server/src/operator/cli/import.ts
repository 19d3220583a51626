import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { formatMoney } from '@gatehouse/contract/money';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { StartFault } from '#errors/start-fault.ts';
import { faultText } from '#operator/imports/faults.ts';
import { readingFault } from '#operator/imports/folder-faults.ts';
import { importFolder, type ImportContext, type ImportResult } from '#operator/imports/import.ts';
import { readGiven } from '#operator/imports/sheets/column-map.ts';
import { importSheets } from '#operator/imports/sheets/import-sheets.ts';
import { readRemedies } from '#operator/imports/sheets/sheet-faults.ts';
import { unknownFilesText } from '#operator/imports/unknown-files.ts';
import { sumFirstDays, type FirstDay } from '#operator/imports/first-day.ts';
import type { Money, Sums } from '#operator/imports/money.ts';
import { openQueue } from '#jobs/queue.ts';
import { columnsOf } from './columns.ts';
import { calendarDate } from './facilities.ts';
import { exitCodes, type ExitCode, type OwnerRunner, type Terminal } from './runner.ts';
import { writeFaultyRows, sheetsLines } from './sheets-lines.ts';

type Options = {
  dryRun?: boolean;
  json?: boolean;
  lateFrom?: string;
  joined?: string[];
  facility?: string;
  column?: string[];
  remedy?: string[];
  faultsTo?: string;
};

/**
 * `import <paths>`: brings facilities, tenants, rentals and what they owe in from a folder of CSV
 * files, or rentals from lease sheets of another system (docs/import.md).
 */
export function importCommand(run: OwnerRunner): Command {
  return new Command('import')
    .description(
      'Imports CSV files: facilities, units, tenants, rentals, charges, payments and more. A facility with a fault is skipped completely. Running it again updates what differs and creates nothing twice. Of lease sheets (.xlsx or CSV, as another system exports them) the columns are mapped, and rentals that are here already are left as they are.',
    )
    .argument(
      '<paths...>',
      'the folder with facilities.csv, tenants.csv, ledgers.csv and so on (see docs/import.md for their columns), or lease sheets with one row a lease',
    )
    .option('--dry-run', 'print what would change and every fault, and change nothing')
    .option(
      '--late-from <day>',
      'the first day of late fees, suspensions for debt, reminders and rate notices of the rentals that are imported or posted to (default: at once)',
      calendarDate,
    )
    .option(
      '--joined <address...>',
      'email addresses with which one sign-in may see all names that have them',
    )
    .option('--facility <code>', 'of a lease sheet without a facility: its location code')
    .option(
      '--column <mapping...>',
      'what a column of a lease sheet holds, as "Amt=balance", or "Amt=" to leave it out; kept for the next sheet with the same headings',
    )
    .option(
      '--remedy <remedy...>',
      'what is done with all faults of a kind in lease sheets, as the dry run offers it',
    )
    .option('--faults-to <file>', 'write the rows of lease sheets with faults here, and why')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Exits with 1 if a facility was skipped.

Examples:
  ${COMMAND} import ./from-the-old-system --dry-run
  ${COMMAND} import ./from-the-old-system --dry-run --late-from 2026-12-15
  ${COMMAND} import ./from-the-old-system
  ${COMMAND} import ./rent-roll.xlsx --facility TXDFW03 --dry-run
  ${COMMAND} import ./rent-roll.xlsx --facility TXDFW03 --remedy two-digit-year --remedy area-code=817`,
    )
    .action((paths: string[], options: Options) => {
      const { dryRun = false, json = false, lateFrom, joined = [] } = options;
      return run(async ({ db, vault, clock, config, log }, terminal) => {
        const onProgress = terminal.progress;
        const queue = await openQueue(db, (error) => log.warn(error), { hasUpkeep: false });
        const mail = { config, clock, log, vault, enqueue: queue.enqueue };
        const context = {
          db,
          vault,
          clock,
          mail,
          corporationCode: config.corporationCode,
          lateFrom: lateFrom ?? null,
          joined,
          onProgress,
        };
        try {
          const [folder = '', ...others] = paths;
          const isFolder = await stat(folder).then(
            (found) => found.isDirectory(),
            (error: unknown) => {
              throw readingFault(error, folder);
            },
          );
          if (!isFolder) return await runSheets(context, terminal, paths, options);
          if (others.length > 0) throw new StartFault('Name one folder, or lease sheets.');
          const result = await importFolder(context, folder, dryRun);
          if (json) terminal.line(JSON.stringify({ dryRun, ...result }));
          else print(terminal, result, dryRun);
          return result.faults.total === 0 ? exitCodes.DONE : exitCodes.FAULT;
        } finally {
          await queue.stop();
        }
      });
    });
}

async function runSheets(
  context: ImportContext,
  terminal: Terminal,
  paths: string[],
  { dryRun = false, json = false, facility, column = [], remedy = [], faultsTo }: Options,
): Promise<ExitCode> {
  const remedies = readRemedies(remedy);
  if (remedies === null)
    throw new StartFault('--remedy must be one that a dry run offers, such as two-digit-year.');
  const files: { name: string; bytes: Uint8Array }[] = [];
  for (const path of paths)
    files.push({
      name: basename(path),
      bytes: await readFile(path).catch((error: unknown) => {
        throw readingFault(error, path);
      }),
    });
  const columns = readGiven(column);
  const sheets = { files, facility: facility ?? null, columns, remedies };
  const result = await importSheets(context, sheets, dryRun);
  if (faultsTo !== undefined) await writeFaultyRows(faultsTo, result);
  if (json) terminal.line(JSON.stringify({ dryRun, ...result }));
  else {
    for (const line of sheetsLines(result)) terminal.line(line);
    if (result.import !== null) {
      const isDry = dryRun || result.faults.length > 0;
      print(terminal, { ...result.import, faults: { total: 0, byFile: {}, listed: [] } }, isDry);
    }
  }
  return result.import !== null && result.faults.length === 0 ? exitCodes.DONE : exitCodes.FAULT;
}

function print(terminal: Terminal, result: ImportResult, isDryRun: boolean): void {
  const { files, imported, refused, faults, erased, unknownFiles } = result;
  for (const fault of faults.listed) terminal.line(faultText(fault));
  if (faults.total > faults.listed.length)
    terminal.line(`… and ${faults.total - faults.listed.length} more faults.`);
  if (faults.total > 0) terminal.line('');
  const table = [
    ['file', 'rows', 'new', 'changed', 'faults'],
    ...files.map(({ file, rows, made, changed }) => [
      file,
      String(rows),
      String(made),
      String(changed),
      String(faults.byFile[file] ?? 0),
    ]),
  ];
  for (const line of columnsOf(table, 1)) terminal.line(line);
  const sums = [
    ...moneyLines(result.money, isDryRun),
    ...firstDayLines(result.firstDays),
    ...prepaidLines(result.prepaidRises),
  ];
  for (const line of sums) terminal.line(line);
  if (sums.length > 0) terminal.line('');
  const count = (places: string[]) =>
    `${places.length} ${places.length === 1 ? 'facility' : 'facilities'}`;
  terminal.line(
    isDryRun
      ? `${count(imported)} would be imported; nothing was changed.`
      : `${count(imported)} imported.`,
  );
  if (refused.length > 0) terminal.line(`Left out because of faults: ${refused.join(', ')}.`);
  if (erased > 0)
    terminal.line(
      erased === 1
        ? '1 tenant was erased and is left as it is.'
        : `${erased} tenants were erased and are left as they are.`,
    );
  for (const text of unknownFilesText(unknownFiles)) terminal.line(text);
}

/** Nothing where no balance changes. */
function moneyLines({ facilities, total, largest }: Money, isDryRun: boolean): string[] {
  const isTouched = ({ charged, paid, credited, takenBack }: Sums) =>
    charged + paid + credited + takenBack > 0;
  if (!isTouched(total)) return [];
  const row = (of: string, { before, charged, paid, credited, takenBack, after }: Sums) => [
    of,
    ...[before, charged, 0 - paid, 0 - credited, takenBack, after].map(formatMoney),
  ];
  const sums = [
    ['facility', 'before', 'charged', 'paid', 'credited', 'taken back', 'after'],
    ...facilities.filter(isTouched).map(({ facility, ...of }) => row(facility, of)),
    row('in sum', total),
  ];
  const changes = [
    ['facility', 'unit', 'before', 'after'],
    ...largest.map(({ facility, unit, before, after }) => [
      facility,
      unit,
      formatMoney(before),
      formatMoney(after),
    ]),
  ];
  const would = isDryRun ? 'would change' : 'changed';
  return [
    ...['', `Balances, and what ${would} them:`, ...columnsOf(sums, 1)],
    ...['', `The largest changes of a balance (${largest.length}):`, ...columnsOf(changes, 2)],
  ];
}

/** Nothing where nothing happens, or where the run is not dry. */
function firstDayLines(firstDays: ImportResult['firstDays']): string[] {
  const isEventful = (day: FirstDay) => Object.values(day).some((count) => count !== 0);
  const eventful = firstDays.filter(({ facility: _, ...day }) => isEventful(day));
  if (eventful.length === 0) return [];
  const row = (of: string, day: FirstDay) => [
    of,
    `${day.bills} ${formatMoney(day.billed)}`,
    `${day.lateFees} ${formatMoney(day.lateFeesSum)}`,
    `${day.autopayCharges} ${formatMoney(day.autopaySum)}`,
    ...[day.suspensions, day.reminders, day.rateNotices].map(String),
  ];
  const rows = [
    ['facility', 'bills', 'late fees', 'autopay', 'suspended', 'reminders', 'rate notices'],
    ...eventful.map(({ facility, ...day }) => row(facility, day)),
    row('in sum', sumFirstDays(eventful)),
  ];
  return ['', 'What the first day will do after it:', ...columnsOf(rows, 1)];
}

function prepaidLines(rises: string[]): string[] {
  return rises.length === 0 ? [] : ['', 'Months that are paid ahead become dearer:', ...rises];
}
