import { formatMoney } from '@gatehouse/contract/money';
import { PAY_LINK_DAYS } from '@gatehouse/contract/pay-links';
import { createPayLink, payLinkStates, revokePayLink } from '@gatehouse/contract/staff-pay-links';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { findPayLinks } from '#features/pay-links/links.ts';
import { createPayLinkFor, revokePayLinkOf } from '#features/pay-links/staff.ts';
import { columnsOf } from './columns.ts';
import { exitCodes, type Runner } from './runner.ts';
import { addStaffCommand, dollarAmount, recordId } from './staff-command.ts';

type CreateOptions = { ledger: string; amount?: number; mail?: boolean };

/** `pay-links list|create|revoke`: links by which a debt is paid without signing in. */
export function payLinksCommand(run: Runner): Command {
  const links = new Command('pay-links').description('Links by which a debt can be paid once.');
  addList(links, run);
  addStaffCommand<typeof createPayLink, CreateOptions>(links, run, {
    verb: createPayLink,
    name: 'create',
    declare: (command) =>
      command
        .requiredOption('--ledger <id>', 'the rental, by its id', recordId)
        .option('--amount <dollars>', 'how much (default: all that is owed)', dollarAmount)
        .option('--mail', 'mail it to the tenant’s address on record'),
    bodyOf: ({ ledger, amount, mail }) => ({ ledgerId: ledger, amount, isMailed: mail }),
    work: createPayLinkFor,
    print: ({ unitName, amount, url, mailedTo }, isPreview) => [
      `A link for ${formatMoney(amount)} of unit ${unitName} ${isPreview ? 'would be' : 'is'} made, good for ${PAY_LINK_DAYS} days.`,
      ...(mailedTo === null ? [] : [`It ${isPreview ? 'would be' : 'is'} mailed to ${mailedTo}.`]),
      ...(url === null ? [] : [url]),
    ],
    help: `  ${COMMAND} pay-links create --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --mail --by Ana
  ${COMMAND} pay-links create --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --amount 100 --dry-run`,
  });
  addStaffCommand<typeof revokePayLink, object>(links, run, {
    verb: revokePayLink,
    name: 'revoke',
    declare: (command) =>
      command.argument('<link>', 'the link, by the id that list prints', recordId),
    bodyOf: (_, payLinkId) => ({ payLinkId }),
    work: revokePayLinkOf,
    print: ({ unitName, amount }, isPreview) => [
      `The link for ${formatMoney(amount)} of unit ${unitName} ${isPreview ? 'would be' : 'is'} revoked.`,
    ],
    help: `  ${COMMAND} pay-links revoke 5d0a7c1e-9f42-4b6d-8e35-2c1b0a9f8e7d --by Ana`,
  });
  return links;
}

function addList(links: Command, run: Runner): void {
  links
    .command('list')
    .description('The pay links of a tenant record of the last 90 days, newest first.')
    .requiredOption('--tenant <id>', 'the tenant record, by its id', recordId)
    .option('--json', 'print one JSON object, sums in dollars')
    .addHelpText(
      'after',
      `\nExamples:\n  ${COMMAND} pay-links list --tenant 0d9f2c5e-6a1b-4c3d-8e7f-1a2b3c4d5e6f`,
    )
    .action(({ tenant, json = false }: { tenant: string; json?: boolean }) =>
      run(async (ctx, terminal) => {
        const found = await findPayLinks(ctx, tenant);
        if (json) terminal.line(JSON.stringify({ payLinks: found }));
        else if (found.length === 0) terminal.line('There is no pay link.');
        else {
          const rows = found.map((link) => [
            link.payLinkId,
            link.unitName,
            formatMoney(link.amount),
            formatMoney(link.left),
            `${link.endsAt.slice(0, 16)}Z`,
            payLinkStates[link.state],
            link.by,
          ]);
          const titles = ['link', 'unit', 'amount', 'left', 'until', 'state', 'by'];
          for (const line of columnsOf([titles, ...rows])) terminal.line(line);
        }
        return exitCodes.DONE;
      }),
    );
}
