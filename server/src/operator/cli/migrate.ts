import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { allMigrations, isUnmigrated, missingMigrations, openOwnerDatabase } from '#db/database.ts';
import { checkUsable, prepareDatabase } from '#app/prepare.ts';
import { exitCodes, type WholeRunner, type WholeScene } from './runner.ts';

type Options = { dryRun?: boolean; json?: boolean };

/** `migrate`: only what each start does first, to upgrade several servers. */
export function migrateCommand(run: WholeRunner): Command {
  return new Command('migrate')
    .description('Migrates the database to this version, as each start of a server does.')
    .option('--dry-run', 'list pending migrations, and change nothing')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Servers of the previous version can keep running. It adds no data: the demo data of the sandbox profile is created by the
first start of a server.

Examples:
  ${COMMAND} migrate --dry-run
  ${COMMAND} migrate`,
    )
    .action((options: Options) => run((scene) => bringUp(scene, options), { database: 'new' }));
}

async function bringUp(
  { config, url, terminal }: WholeScene,
  { dryRun = false, json = false }: Options,
) {
  const missing = await findMissing(url);
  if (!dryRun) await prepareDatabase(url, config, { seed: false });
  if (json) terminal.line(JSON.stringify({ migrations: missing, isDone: !dryRun }));
  else if (missing.length === 0) terminal.line('The database is up to date.');
  else for (const name of missing) terminal.line(`${dryRun ? 'would run' : 'ran'} ${name}`);
  return exitCodes.DONE;
}

async function findMissing(url: string): Promise<string[]> {
  const owner = openOwnerDatabase(url);
  try {
    await checkUsable(owner);
    return await ((await isUnmigrated(owner)) ? allMigrations() : missingMigrations(owner));
  } finally {
    await owner.destroy();
  }
}
