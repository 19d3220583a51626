import { Command } from 'commander';
import { restoreBackup } from '#operator/backup/restore.ts';
import { COMMAND } from '#config/command.ts';
import { exitCodes, type WholeRunner, type WholeScene } from './runner.ts';

type Options = { otherSecret?: boolean; dryRun?: boolean; json?: boolean };

/** `restore`: a backup into an empty database, whole or not at all (R23). */
export function restoreCommand(run: WholeRunner): Command {
  return new Command('restore')
    .description('Restores a backup into an empty database, completely or not at all.')
    .argument(
      '<backup>',
      'the folder of one backup, such as /var/backups/gatehouse/gatehouse-20261121T214826Z',
    )
    .option(
      '--other-secret',
      'accept a backup that was made under another SECRET_KEY, which is lost',
    )
    .option('--dry-run', 'check the backup, the keys and the database, and write nothing')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Set DATABASE_URL to a new database (createdb), or DATA_DIR to a folder without one, and the DATA_KEYS and SECRET_KEY of the
server. A database that holds data is refused. Waiting jobs are queued again, so unsent mails are sent, and mails that were
sent after the backup are sent once more. Run ${COMMAND} reconcile afterwards to find payments after the backup. With
--other-secret, a request that is repeated with its old key counts as a new one. Exits with 3 if everything was restored but
the backup already had faults.

Examples:
  DATABASE_URL=postgresql://gatehouse@localhost/restored ${COMMAND} restore /var/backups/gatehouse/gatehouse-20261121T214826Z
  ${COMMAND} restore /var/backups/gatehouse/gatehouse-20261121T214826Z --dry-run`,
    )
    .action((folder: string, options: Options) =>
      run((scene) => restore(scene, folder, options), { database: 'new' }),
    );
}

async function restore(
  { config, url, terminal, signal }: WholeScene,
  folder: string,
  { otherSecret = false, dryRun = false, json = false }: Options,
) {
  const restored = await restoreBackup({
    url,
    config,
    folder,
    takesOtherSecret: otherSecret,
    isDry: dryRun,
    signal,
    onProgress: terminal.progress,
  });
  const { madeAt, rows, jobs, photos, faults } = restored;
  if (json) terminal.line(JSON.stringify(restored));
  else {
    const held = `${rows} rows, ${jobs} waiting jobs and ${photos} photos`;
    terminal.line(
      dryRun
        ? `The backup of ${madeAt} fits: ${held}. Nothing was written.`
        : `Restored as of ${madeAt}: ${held}. Start the server; then ask the gateway what came after: ${COMMAND} reconcile.`,
    );
    for (const fault of faults) terminal.line(`LOOK AT: ${fault}`);
  }
  return faults.length === 0 ? exitCodes.DONE : exitCodes.PARKED;
}
