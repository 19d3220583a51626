import { Command } from 'commander';
import { COMMAND } from '#command.ts';
import type { Context } from '#context.ts';
import {
  disableUser,
  enableUser,
  inviteUser,
  NotPossible,
  unlockUser,
  type UserChange,
} from '#features/users/users.ts';
import { Refusal } from '#refusal.ts';
import { StartFault } from '#start-fault.ts';
import { findFacilities } from './facilities.ts';
import { exitCodes, type Runner } from './runner.ts';

type Options = { dryRun?: boolean; json?: boolean; facility?: string };

/** `users invite|disable|enable|unlock`: what an operator does about somebody’s sign-in. */
export function usersCommand(run: Runner): Command {
  const users = new Command('users').description('The sign-ins of tenants.');
  const add = (
    name: string,
    description: string,
    help: string,
    work: (ctx: Context, email: string, options: Options) => Promise<UserChange>,
  ) =>
    users
      .command(name)
      .description(description)
      .argument('<email>', 'the address that signs in')
      .option('--dry-run', 'print what would be done, and change nothing')
      .option('--json', 'print one JSON object')
      .addHelpText('after', help)
      .action((email: string, options: Options) =>
        run(async (ctx, terminal) => {
          const change = await work(ctx, email.trim(), options).catch(toFault);
          const { dryRun = false, json = false } = options;
          terminal.line(json ? JSON.stringify({ dryRun, ...change }) : sentenceOf(change, dryRun));
          return exitCodes.DONE;
        }),
      );

  add(
    'invite',
    'Mails a tenant the way to register, to the address that the facility has on file.',
    `
An address is invited three times a day at most. Who has a sign-in already is not invited.

Examples:
  ${COMMAND} users invite dana@example.com --facility TXDFW03
  ${COMMAND} users invite dana@example.com --facility TXDFW03 --dry-run --json`,
    async (ctx, email, { facility = '', dryRun = false }) => {
      await findFacilities(ctx.db, facility);
      return inviteUser(ctx, email, facility, dryRun);
    },
  ).requiredOption('--facility <code>', 'the facility by its location code');

  add(
    'disable',
    'Disables a sign-in and ends all its sessions at once; rentals and autopay go on.',
    `
The address is told by mail. Nothing is deleted: users enable gives the sign-in back.

Examples:
  ${COMMAND} users disable dana@example.com
  ${COMMAND} users disable dana@example.com --dry-run`,
    (ctx, email, { dryRun = false }) => disableUser(ctx, email, dryRun),
  );

  add(
    'enable',
    'Gives a disabled sign-in back, with the password that it had.',
    `
Examples:
  ${COMMAND} users enable dana@example.com`,
    (ctx, email, { dryRun = false }) => enableUser(ctx, email, dryRun),
  );

  add(
    'unlock',
    'Forgets the wrong passwords and codes of a sign-in, so that its owner need not wait.',
    `
It does not change the password and enables nobody.

Examples:
  ${COMMAND} users unlock dana@example.com`,
    (ctx, email, { dryRun = false }) => unlockUser(ctx, email, dryRun),
  );
  return users;
}

function toFault(error: unknown): never {
  if (error instanceof NotPossible || error instanceof Refusal) throw new StartFault(error.message);
  throw error;
}

function sentenceOf({ action, email, isChanged, ended }: UserChange, dryRun: boolean): string {
  const would = dryRun ? 'would be' : 'is';
  switch (action) {
    case 'invited':
      return dryRun ? `${email} would be invited by mail.` : `${email} is invited by mail.`;
    case 'disabled':
      return isChanged
        ? `${email} ${would} disabled; sessions ended: ${ended}.`
        : `${email} was disabled already; sessions ended: ${ended}.`;
    case 'enabled':
      return isChanged ? `${email} ${would} enabled.` : `${email} was not disabled.`;
    case 'unlocked':
      return isChanged
        ? `${email} ${would} unlocked; counts forgotten: ${ended}.`
        : `${email} has nothing to wait for.`;
  }
}
