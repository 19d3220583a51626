import { Command } from 'commander';
import { restoreBackup } from '#backup/restore.ts';
import { COMMAND } from '#command.ts';
import { exitCodes, type WholeRunner, type WholeScene } from './runner.ts';

type Options = { otherSecret?: boolean; dryRun?: boolean; json?: boolean };

/** `restore`: a backup into an empty database, whole or not at all (R23). */
export function restoreCommand(run: WholeRunner): Command {
  return new Command('restore')
    .description('Restores a backup into an empty database: all of it, or nothing where anything is wrong.')
    .argument('<backup>', 'the folder of one backup, such as /var/backups/gatehouse/gatehouse-20261121T214826Z')
    .option('--other-secret', 'take a backup that was made under another SECRET_KEY, which is lost')
    .option('--dry-run', 'check the backup, the keys and the database, and write nothing')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Give it the DATABASE_URL of a new database (createdb), or a DATA_DIR without one, and the DATA_KEYS and SECRET_KEY of the
server. A database that holds data is refused. Jobs that were not done are queued again, so mails that had not gone out go
out now, and some that went out after the backup go out once more. Payments after the backup are found by ${COMMAND}
reconcile, which asks the gateway. With --other-secret a request that is repeated with its old key counts as a new one. Exits
with 3 where all is restored but something was wrong with it before.

Examples:
  DATABASE_URL=postgresql://gatehouse@localhost/restored ${COMMAND} restore /var/backups/gatehouse/gatehouse-20261121T214826Z
  ${COMMAND} restore /var/backups/gatehouse/gatehouse-20261121T214826Z --dry-run`,
    )
    .action((folder: string, options: Options) => run((scene) => restore(scene, folder, options), { database: 'new' }));
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
