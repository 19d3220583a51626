import { Command } from 'commander';
import { COMMAND } from '#command.ts';
import type { Context } from '#context.ts';
import { reconcileDay, reconcileOpenIntents, reconcileToday } from '#features/reconciliation/reconciliation.ts';
import { StartFault } from '#start-fault.ts';
import { calendarDate } from './facilities.ts';
import { checkGateway, gatewayFault } from './gateway.ts';
import { exitCodes, type Runner, type Terminal } from './runner.ts';

type Options = { from?: string; to?: string; json?: boolean };

/** `reconcile`: holds the books against the gateway's list, as the server does by itself once a day. */
export function reconcileCommand(run: Runner): Command {
  return new Command('reconcile')
    .description('Looks up open payments, and compares what was posted with what the gateway lists.')
    .option(
      '--from <day>',
      'the first day, UTC, as 2026-11-01 (default: since the last run, and 70 days before; with --to the day before that)',
      calendarDate,
    )
    .option('--to <day>', 'the day after the last, UTC (default: now)', calendarDate)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Differences stay in the table "differences", and each is told once. Exits with 3 where this run found new ones.

Examples:
  ${COMMAND} reconcile
  ${COMMAND} reconcile --from 2026-11-01 --to 2026-11-08 --json`,
    )
    .action((options: Options) => run((ctx, terminal) => reconcile(ctx, terminal, options)));
}

async function reconcile(ctx: Context, terminal: Terminal, { from, to, json = false }: Options) {
  const end = to === undefined ? ctx.clock.now() : new Date(to);
  const begin = from === undefined ? new Date(end.getTime() - 86_400_000) : new Date(from);
  if (begin >= end || begin >= ctx.clock.now())
    throw new StartFault('There is nothing to compare: --from must be before --to, and the first day not one to come.');
  await checkGateway(ctx);
  const compare = async () => {
    await reconcileOpenIntents(ctx);
    return from === undefined && to === undefined ? reconcileToday(ctx) : reconcileDay(ctx, begin, end);
  };
  const { id, compared, found, ...window } = await compare().catch((error: unknown) => {
    throw gatewayFault(error, 'nothing was compared') ?? error;
  });
  const times = { from: window.from.toISOString(), to: window.to.toISOString() };
  if (json) terminal.line(JSON.stringify({ id, ...times, compared, found }));
  else {
    terminal.line(`${compared} lines of the gateway from ${times.from} to ${times.to} were compared.`);
    for (const [name, count] of Object.entries(found)) terminal.line(`${name.padEnd(13)} ${count} new`);
  }
  return Object.values(found).every((count) => count === 0) ? exitCodes.DONE : exitCodes.PARKED;
}
