import { Command, type Option } from 'commander';
import { COMMAND } from '#config/command.ts';
import { Refusal } from '#errors/refusal.ts';
import { StartFault } from '#errors/start-fault.ts';
import { exitCodes, type ExitCode, type Terminal } from './runner.ts';

/**
 * What a command answers: lines, or with --json one object; and how it ended, where that is not
 * DONE.
 */
export type Answer = { json: unknown; lines: string[]; code?: ExitCode };

/** A command that no verb and no read declares. */
type OwnCommand = {
  name: string;
  summary: string;
  /** What is given without an option's name, such as `<email>`, and its help. */
  argument?: [string, string];
  options?: Option[];
  /** What its help says before the examples. */
  says?: string;
  /** Without the words with which the operator begins every command. */
  examples: string[];
  /** The help of `--json`. */
  json?: string;
};

/**
 * A command with its help: `run` gives its work what it needs, and what `answer` returns is
 * printed. `given` has the options and the argument by their names, in the type that `answer`
 * says. A refusal ends it in a sentence.
 */
export function ownCommand<Scene>(
  { name, summary, argument, options = [], says, examples, json }: OwnCommand,
  run: (work: (scene: Scene, terminal: Terminal) => Promise<ExitCode>) => Promise<void>,
  answer: (scene: Scene, given: never, terminal: Terminal) => Promise<Answer>,
): Command {
  const command = new Command(name).description(summary);
  if (argument !== undefined) command.argument(...argument);
  for (const option of options) command.addOption(option);
  return command
    .option('--json', json ?? 'print one JSON object')
    .addHelpText(
      'after',
      ['', ...(says === undefined ? [] : [says, '']), 'Examples:']
        .concat(examples.map((example) => `  ${example.replace('{}', COMMAND)}`))
        .join('\n'),
    )
    .action(() => {
      const isJson = command.opts<{ json?: boolean }>().json === true;
      const [first] = command.registeredArguments;
      const given = {
        ...command.opts(),
        ...(first && { [first.name()]: command.processedArgs[0] as unknown }),
      };
      return run(async (scene, terminal) =>
        print(terminal, isJson, await answer(scene, given as never, terminal).catch(toFault)),
      );
    });
}

/** Prints what a command answers, and returns how it ended. */
export function print(
  terminal: Terminal,
  isJson: boolean | undefined,
  { json, lines, code = exitCodes.DONE }: Answer,
): ExitCode {
  for (const line of isJson ? [JSON.stringify(json)] : lines) terminal.line(line);
  return code;
}

/** A refusal as the sentence with which a command ends; whatever else stays as it is. */
export function toFault(error: unknown): never {
  if (error instanceof Refusal) throw new StartFault(error.message);
  throw error;
}
