import { setTimeout } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { COMMAND } from '#config/command.ts';
import type { Context } from '#context/context.ts';
import {
  disableUser,
  enableUser,
  findToInvite,
  inviteUser,
  unlockUser,
  type UserChange,
} from '#features/people/users/users.ts';
import { Refusal } from '#errors/refusal.ts';
import { findFacilities } from './facilities.ts';
import { dryRunOption } from './options.ts';
import { ownCommand } from './own-command.ts';
import { exitCodes, type Runner } from './runner.ts';

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

/** Four a second: no mail server takes a burst of 900 for spam. */
const INVITE_EVERY_MS = 250;

/** `users`: what an operator does about a tenant’s sign-in. */
export function usersCommand(
  run: Runner,
  pause: (ms: number) => Promise<unknown> = setTimeout,
): Command {
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
  addInviteAll(users, run, pause);
  return users;
}

function addInviteAll(users: Command, run: Runner, pause: (ms: number) => Promise<unknown>): void {
  users
    .command('invite-all')
    .description('Invites every address with a current rental and no sign-in, four a second.')
    .option('--facility <code>', 'only this facility, by location code (default: all)')
    .option('--dry-run', 'print whom it would invite, and mail nobody')
    .addHelpText(
      'after',
      `
Each address is mailed once, and not if it was invited within a day: stopped, it is run again for
the rest. Addresses that several names share are left out until they are joined.

Examples:
  ${COMMAND} users invite-all --dry-run
  ${COMMAND} users invite-all --facility TXDFW03`,
    )
    .action(({ facility, dryRun = false }: Omit<Given, 'email'>) =>
      run(async (ctx, terminal) => {
        await findFacilities(ctx.db, facility);
        const all = await findToInvite(ctx, facility ?? null);
        let [done, failed] = [0, 0];
        for (const { locationCode, email } of all) {
          if (dryRun) terminal.line(`${locationCode}  ${email}`);
          else {
            await inviteUser(ctx, email, locationCode, false).catch((error: unknown) => {
              if (!(error instanceof Refusal)) throw error;
              failed += 1;
              terminal.line(error.message);
            });
            await pause(INVITE_EVERY_MS);
          }
          done += 1;
          if (!dryRun) terminal.progress('invitations', { done, total: all.length });
        }
        const would = dryRun ? 'Would be invited' : 'Invited';
        terminal.line(`${would} by mail: ${done - failed}.`);
        return failed > 0 ? exitCodes.PARKED : exitCodes.DONE;
      }),
    );
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
