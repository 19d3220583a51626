import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { exportFolder } from '#operator/imports/export.ts';
import { columnsOf } from './columns.ts';
import { exitCodes, type OwnerRunner } from './runner.ts';

type Options = { facility?: string; withSecrets?: boolean; json?: boolean };

/** `export <folder>`: writes what the database holds as the files that `import` reads. */
export function exportCommand(run: OwnerRunner): Command {
  return new Command('export')
    .description(
      'Exports facilities, units, tenants, rentals, charges, payments and more as CSV files that "import" reads: a snapshot, without cells that a spreadsheet evaluates as formulas.',
    )
    .argument('<folder>', 'a new folder, or one without any of the files')
    .option('--facility <code>', 'only this facility, by its location code (default: all)')
    .option(
      '--with-secrets',
      "with driver's licenses, gate codes and the tokens of saved methods in plain: keep such a folder as you keep keys",
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  ${COMMAND} export ./export
  ${COMMAND} export ./moving --facility TXDFW03 --with-secrets`,
    )
    .action((folder: string, { facility, withSecrets = false, json = false }: Options) =>
      run(async ({ db, vault, clock, config: { corporationCode } }, terminal) => {
        const order = {
          db,
          vault,
          clock,
          corporationCode,
          folder,
          facility: facility ?? null,
          withSecrets,
        };
        const rows = await exportFolder({ ...order, onProgress: terminal.progress });
        if (json) terminal.line(JSON.stringify({ folder, rows }));
        else {
          const table = Object.entries(rows).map(([file, count]) => [file, `${count} rows`]);
          for (const line of columnsOf(table, 1)) terminal.line(line);
          terminal.line(`Written to ${folder}.`);
        }
        return exitCodes.DONE;
      }),
    );
}
