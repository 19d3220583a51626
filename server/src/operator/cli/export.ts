import { Option, type Command } from 'commander';
import { exportFolder } from '#operator/imports/export.ts';
import { columnsOf } from './columns.ts';
import { facilityOption } from './options.ts';
import { ownCommand, type Answer } from './own-command.ts';
import type { OwnerContext, OwnerRunner, Terminal } from './runner.ts';

/** `export <folder>`: writes what the database holds as the files that `import` reads. */
export function exportCommand(run: OwnerRunner): Command {
  return ownCommand(
    {
      name: 'export',
      summary:
        'Exports facilities, units, tenants, rentals, charges, payments and more as CSV files that "import" reads: a snapshot, without cells that a spreadsheet evaluates as formulas.',
      argument: ['<folder>', 'a new folder, or one without any of the files'],
      options: [
        facilityOption(),
        new Option(
          '--with-secrets',
          "with driver's licenses, gate codes and the tokens of saved methods in plain: keep such a folder as you keep keys",
        ),
      ],
      examples: ['{} export ./export', '{} export ./moving --facility TXDFW03 --with-secrets'],
    },
    run,
    exportAll,
  );
}

type Given = { folder: string; facility?: string | null; withSecrets?: boolean };

async function exportAll(
  { db, vault, clock, config: { corporationCode } }: OwnerContext,
  { folder, facility = null, withSecrets = false }: Given,
  { progress: onProgress }: Terminal,
): Promise<Answer> {
  const from = { db, vault, clock, corporationCode };
  const rows = await exportFolder({ ...from, folder, facility, withSecrets, onProgress });
  const table = Object.entries(rows).map(([file, count]) => [file, `${count} rows`]);
  return {
    json: { folder, rows },
    lines: [...columnsOf(table, 1), `Written to ${folder}.`],
  };
}
