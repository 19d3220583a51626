import { Option, type Command } from 'commander';
import { restoreBackup } from '#operator/backup/restore.ts';
import { COMMAND } from '#config/command.ts';
import { dryRunOption } from './options.ts';
import { ownCommand, type Answer } from './own-command.ts';
import { exitCodes, type Terminal, type WholeRunner, type WholeScene } from './runner.ts';

/** `restore`: a backup into an empty database, whole or not at all (R23). */
export function restoreCommand(run: WholeRunner): Command {
  return ownCommand(
    {
      name: 'restore',
      summary: 'Restores a backup into an empty database, completely or not at all.',
      argument: [
        '<backup>',
        'the folder of one backup, such as /var/backups/gatehouse/gatehouse-20261121T214826Z',
      ],
      options: [
        new Option(
          '--other-secret',
          'accept a backup that was made under another SECRET_KEY, which is lost',
        ),
        dryRunOption('check the backup, the keys and the database, and write nothing'),
      ],
      says: `Set DATABASE_URL to a new database (createdb), or DATA_DIR to a folder without one, and the DATA_KEYS and SECRET_KEY of the
server. A database that holds data is refused. Waiting jobs are queued again, so unsent mails are sent, and mails that were
sent after the backup are sent once more. Run ${COMMAND} reconcile afterwards to find payments after the backup. With
--other-secret, a request that is repeated with its old key counts as a new one. Exits with 3 if everything was restored but
the backup already had faults.`,
      examples: [
        'DATABASE_URL=postgresql://gatehouse@localhost/restored {} restore /var/backups/gatehouse/gatehouse-20261121T214826Z',
        '{} restore /var/backups/gatehouse/gatehouse-20261121T214826Z --dry-run',
      ],
    },
    (work) => run(work, { database: 'new' }),
    restore,
  );
}

async function restore(
  { config, url, signal }: WholeScene,
  given: { backup: string; otherSecret?: boolean; dryRun?: boolean },
  terminal: Terminal,
): Promise<Answer> {
  const { backup: folder, otherSecret = false, dryRun = false } = given;
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
  const held = `${rows} rows, ${jobs} waiting jobs and ${photos} photos`;
  const says = dryRun
    ? `The backup of ${madeAt} fits: ${held}. Nothing was written.`
    : `Restored as of ${madeAt}: ${held}. Start the server; then ask the gateway what came after: ${COMMAND} reconcile.`;
  return {
    json: restored,
    lines: [says, ...faults.map((fault) => `LOOK AT: ${fault}`)],
    code: faults.length === 0 ? exitCodes.DONE : exitCodes.PARKED,
  };
}
