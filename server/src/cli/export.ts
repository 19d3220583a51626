import { Command } from 'commander';
import { COMMAND } from '#command.ts';
import { exportFolder } from '#features/imports/export.ts';
import { exitCodes, type OwnerRunner } from './runner.ts';

type Options = { facility?: string; withSecrets?: boolean; json?: boolean };

/** `export <folder>`: writes what the database holds as the files that `import` reads. */
export function exportCommand(run: OwnerRunner): Command {
  return new Command('export')
    .description(
      'Writes facilities, units, tenants, rentals, charges, payments and more as the CSV files that "import" reads, as of one instant. No cell of them is a formula in a spreadsheet.',
    )
    .argument('<folder>', 'where to: a new folder, or one without any of the files')
    .option('--facility <code>', 'one facility by its location code (default: all)')
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
        const order = { db, vault, clock, corporationCode, folder, facility: facility ?? null, withSecrets };
        const rows = await exportFolder({ ...order, onProgress: terminal.progress });
        if (json) terminal.line(JSON.stringify({ folder, rows }));
        else {
          for (const [file, count] of Object.entries(rows)) terminal.line(`${file.padEnd(22)} ${count} rows`);
          terminal.line(`Written to ${folder}.`);
        }
        return exitCodes.DONE;
      }),
    );
}
