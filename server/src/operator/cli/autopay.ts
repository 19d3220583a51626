import { Command } from 'commander';
import type { Context } from '#context/context.ts';
import { foreseeAutopay, noAttempts, runAutopay } from '#features/money/autopay/run.ts';
import { codeOf, runAtEach, runOptions, runTable, type RunGiven } from './facility-runs.ts';
import { checkGateway, gatewayFault } from './gateway.ts';
import { ownCommand, type Answer } from './own-command.ts';
import type { Runner, Terminal } from './runner.ts';

/**
 * `autopay run`: charges what is due by autopay, as the server does by itself after each day's
 * billing.
 */
export function autopayCommand(run: Runner): Command {
  return new Command('autopay')
    .description('Charges what is due by autopay, and turns it off.')
    .addCommand(
      ownCommand(
        {
          name: 'run',
          summary:
            'Charges the balance of each rental on autopay on its due date, and retries declined charges. A due date is charged once, however often this runs.',
          options: runOptions(
            'the day to run for',
            'print what would be charged, without calling the gateway, and change nothing',
          ),
          examples: [
            '{} autopay run',
            '{} autopay run --dry-run',
            '{} autopay run --facility TXDFW03 --json',
          ],
          json: 'print one JSON object, sums in cents',
        },
        run,
        (ctx, given: RunGiven, terminal) =>
          given.dryRun ? foresee(ctx, given, terminal) : charge(ctx, given, terminal),
      ),
    );
}

const refusal = 'nothing is charged for a day to come.';

async function charge(ctx: Context, given: RunGiven, terminal: Terminal): Promise<Answer> {
  await checkGateway(ctx);
  const kind = { none: noAttempts(), refusal };
  const charged = await runAtEach(ctx, terminal, given, kind, (at, code) =>
    runAutopay(ctx, at).catch((error: unknown) => {
      const left = `the run ended at ${code}, and what was charged stays charged`;
      throw gatewayFault(error, left) ?? error;
    }),
  );
  const lines = runTable(charged, 'day', {
    attempts: 'attempts',
    taken: 'taken',
    sum: 'takenCents',
    declined: 'declined',
    'not sent': 'notSent',
    unknown: 'unknown',
    skipped: 'skipped',
    failed: 'failed',
  });
  return { json: charged, lines, code: codeOf(charged.facilities, charged.total.failed) };
}

async function foresee(ctx: Context, given: RunGiven, terminal: Terminal): Promise<Answer> {
  const kind = { none: { attempts: 0, cents: 0, skipped: 0 }, refusal };
  const foreseen = await runAtEach(ctx, terminal, given, kind, (at) => foreseeAutopay(ctx, at));
  const lines = [
    'This would be charged; nothing was changed.',
    ...runTable(foreseen, 'day', { attempts: 'attempts', sum: 'cents', skipped: 'skipped' }),
  ];
  return { json: { dryRun: true, ...foreseen }, lines, code: codeOf(foreseen.facilities, 0) };
}
