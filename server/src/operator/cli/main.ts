import { Command, CommanderError } from 'commander';
import { COMMAND } from '#config/command.ts';
import { backupCommand } from './backup.ts';
import { doctorCommand } from './doctor.ts';
import { databaseCommands } from './commands.ts';
import { endingFault } from './ending-fault.ts';
import { migrateCommand } from './migrate.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { restoreCommand } from './restore.ts';
import { exitCodes, runAsOwner, runOnDatabase, runOnWhole } from './runner.ts';

// The command line, `npm run cli -- <command>`. Each command is a file in this folder.
const ownersCommands = [importCommand, exportCommand];
const wholeCommands = [backupCommand, restoreCommand, migrateCommand];

const program = new Command(COMMAND)
  .description('Commands for the operator of Gatehouse. Use <command> --help for its options.')
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    'after',
    '\nCommands read the settings of the server (.env.example): use the same DATABASE_URL or DATA_DIR, keys and PAYMENTS.' +
      '\nExit codes: 0 success, 1 failure (the reason is on standard error), 2 wrong usage, 3 success with findings or alarms (see alarms list), 130 stopped by a signal.',
  );
for (const command of databaseCommands(runOnDatabase)) program.addCommand(command);
for (const command of ownersCommands) program.addCommand(command(runAsOwner));
for (const command of wholeCommands) program.addCommand(command(runOnWhole));
program.addCommand(doctorCommand());
exitByThrowing(program);
// The reader may close the pipe early, as `head` does; the command still finishes its work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own sentence.
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? exitCodes.DONE : exitCodes.USAGE;
  else {
    const fault = endingFault(error);
    if (fault === null) throw error;
    console.error(fault.message);
    process.exitCode = exitCodes.FAULT;
  }
}

function exitByThrowing(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) exitByThrowing(child);
}
