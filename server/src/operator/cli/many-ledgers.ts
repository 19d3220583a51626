import { Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '#config/command.ts';
import { makeManyLedgers } from '#seeds/many-ledgers.ts';
import { StartFault } from '#errors/start-fault.ts';
import { exitCodes, type OwnerRunner } from './runner.ts';

const MOST = 4_000_000;

/** `seed --ledgers N`: a world of many rentals, to measure with. */
export function seedCommand(run: OwnerRunner): Command {
  return new Command('seed')
    .description(
      'Creates many rentals with a year of payments each, for measurements: facilities MANY0001 and so on, with 500 rentals each. Sandbox profile only, with the server stopped.',
    )
    .requiredOption('--ledgers <count>', 'how many rentals', count)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
For the demo data, use "npm run seed".

Examples:
  ${COMMAND} seed --ledgers 10000`,
    )
    .action(({ ledgers, json = false }: { ledgers: number; json?: boolean }) =>
      run(async ({ db, config, clock }, terminal) => {
        if (config.profile === 'live')
          throw new StartFault('Generated rentals are for the sandbox profile only.');
        const { corporationCode } = config;
        const onProgress = (progress: { done: number; total: number }) =>
          terminal.progress('Steps', progress);
        await makeManyLedgers(db, { ledgers, corporationCode, clock, onProgress });
        terminal.line(
          json
            ? JSON.stringify({ ledgers })
            : `${ledgers.toLocaleString('en-US')} rentals were made.`,
        );
        return exitCodes.DONE;
      }),
    );
}

function count(text: string): number {
  const number = Number(text.replaceAll(',', ''));
  if (Number.isInteger(number) && number >= 1 && number <= MOST) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
}
