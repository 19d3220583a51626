import { Command } from 'commander';
import { forgetBackups, makeBackup, planBackup } from '#operator/backup/make.ts';
import { verifyBackup } from '#operator/backup/verify.ts';
import { COMMAND } from '#config/command.ts';
import { numberFrom1 } from './options.ts';
import { print, type Answer } from './own-command.ts';
import { exitCodes, type Terminal, type WholeRunner, type WholeScene } from './runner.ts';

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
      numberFrom1,
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
    .action((folder: string, options: Options) => {
      const { verify = false, dryRun = false, json } = options;
      const act = verify ? verifyOne : dryRun ? plan : make;
      return run(
        async (scene, terminal) =>
          print(terminal, json, await act(scene, folder, options, terminal)),
        { database: verify ? 'none' : 'prepared' },
      );
    });
}

type Act = (
  scene: WholeScene,
  folder: string,
  options: Options,
  terminal: Terminal,
) => Promise<Answer>;

const make: Act = async ({ config, url, signal }, folder, { keep }, terminal) => {
  const made = await makeBackup({ url, config, folder, signal, onProgress: terminal.progress });
  const removed = keep === undefined ? [] : await forgetBackups(folder, keep);
  const { path, rows, bytes, photos, missing } = made;
  const lines = [path, `${rows} rows in ${sizeOf(bytes)} and ${photos} photos.`];
  if (removed.length > 0) lines.push(`Removed: ${removed.join(', ')}.`);
  if (missing.length > 0)
    lines.push(`MISSING: ${missing.length} photos have no file, the first ${missing[0]!}.`);
  const code = missing.length === 0 ? exitCodes.DONE : exitCodes.PARKED;
  return { json: { ...made, removed }, lines, code };
};

const plan: Act = async ({ config, url }, folder) => {
  const planned = await planBackup({ url, config, folder });
  const { tables, rows, databaseBytes, photos, freeBytes } = planned;
  return {
    json: planned,
    lines: [
      `${tables} tables with about ${rows} rows, ${sizeOf(databaseBytes)} before compression.`,
      `${photos} photos. ${sizeOf(freeBytes)} are free in ${folder}. Nothing was written.`,
    ],
  };
};

const verifyOne: Act = async ({ config, signal }, folder, _options, terminal) => {
  const { manifest, isUnderOurSecret, rows, bytes } = await verifyBackup(folder, {
    secret: config.secret,
    signal,
    onProgress: terminal.progress,
  });
  const { madeAt } = manifest;
  const lines = [`The backup of ${madeAt} is whole: ${rows} rows in ${sizeOf(bytes)}.`];
  if (!isUnderOurSecret)
    lines.push('It was made under another SECRET_KEY, so changes to it cannot be detected.');
  return { json: { madeAt, rows, bytes, isUnderOurSecret }, lines };
};

function sizeOf(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
