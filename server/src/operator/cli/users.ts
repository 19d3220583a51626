import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import type { Context } from '#context/context.ts';
import {
  disableUser,
  enableUser,
  inviteUser,
  NotPossible,
  unlockUser,
  type UserChange,
} from '#features/people/users/users.ts';
import { Refusal } from '#errors/refusal.ts';
import { StartFault } from '#errors/start-fault.ts';
import { findFacilities } from './facilities.ts';
import { exitCodes, type Runner } from './runner.ts';

type Options = { dryRun?: boolean; json?: boolean; facility?: string };

/** `users invite|disable|enable|unlock`: what an operator does about a tenant’s sign-in. */
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
      .option('--dry-run', 'print what would change, and change nothing')
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
    'Mails an invitation to register to a tenant’s address on file.',
    `
An address is invited at most three times a day, and not if it already has a sign-in.

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
    'Disables a sign-in and ends all its sessions at once; rentals and autopay continue.',
    `
The address is notified by mail. Nothing is deleted: users enable restores the sign-in.

Examples:
  ${COMMAND} users disable dana@example.com
  ${COMMAND} users disable dana@example.com --dry-run`,
    (ctx, email, { dryRun = false }) => disableUser(ctx, email, dryRun),
  );

  add(
    'enable',
    'Enables a disabled sign-in again, with the same password.',
    `
Examples:
  ${COMMAND} users enable dana@example.com`,
    (ctx, email, { dryRun = false }) => enableUser(ctx, email, dryRun),
  );

  add(
    'unlock',
    'Resets the counts of wrong passwords and codes, so that the owner can sign in without waiting.',
    `
It does not change the password or enable a disabled sign-in.

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
