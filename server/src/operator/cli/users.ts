import { Command, Option } from 'commander';
import type { Context } from '#context/context.ts';
import {
  disableUser,
  enableUser,
  inviteUser,
  unlockUser,
  type UserChange,
} from '#features/people/users/users.ts';
import { findFacilities } from './facilities.ts';
import { dryRunOption } from './options.ts';
import { ownCommand } from './own-command.ts';
import type { Runner } from './runner.ts';

type Given = { email: string; dryRun?: boolean; facility?: string };

const commands = [
  {
    name: 'invite',
    summary: 'Mails an invitation to register to a tenant’s address on file.',
    options: [
      dryRunOption(),
      new Option('--facility <code>', 'the facility by its location code').makeOptionMandatory(),
    ],
    says: 'An address is invited at most three times a day, and not if it already has a sign-in.',
    examples: [
      '{} users invite dana@example.com --facility TXDFW03',
      '{} users invite dana@example.com --facility TXDFW03 --dry-run --json',
    ],
    change: async (ctx: Context, email: string, isDry: boolean, facility = '') => {
      await findFacilities(ctx.db, facility);
      return inviteUser(ctx, email, facility, isDry);
    },
  },
  {
    name: 'disable',
    summary: 'Disables a sign-in and ends all its sessions at once; rentals and autopay continue.',
    says: 'The address is notified by mail. Nothing is deleted: users enable restores the sign-in.',
    examples: ['{} users disable dana@example.com', '{} users disable dana@example.com --dry-run'],
    change: disableUser,
  },
  {
    name: 'enable',
    summary: 'Enables a disabled sign-in again, with the same password.',
    examples: ['{} users enable dana@example.com'],
    change: enableUser,
  },
  {
    name: 'unlock',
    summary:
      'Resets the counts of wrong passwords and codes, so that the owner can sign in without waiting.',
    says: 'It does not change the password or enable a disabled sign-in.',
    examples: ['{} users unlock dana@example.com'],
    change: unlockUser,
  },
];

/** `users`: what an operator does about a tenant’s sign-in. */
export function usersCommand(run: Runner): Command {
  const users = new Command('users').description('The sign-ins of tenants.');
  for (const { change, options = [dryRunOption()], ...words } of commands)
    users.addCommand(
      ownCommand(
        { ...words, argument: ['<email>', 'the address that signs in'], options },
        run,
        async (ctx: Context, { email, dryRun = false, facility }: Given) => {
          const changed = await change(ctx, email.trim(), dryRun, facility);
          return { json: { dryRun, ...changed }, lines: [sentenceOf(changed, dryRun)] };
        },
      ),
    );
  return users;
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
