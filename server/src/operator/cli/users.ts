import { setTimeout } from 'node:timers/promises';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import type { Context } from '#context/context.ts';
import {
  disableUser,
  enableUser,
  findToInvite,
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

/** Four a second: no mail server takes a burst of 900 for spam. */
const INVITE_EVERY_MS = 250;

/** `users invite|invite-all|disable|enable|unlock`: what an operator does about a tenant’s sign-in. */
export function usersCommand(
  run: Runner,
  pause: (ms: number) => Promise<unknown> = setTimeout,
): Command {
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

  addInviteAll(users, run, pause);

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
    .action(({ facility, dryRun = false }: Options) =>
      run(async (ctx, terminal) => {
        await findFacilities(ctx.db, facility);
        const all = await findToInvite(ctx, facility ?? null);
        let [done, failed] = [0, 0];
        for (const { locationCode, email } of all) {
          if (dryRun) terminal.line(`${locationCode}  ${email}`);
          else {
            await inviteUser(ctx, email, locationCode, false)
              .catch(toFault)
              .catch((error: unknown) => {
                if (!(error instanceof StartFault)) throw error;
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
