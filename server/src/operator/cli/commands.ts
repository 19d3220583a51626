import { officeVerbs, type OfficeVerbName } from '@gatehouse/contract/office/verbs';
import type { Command } from 'commander';
import { auditCommand } from './audit.ts';
import { autopayCommand } from './autopay.ts';
import { billingCommand } from './billing.ts';
import { reconcileCommand } from './reconcile.ts';
import { requestsCommand } from './requests.ts';
import { runAsOwner, type OwnerRunner, type Runner } from './runner.ts';
import { addRead, addVerb } from './staff-command.ts';
import { staffCommand } from './staff.ts';
import { staffReads } from './staff-reads.ts';
import { usersCommand } from './users.ts';

const own = [
  billingCommand,
  autopayCommand,
  reconcileCommand,
  auditCommand,
  requestsCommand,
  usersCommand,
];

/**
 * The commands that run on the server's database with the server's rights: the daily work of staff
 * and operator. What staff do and look up comes from the verbs of the contract and from
 * `staffReads`.
 */
export function databaseCommands(run: Runner, runOwner: OwnerRunner = runAsOwner): Command[] {
  const commands = [...own.map((make) => make(run)), staffCommand(run, runOwner)];
  for (const read of staffReads) addRead(commands, run, read);
  for (const name of Object.keys(officeVerbs) as OfficeVerbName[])
    if (!officeVerbs[name].verb.isByAccount) addVerb(commands, run, name);
  for (const command of commands)
    if (command.description() === '')
      command.description(`${command.commands.map((one) => one.name()).join(', ')}.`);
  return commands;
}
