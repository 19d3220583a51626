import { formatMoney } from '@gatehouse/contract/money';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { findFreeUnits } from '#features/reports/free-units.ts';
import { columnsOf } from './columns.ts';
import { calendarDate, findFacilities } from './facilities.ts';
import { exitCodes, type Runner } from './runner.ts';

type Options = { on?: string; facility?: string; json?: boolean };

/** `units free`: what can be let. */
export function unitsCommand(run: Runner): Command {
  const free = new Command('free')
    .description('The units that can be let, with the rent of their last rental.')
    .option(
      '--on <day>',
      'from this day on, such as 2026-12-01 (default: the facility’s today)',
      calendarDate,
    )
    .option('--facility <code>', 'of one facility by its location code (default: all)')
    .option('--json', 'print one JSON object, sums in dollars')
    .addHelpText(
      'after',
      `\nExamples:\n  ${COMMAND} units free --facility TXDFW03\n  ${COMMAND} units free --on 2026-12-01 --json`,
    )
    .action(({ on, facility, json = false }: Options) =>
      run(async (ctx, terminal) => {
        const [only] = facility === undefined ? [] : await findFacilities(ctx.db, facility);
        const found = await findFreeUnits(ctx, { on: on ?? null, facilityId: only?.id ?? null });
        if (json) terminal.line(JSON.stringify(found));
        else if (found.units.length === 0) terminal.line('No unit is free.');
        else {
          const rows = found.units.map((unit) => [
            unit.locationCode,
            unit.unitName,
            `${unit.widthFeet} × ${unit.lengthFeet}`,
            unit.typeName,
            unit.lastRate === null ? '' : formatMoney(unit.lastRate),
          ]);
          const titles = ['facility', 'unit', 'feet', 'type', 'last rent'];
          for (const line of columnsOf([titles, ...rows], 4)) terminal.line(line);
        }
        return exitCodes.DONE;
      }),
    );
  return new Command('units').description('The units that can be let.').addCommand(free);
}
