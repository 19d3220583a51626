import { Option, type Command } from 'commander';
import type { Context } from '#context/context.ts';
import {
  reconcileDay,
  reconcileOpenIntents,
  reconcileToday,
} from '#features/money/reconciliation/reconciliation.ts';
import { StartFault } from '#errors/start-fault.ts';
import { calendarDate } from './facilities.ts';
import { checkGateway, gatewayFault } from './gateway.ts';
import { columnsOf } from './columns.ts';
import { ownCommand, type Answer } from './own-command.ts';
import { exitCodes, type Runner } from './runner.ts';

/** `reconcile`: compares the books with the gateway's list, as the server does once a day. */
export function reconcileCommand(run: Runner): Command {
  return ownCommand(
    {
      name: 'reconcile',
      summary: 'Looks up open payments, and compares the books with the gateway’s list.',
      options: [
        new Option(
          '--from <day>',
          'first day in UTC, such as 2026-11-01 (default: 70 days before the last run; with --to the day before it)',
        ).argParser(calendarDate),
        new Option('--to <day>', 'the day after the last day, in UTC (default: now)').argParser(
          calendarDate,
        ),
      ],
      says: 'Differences are kept in the table "differences", and each is reported once. Exits with 3 if this run found new ones.',
      examples: ['{} reconcile', '{} reconcile --from 2026-11-01 --to 2026-11-08 --json'],
    },
    run,
    reconcile,
  );
}

async function reconcile(
  ctx: Context,
  { from, to }: { from?: string; to?: string },
): Promise<Answer> {
  const end = to === undefined ? ctx.clock.now() : new Date(to);
  const begin = from === undefined ? new Date(end.getTime() - 86_400_000) : new Date(from);
  if (begin >= end || begin >= ctx.clock.now())
    throw new StartFault(
      'There is nothing to compare: --from must be before --to, and the first day not one to come.',
    );
  await checkGateway(ctx);
  const compare = async () => {
    await reconcileOpenIntents(ctx);
    return from === undefined && to === undefined
      ? reconcileToday(ctx)
      : reconcileDay(ctx, begin, end);
  };
  const { id, compared, found, ...window } = await compare().catch((error: unknown) => {
    throw gatewayFault(error, 'nothing was compared') ?? error;
  });
  const times = { from: window.from.toISOString(), to: window.to.toISOString() };
  const table = Object.entries(found).map(([name, count]) => [name, `${count} new`]);
  return {
    json: { id, ...times, compared, found },
    lines: [
      `${compared} lines of the gateway from ${times.from} to ${times.to} were compared.`,
      ...columnsOf(table, 1),
    ],
    code: Object.values(found).every((count) => count === 0) ? exitCodes.DONE : exitCodes.PARKED,
  };
}
