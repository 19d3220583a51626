import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { formatMoney } from '@gatehouse/contract/money';
import { Option, type Command } from 'commander';
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
import { openOwnersQueue } from '#jobs/queue.ts';
import { columnsOf } from './columns.ts';
import { calendarDate } from './facilities.ts';
import { dryRunOption } from './options.ts';
import { ownCommand, type Answer } from './own-command.ts';
import { exitCodes, type OwnerContext, type OwnerRunner, type Terminal } from './runner.ts';
import { writeFaultyRows, sheetsLines } from './sheets-lines.ts';

type Given = {
  paths: string[];
  dryRun?: boolean;
  lateFrom?: string | null;
  joined?: string[];
  facility?: string | null;
  column?: string[];
  remedy?: string[];
  faultsTo?: string;
};

/**
 * `import <paths>`: brings facilities, tenants, rentals and what they owe in from a folder of CSV
 * files, or rentals from lease sheets of another system (docs/import.md).
 */
export function importCommand(run: OwnerRunner): Command {
  return ownCommand(
    {
      name: 'import',
      summary:
        'Imports CSV files: facilities, units, tenants, rentals, charges, payments and more. A facility with a fault is skipped completely. Running it again updates what differs and creates nothing twice. Of lease sheets (.xlsx or CSV, as another system exports them) the columns are mapped, and rentals that are here already are left as they are.',
      argument: [
        '<paths...>',
        'the folder with facilities.csv, tenants.csv, ledgers.csv and so on (see docs/import.md for their columns), or lease sheets with one row a lease',
      ],
      options: [
        dryRunOption('print what would change and every fault, and change nothing'),
        new Option(
          '--late-from <day>',
          'the first day of late fees, suspensions for debt, reminders and rate notices of the rentals that are imported or posted to (default: at once)',
        ).argParser(calendarDate),
        new Option(
          '--joined <address...>',
          'email addresses with which one sign-in may see all names that have them',
        ),
        new Option('--facility <code>', 'of a lease sheet without a facility: its location code'),
        new Option(
          '--column <mapping...>',
          'what a column of a lease sheet holds, as "Amt=balance", or "Amt=" to leave it out; a finished import keeps it for the next sheet with the same headings',
        ),
        new Option(
          '--remedy <remedy...>',
          'what is done with all faults of a kind in lease sheets, as the dry run offers it',
        ),
        new Option(
          '--faults-to <file>',
          'write the rows of lease sheets with faults here, and why',
        ),
      ],
      says: 'Exits with 1 if a facility was skipped.',
      examples: [
        '{} import ./from-the-old-system --dry-run',
        '{} import ./from-the-old-system --dry-run --late-from 2026-12-15',
        '{} import ./from-the-old-system',
        '{} import ./rent-roll.xlsx --facility TXDFW03 --dry-run',
        '{} import ./rent-roll.xlsx --facility TXDFW03 --remedy two-digit-year --remedy area-code=817',
      ],
    },
    run,
    importPaths,
  );
}

async function importPaths(
  { db, vault, clock, config, log }: OwnerContext,
  given: Given,
  { progress: onProgress }: Terminal,
): Promise<Answer> {
  const { paths, dryRun = false, lateFrom = null, joined = [] } = given;
  const { corporationCode } = config;
  const queue = await openOwnersQueue(db, log);
  const mail = { config, clock, log, vault, enqueue: queue.enqueue };
  const context = { db, vault, clock, mail, corporationCode, lateFrom, joined, onProgress };
  try {
    const [folder = '', ...others] = paths;
    const found = await stat(folder).catch((error: unknown) => {
      throw readingFault(error, folder);
    });
    if (!found.isDirectory()) return await runSheets(context, given);
    if (others.length > 0) throw new StartFault('Name one folder, or lease sheets.');
    const result = await importFolder(context, folder, dryRun);
    return {
      json: { dryRun, ...result },
      lines: linesOf(result, dryRun),
      code: result.faults.total === 0 ? exitCodes.DONE : exitCodes.FAULT,
    };
  } finally {
    await queue.stop();
  }
}

async function runSheets(
  context: ImportContext,
  { paths, dryRun = false, facility = null, column = [], remedy = [], faultsTo }: Given,
): Promise<Answer> {
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
  const sheets = { files, facility, columns: readGiven(column), remedies };
  const result = await importSheets(context, sheets, dryRun);
  if (faultsTo !== undefined) await writeFaultyRows(faultsTo, result);
  const lines = sheetsLines(result);
  const isClean = result.faults.length === 0;
  if (result.import !== null) {
    const imported = { ...result.import, faults: { total: 0, byFile: {}, listed: [] } };
    lines.push(...linesOf(imported, dryRun || !isClean));
  }
  const code = result.import !== null && isClean ? exitCodes.DONE : exitCodes.FAULT;
  return { json: { dryRun, ...result }, lines, code };
}

function linesOf(result: ImportResult, isDryRun: boolean): string[] {
  const { files, imported, refused, faults, erased, unknownFiles } = result;
  const lines = faults.listed.map(faultText);
  if (faults.total > faults.listed.length)
    lines.push(`… and ${faults.total - faults.listed.length} more faults.`);
  if (faults.total > 0) lines.push('');
  const table = [
    ['file', 'rows', 'new', 'changed', 'faults'],
    ...files.map(({ file, rows, made, changed }) => [
      file,
      ...[rows, made, changed, faults.byFile[file] ?? 0].map(String),
    ]),
  ];
  const sums = [
    ...moneyLines(result.money, isDryRun),
    ...firstDayLines(result.firstDays),
    ...prepaidLines(result.prepaidRises),
  ];
  lines.push(...columnsOf(table, 1), ...sums, ...(sums.length > 0 ? [''] : []));
  const count = `${imported.length} ${imported.length === 1 ? 'facility' : 'facilities'}`;
  lines.push(isDryRun ? `${count} would be imported; nothing was changed.` : `${count} imported.`);
  if (refused.length > 0) lines.push(`Left out because of faults: ${refused.join(', ')}.`);
  if (erased > 0)
    lines.push(
      erased === 1
        ? '1 tenant was erased and is left as it is.'
        : `${erased} tenants were erased and are left as they are.`,
    );
  return [...lines, ...unknownFilesText(unknownFiles)];
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
