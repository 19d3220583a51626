import { officeRoles, type OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import type { StaffRow } from '@gatehouse/contract/office/staff';
import { emailAddress } from '@gatehouse/contract/text';
import { Command, InvalidArgumentError, Option } from 'commander';
import { COMMAND } from '#config/command.ts';
import type { Context } from '#context/context.ts';
import {
  actOnStaffMember,
  commandLine,
  findStaff,
  getStaffId,
  inviteStaffMember,
  unlockStaffMember,
  type AccountAction,
} from '#features/people/staff/members.ts';
import { StartFault } from '#errors/start-fault.ts';
import { columnsOf } from './columns.ts';
import { makeCorporation } from '#operator/imports/import.ts';
import { byOption, callerName } from './options.ts';
import { ownCommand, print, toFault } from './own-command.ts';
import {
  exitCodes,
  type ExitCode,
  type OwnerContext,
  type OwnerRunner,
  type Runner,
} from './runner.ts';

type Named = { email: string; by: string };

/** `staff`: who signs in to the office. */
export function staffCommand(run: Runner, runOwner: OwnerRunner): Command {
  const staff = new Command('staff').description('The accounts of staff for the office.');
  addInvite(staff, run, runOwner);
  staff.addCommand(listCommand(run));
  const about = (name: string, summary: string, says?: string) => ({
    name,
    summary,
    argument: ['<email>', 'the address that signs in'] as [string, string],
    options: [byOption()],
    examples: [`{} staff ${name} ana@example.com`],
    ...(says !== undefined && { says }),
  });
  const actions: [string, AccountAction, string][] = [
    ['disable', 'disable', 'Disables an account and ends its sessions at once.'],
    ['enable', 'enable', 'Enables a disabled account again, with the same password.'],
    [
      'reset-second-step',
      'resetSecondStep',
      'Takes a lost second step away and ends the sessions; the next sign-in sets a new one up.',
    ],
    ['reinvite', 'invite', 'Mails a new link: to accept the invitation, or for a new password.'],
  ];
  for (const [name, action, summary] of actions)
    staff.addCommand(
      ownCommand(
        about(name, summary, 'It is mailed to the address.'),
        run,
        async (ctx: Context, { email, by }: Named) => {
          const id = await getStaffId(ctx, email);
          const row = await actOnStaffMember(ctx, id, action, commandLine(by));
          return { json: row, lines: [`${row.email}: ${row.state}.`] };
        },
      ),
    );
  return staff.addCommand(
    ownCommand(
      about('unlock', 'Ends the waits after wrong passwords, from every network and browser.'),
      run,
      async (ctx: Context, { email, by }: Named) => {
        const ended = await unlockStaffMember(ctx, await getStaffId(ctx, email), commandLine(by));
        return {
          json: { email, ended },
          lines: [`${email} is unlocked; counts forgotten: ${ended}.`],
        };
      },
    ),
  );
}

type InviteOptions = {
  role: OfficeRole;
  facility?: string[];
  operator?: string;
  by: string;
  json?: boolean;
};
function addInvite(staff: Command, run: Runner, runOwner: OwnerRunner): void {
  staff
    .command('invite')
    .description('Invites a member of staff by mail; the link works once, for 72 hours.')
    .argument('<email>', 'the address that will sign in')
    .addOption(
      new Option('--role <role>', 'what the member may do')
        .choices(officeRoles)
        .makeOptionMandatory(),
    )
    .option('--facility <code...>', 'only these facilities, by location code (default: all)')
    .option(
      '--operator <name>',
      'the operator’s name as tenants read it, where nothing was imported yet',
      operatorName,
    )
    .addOption(byOption())
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
A clerk takes money, answers requests, and moves tenants in and out. A manager also waives, refunds,
reverses, and changes rates and settings. An owner is for all facilities, and sees staff and audit.

Examples:
  ${COMMAND} staff invite june@example.com --role owner --operator 'Anchor & Axle'
  ${COMMAND} staff invite ana@example.com --role clerk --facility TXDFW03 TXDFW03A`,
    )
    .action(async (email: string, { role, facility, operator, by, json }: InviteOptions) => {
      const read = emailAddress('Email').safeParse(email);
      if (!read.success) throw new StartFault(read.error.issues[0]!.message);
      if (role === 'owner' && facility !== undefined)
        throw new StartFault('An owner is for all facilities: leave --facility out.');
      if (operator !== undefined) await runOwner((owned) => nameOperator(owned, operator));
      await run(async (ctx, terminal) => {
        const row = await inviteStaffMember(
          ctx,
          {
            email: read.data,
            role,
            isForAllFacilities: facility === undefined,
            locationCodes: facility ?? [],
          },
          commandLine(by),
        ).catch(toFault);
        return print(terminal, json, {
          json: row,
          lines: [`${row.email} is invited by mail as ${role} of ${placesOf(row)}.`],
        });
      });
    });
}

function operatorName(text: string): string {
  const name = callerName(text);
  if (name.length < 2 || name.length > 100)
    throw new InvalidArgumentError('It must be a name of 2 to 100 characters.');
  return name;
}

/** Makes the operator of the settings, which else its first import does. */
async function nameOperator({ db, config }: OwnerContext, name: string): Promise<ExitCode> {
  const made = await makeCorporation(db, { code: config.corporationCode, name });
  if (made.name !== name)
    throw new StartFault(`The operator is there already, as ${made.name}: leave --operator out.`);
  return exitCodes.DONE;
}

function listCommand(run: Runner): Command {
  return ownCommand(
    { name: 'list', summary: 'Lists the accounts of staff.', examples: ['{} staff list'] },
    run,
    async (ctx: Context) => {
      const staff = await findStaff(ctx);
      const rows = staff.map((row) => [
        row.email,
        row.role,
        row.state,
        row.hasSecondStep ? 'two steps' : 'one step',
        placesOf(row),
      ]);
      const none = `There is no staff yet: ${COMMAND} staff invite EMAIL --role owner.`;
      return { json: { staff }, lines: rows.length === 0 ? [none] : columnsOf(rows) };
    },
  );
}

function placesOf({ isForAllFacilities, locationCodes }: StaffRow): string {
  return isForAllFacilities ? 'all facilities' : locationCodes.join(', ');
}
