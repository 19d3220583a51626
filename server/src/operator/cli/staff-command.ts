import { randomUUID } from 'node:crypto';
import type { Schema } from '@gatehouse/contract/endpoint';
import { officeVerbs, type OfficeVerbName } from '@gatehouse/contract/office/verbs';
import { Command } from 'commander';
import type { Context } from '#context/context.ts';
import { verbWorks } from '#features/desk/office/verbs.ts';
import { readBody, type StaffCall } from '#features/base/staff-actions/staff-actions.ts';
import { endingFault } from './ending-fault.ts';
import { findFacilities } from './facilities.ts';
import { checkGateway } from './gateway.ts';
import { linesOf } from './lines.ts';
import { callerOptions, optionsOf, uuid } from './options.ts';
import { print, toFault } from './own-command.ts';
import type { Runner } from './runner.ts';

/** Who asks, and for which facilities; null for all. */
export type ReadCall = Pick<StaffCall, 'by' | 'why' | 'facilityIds'>;

/** What staff look up by a command: its option for each field of `body`, and what it prints. */
export type StaffRead = {
  /** The words of the command, such as `tenants find`. */
  words: string;
  summary: string;
  body: Schema;
  reply: Schema;
  /** Whether the audit trail has it, with who and why. */
  isNoted?: boolean;
  find: (ctx: Context, body: unknown, call: ReadCall) => Promise<unknown>;
};

/** Declares a read and keeps the exact types of its shapes from each other. */
export function staffRead<Body extends Schema>(
  read: Omit<StaffRead, 'body' | 'find'> & {
    body: Body;
    find: (ctx: Context, body: Body['_zod']['output'], call: ReadCall) => Promise<unknown>;
  },
): StaffRead {
  return read;
}

type Common = { json?: boolean; facility?: string };
type Caller = { by: string; why: string };
type Acting = Common & Caller & { dryRun?: boolean; key?: string };

/** Adds the command of a read to those of its subject. */
export function addRead(subjects: Command[], run: Runner, read: StaffRead): void {
  const { command, bodyOf } = declare(subjects, read.words.split(' '), read);
  if (read.isNoted) addCaller(command);
  command.action((options: Common & Partial<Caller>) =>
    run(async (ctx, terminal) => {
      const { by = '', why = '' } = options;
      const call = { by, why, facilityIds: await facilityIdsOf(ctx, options) };
      const found = await read.find(ctx, readBody(read, bodyOf(options)), call).catch(toFault);
      return print(terminal, options.json, { json: found, lines: linesOf(read.reply, found) });
    }),
  );
}

/**
 * Adds the command of a verb to those of its subject: `payments.mailReceipt` is `payments
 * mail-receipt`, with an option for each field of its body.
 */
export function addVerb(subjects: Command[], run: Runner, name: OfficeVerbName): void {
  const { verb, path } = officeVerbs[name];
  const { command, bodyOf } = declare(subjects, path.split('/').slice(-2), verb);
  addCaller(command)
    .option('--dry-run', 'print what would change, to the cent, and change nothing')
    .option(
      '--key <uuid>',
      'idempotency key: the command runs once per key (default: a new one)',
      uuid('It must be a UUID such as 7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e.'),
    );
  command.action(async (options: Acting) => {
    const { dryRun: isPreview = false, json, by, why, key = randomUUID() } = options;
    const act: Parameters<Runner>[0] = async (ctx, terminal) => {
      await checkGateway(ctx);
      let end = isPreview ? 'This would be done; nothing was changed.' : 'Done.';
      const call: StaffCall = {
        key,
        by,
        why,
        isPreview,
        facilityIds: await facilityIdsOf(ctx, options),
        onRepeated: () =>
          (end = 'This was done before under the same key: nothing was done again.'),
      };
      const reply = await verbWorks[name](ctx, call, bodyOf(options)).catch(toFault);
      return print(terminal, json, {
        json: { dryRun: isPreview, ...reply },
        lines: [...linesOf(verb.reply, reply), end],
      });
    };
    if (isPreview) return run(act);
    const again = `run it again with --key ${key}, under which it is done once`;
    return run(
      (ctx, terminal) =>
        act(ctx, terminal).catch((error: unknown) => endNamingKey(error, name, again)),
      { again },
    );
  });
}

/** A command below its subject, which is made where there is none. */
function declare(
  subjects: Command[],
  [subject = '', action = '']: string[],
  { summary, body }: { summary: string; body: Schema },
) {
  let parent = subjects.find((one) => one.name() === subject);
  if (parent === undefined) subjects.push((parent = new Command(subject)));
  const { options, bodyOf } = optionsOf(body);
  const command = parent.command(action).description(`${summary}.`);
  for (const option of options) command.addOption(option);
  command
    .option('--facility <code>', 'the facility, by its location code: others are not found')
    .option('--json', 'print one JSON object, sums in dollars');
  return { command, bodyOf };
}

function addCaller(command: Command): Command {
  for (const option of callerOptions()) command.addOption(option);
  return command;
}

async function facilityIdsOf({ db }: Context, { facility }: Common): Promise<string[] | null> {
  return facility === undefined ? null : (await findFacilities(db, facility)).map(({ id }) => id);
}

/**
 * Any error but a refusal may come after the commit: under a new key the same would be done again.
 */
function endNamingKey(error: unknown, verb: string, again: string): never {
  const fault = endingFault(error, again);
  if (fault !== null) throw fault;
  throw new Error(`${verb} failed, and may have been done all the same; ${again}.`, {
    cause: error,
  });
}
