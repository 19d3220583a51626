import { closeAlarm, type Alarm } from '@gatehouse/contract/alarms';
import { Command } from 'commander';
import { COMMAND } from '#config/command.ts';
import { closeAlarmOf, getAlarm, listAlarms } from '#features/alarms/staff.ts';
import { columnsOf } from './columns.ts';
import { findFacilities } from './facilities.ts';
import { exitCodes, type Runner } from './runner.ts';
import { addStaffCommand, toFault, uuid } from './staff-command.ts';

const MOST = 500;

/** `alarms list|show|close`: what a person must look at. */
export function alarmsCommand(run: Runner): Command {
  const alarms = new Command('alarms').description(
    'Alarms that a person must handle: open since when, and what to do.',
  );
  alarms.addCommand(listCommand(run)).addCommand(showCommand(run));
  addStaffCommand<typeof closeAlarm, object>(alarms, run, {
    verb: closeAlarm,
    name: 'close',
    declare: (command) => command.argument('<alarm>', 'the alarm, by its id'),
    bodyOf: (_, alarmId) => ({ alarmId }),
    work: closeAlarmOf,
    print: ({ sentence }, isPreview) => [
      `${isPreview ? 'Would be closed' : 'Closed'}: ${sentence}`,
    ],
    help: `  ${COMMAND} alarms close 6f1d7c1e-43a0-4a2e-9a5c-0c9b7a1f2e3d --by Ana --why "refunded in the dashboard"`,
  });
  return alarms;
}

function listCommand(run: Runner): Command {
  return new Command('list')
    .description(`Alarms that are open, the newest first, at most ${MOST}.`)
    .option('--all', 'include closed alarms')
    .option('--facility <code>', 'only this facility, by its location code (default: all alarms)')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `\nExamples:\n  ${COMMAND} alarms list\n  ${COMMAND} alarms list --all --json`,
    )
    .action(
      ({
        all: isAll = false,
        facility,
        json = false,
      }: {
        all?: boolean;
        facility?: string;
        json?: boolean;
      }) =>
        run(async ({ db }, terminal) => {
          const [only] = facility === undefined ? [] : await findFacilities(db, facility);
          const alarms = await listAlarms(db, { facilityId: only?.id ?? null, isAll, most: MOST });
          if (json) terminal.line(JSON.stringify({ alarms }));
          else if (alarms.length === 0) terminal.line('There are none.');
          else for (const line of columnsOf(alarms.map(rowOf))) terminal.line(line);
          return exitCodes.DONE;
        }),
    );
}

function rowOf({ id, facility, raisedAt, closed, sentence }: Alarm): string[] {
  return [id, minuteOf(raisedAt), closed === null ? 'open' : 'closed', facility ?? '', sentence];
}

function showCommand(run: Runner): Command {
  return new Command('show')
    .description('Shows an alarm with its facts and what to do.')
    .argument('<alarm>', 'the alarm, by its id', uuid)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `\nExamples:\n  ${COMMAND} alarms show 6f1d7c1e-43a0-4a2e-9a5c-0c9b7a1f2e3d`,
    )
    .action((id: string, { json = false }: { json?: boolean }) =>
      run(async ({ db }, terminal) => {
        const alarm = await getAlarm(db, id).catch(toFault);
        if (json) terminal.line(JSON.stringify(alarm));
        else for (const line of linesOf(alarm)) terminal.line(line);
        return exitCodes.DONE;
      }),
    );
}

function linesOf({ kind, facility, sentence, advice, raisedAt, facts, closed }: Alarm): string[] {
  return [
    sentence,
    advice,
    `${kind}${facility === null ? '' : ` at ${facility}`}, since ${minuteOf(raisedAt)}`,
    ...Object.entries(facts).map(
      ([name, fact]) => `  ${name}: ${typeof fact === 'string' ? fact : JSON.stringify(fact)}`,
    ),
    ...(closed === null ? [] : [`Closed by ${closed.by} at ${minuteOf(closed.at)}: ${closed.why}`]),
  ];
}

function minuteOf(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
