import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { Command } from 'commander';
import type { Context } from '#context/context.ts';
import { noTotals, runBilling } from '#features/money/billing/billing.ts';
import { countLateFees, postLateFees } from '#features/money/billing/late-fees.ts';
import { codeOf, runAtEach, runOptions, runTable, type RunGiven } from './facility-runs.ts';
import { ownCommand, type Answer } from './own-command.ts';
import type { Runner, Terminal } from './runner.ts';

/**
 * `billing run`: bills one facility or all of them, as the server does by itself at four in the
 * morning.
 */
export function billingCommand(run: Runner): Command {
  return new Command('billing')
    .description('Bills rent, protection plans, taxes and fees.')
    .addCommand(
      ownCommand(
        {
          name: 'run',
          summary:
            'Bills every period that is due and not billed yet, and late fees. Each is billed exactly once.',
          options: runOptions(
            'bill up to this day',
            'print what would be billed, with late fees, and change nothing; the day may be in the future',
          ),
          examples: [
            '{} billing run',
            '{} billing run --date 2026-12-01 --dry-run',
            '{} billing run --date 2026-11-01 --facility TXDFW03 --json',
          ],
          json: 'print one JSON object, sums in cents',
        },
        run,
        bill,
      ),
    );
}

const columns = {
  ledgers: 'ledgers',
  periods: 'periods',
  rent: 'rentCents',
  discounts: 'discountCents',
  plans: 'insuranceCents',
  fees: 'feeCents',
  taxes: 'taxCents',
  total: 'totalCents',
  parked: 'parked',
} as const;

/** `lateFees` is how many, `lateFeeCents` their sum in a dry run. */
async function bill(ctx: Context, given: RunGiven, terminal: Terminal): Promise<Answer> {
  const { dryRun = false } = given;
  const refusal = dryRun ? null : 'a day to come can only be looked at, with --dry-run.';
  const billed = await runAtEach(
    ctx,
    terminal,
    given,
    { none: noTotals(), refusal },
    async (at) => {
      const totals = await runBilling(ctx, { ...at, dryRun });
      const { count, cents } = dryRun
        ? await countLateFees(ctx.db, at)
        : { count: await postLateFees(ctx, at), cents: undefined };
      return { ...totals, lateFees: count, lateFeeCents: cents };
    },
  );
  const lines = [
    dryRun ? 'This would be billed; nothing was changed.' : 'Billed:',
    ...runTable(billed, 'up to', columns),
  ];
  const lateFees = billed.facilities.reduce((count, at) => count + at.lateFees, 0);
  const cents = billed.facilities.reduce((sum, at) => sum + (at.lateFeeCents ?? 0), 0);
  if (lateFees > 0)
    lines.push(`Late fees: ${lateFees}${dryRun ? `, ${formatMoney(toDollars(cents))}` : ''}`);
  const code = codeOf(billed.facilities, billed.total.parked);
  return { json: { dryRun, ...billed }, lines, code };
}
