import { Command, InvalidArgumentError } from 'commander';
import { forgetBackups, makeBackup, planBackup } from '#operator/backup/make.ts';
import { verifyBackup } from '#operator/backup/verify.ts';
import { COMMAND } from '#config/command.ts';
import { exitCodes, type WholeRunner, type WholeScene } from './runner.ts';

type Options = { verify?: boolean; keep?: number; dryRun?: boolean; json?: boolean };

/** `backup`: a snapshot of everything, taken while servers run (R23). */
export function backupCommand(run: WholeRunner): Command {
  return new Command('backup')
    .description(
      'Creates a backup: a snapshot of the database, its waiting jobs and the photos on disk.',
    )
    .argument('<folder>', 'the folder of the backups; with --verify one backup')
    .option(
      '--keep <number>',
      'remove finished backups, except for so many of the newest',
      positive,
    )
    .option('--verify', 'check that a backup is complete and unchanged; needs no database')
    .option('--dry-run', 'print its contents and the free space, and write nothing')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Each backup is a folder, such as gatehouse-20261121T214826Z, which gets its name once it is complete and on disk. It does not
contain keys: keep DATA_KEYS and SECRET_KEY elsewhere, because it cannot be restored without them. It contains addresses of
tenants: protect it like the database. Exits with 3 if photos were missing, and with 1 if --verify finds a fault.

Examples:
  ${COMMAND} backup /var/backups/gatehouse --keep 14
  ${COMMAND} backup /var/backups/gatehouse --dry-run
  ${COMMAND} backup --verify /var/backups/gatehouse/gatehouse-20261121T214826Z`,
    )
    .action((folder: string, { verify, dryRun, ...options }: Options) => {
      if (verify === true)
        return run((scene) => verifyOne(scene, folder, options), { database: 'none' });
      return run((scene) =>
        dryRun === true ? plan(scene, folder, options) : make(scene, folder, options),
      );
    });
}

async function make(
  { config, url, terminal, signal }: WholeScene,
  folder: string,
  { keep, json = false }: Options,
) {
  const made = await makeBackup({ url, config, folder, signal, onProgress: terminal.progress });
  const removed = keep === undefined ? [] : await forgetBackups(folder, keep);
  if (json) terminal.line(JSON.stringify({ ...made, removed }));
  else {
    terminal.line(made.path);
    terminal.line(`${made.rows} rows in ${sizeOf(made.bytes)} and ${made.photos} photos.`);
    if (removed.length > 0) terminal.line(`Removed: ${removed.join(', ')}.`);
    if (made.missing.length > 0)
      terminal.line(
        `MISSING: ${made.missing.length} photos have no file, the first ${made.missing[0]!}.`,
      );
  }
  return made.missing.length === 0 ? exitCodes.DONE : exitCodes.PARKED;
}

async function plan(
  { config, url, terminal }: WholeScene,
  folder: string,
  { json = false }: Options,
) {
  const planned = await planBackup({ url, config, folder });
  if (json) terminal.line(JSON.stringify(planned));
  else {
    const { tables, rows, databaseBytes, photos, freeBytes } = planned;
    terminal.line(
      `${tables} tables with about ${rows} rows, ${sizeOf(databaseBytes)} before compression.`,
    );
    terminal.line(
      `${photos} photos. ${sizeOf(freeBytes)} are free in ${folder}. Nothing was written.`,
    );
  }
  return exitCodes.DONE;
}

async function verifyOne(
  { config, terminal, signal }: WholeScene,
  folder: string,
  { json = false }: Options,
) {
  const verified = await verifyBackup(folder, {
    secret: config.secret,
    signal,
    onProgress: terminal.progress,
  });
  const { manifest, isUnderOurSecret, rows, bytes } = verified;
  if (json)
    terminal.line(JSON.stringify({ madeAt: manifest.madeAt, rows, bytes, isUnderOurSecret }));
  else {
    terminal.line(`The backup of ${manifest.madeAt} is whole: ${rows} rows in ${sizeOf(bytes)}.`);
    if (!isUnderOurSecret)
      terminal.line('It was made under another SECRET_KEY, so changes to it cannot be detected.');
  }
  return exitCodes.DONE;
}

function sizeOf(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1.');
  return Number(text);
}
