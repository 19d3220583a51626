import type { Command } from 'commander';
import { allMigrations, isUnmigrated, missingMigrations, openOwnerDatabase } from '#db/database.ts';
import { checkUsable, prepareDatabase } from '#app/prepare.ts';
import { dryRunOption } from './options.ts';
import { ownCommand, type Answer } from './own-command.ts';
import type { WholeRunner, WholeScene } from './runner.ts';

/** `migrate`: only what each start does first, to upgrade several servers. */
export function migrateCommand(run: WholeRunner): Command {
  return ownCommand(
    {
      name: 'migrate',
      summary: 'Migrates the database to this version, as each start of a server does.',
      options: [dryRunOption('list pending migrations, and change nothing')],
      says: `Servers of the previous version can keep running. It adds no data: the demo data of the sandbox profile is created by the
first start of a server.`,
      examples: ['{} migrate --dry-run', '{} migrate'],
    },
    (work) => run(work, { database: 'new' }),
    bringUp,
  );
}

async function bringUp(
  { config, url }: WholeScene,
  { dryRun = false }: { dryRun?: boolean },
): Promise<Answer> {
  const missing = await findMissing(url);
  if (!dryRun) await prepareDatabase(url, config, { seed: false });
  const lines = missing.map((name) => `${dryRun ? 'would run' : 'ran'} ${name}`);
  return {
    json: { migrations: missing, isDone: !dryRun },
    lines: lines.length === 0 ? ['The database is up to date.'] : lines,
  };
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
