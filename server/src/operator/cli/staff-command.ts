import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { formatMoney } from '@gatehouse/contract/money';
import type { StaffVerb, VerbReply } from '@gatehouse/contract/staff-verb';
import { plainNumber } from '@gatehouse/contract/typed';
import { Command, InvalidArgumentError } from 'commander';
import type { Context } from '#context/context.ts';
import type { StaffCall } from '#features/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { StartFault } from '#errors/start-fault.ts';
import { endingFault } from './ending-fault.ts';
import { findFacilities } from './facilities.ts';
import { exitCodes, type Runner } from './runner.ts';

type Common = {
  dryRun?: boolean;
  json?: boolean;
  by: string;
  why: string;
  key?: string;
  facility?: string;
};

/**
 * A staff verb as a command. `Options` is what Commander makes of the command's own options and
 * arguments.
 */
export type StaffCommand<V extends StaffVerb, Options> = {
  verb: V;
  /** The command's word below its subject, such as `add`. */
  name: string;
  /** Adds the command's own options and arguments. */
  declare: (command: Command) => Command;
  /** The verb's body, of the options and arguments; what does not fit is the verb's to refuse. */
  bodyOf: (options: Options, ...args: string[]) => unknown;
  work: (ctx: Context, call: StaffCall, body: unknown) => Promise<VerbReply<V>>;
  /** The answer in lines; `would` in a preview. */
  print: (reply: VerbReply<V>, isPreview: boolean) => string[];
  /** Lines beside the answer, of what no reply may hold; not in a preview nor as JSON. */
  printSecrets?: (ctx: Context, call: StaffCall, reply: VerbReply<V>) => Promise<string[]>;
  /** Examples for the help. */
  help: string;
};

/** Adds a staff verb to the command of its subject, with the options that all of them have. */
export function addStaffCommand<V extends StaffVerb, Options extends object>(
  subject: Command,
  run: Runner,
  { verb, name, declare, bodyOf, work, print, printSecrets, help }: StaffCommand<V, Options>,
): void {
  const command = declare(subject.command(name).description(`${verb.summary}.`))
    .option('--dry-run', 'print what would change, to the cent, and change nothing')
    .option('--json', 'print one JSON object, sums in dollars')
    .option('--by <name>', 'your name, for the audit trail', userInfo().username)
    .option('--why <text>', 'the reason, for the audit trail', '')
    .option(
      '--key <uuid>',
      'idempotency key: the command runs once per key (default: a new one)',
      uuid,
    )
    .option('--facility <code>', 'fail unless it belongs to the facility with this location code')
    .addHelpText('after', `\nExamples:\n${help}`);
  command.action(async () => {
    const options = command.opts<Common & Options>();
    const {
      dryRun: isPreview = false,
      json = false,
      by,
      why,
      key = randomUUID(),
      facility,
    } = options;
    const again = `run it again with --key ${key}, under which it is done once`;
    const act: Parameters<Runner>[0] = async (ctx, terminal) => {
      const [only] = facility === undefined ? [] : await findFacilities(ctx.db, facility);
      const notes: string[] = [];
      const call: StaffCall = {
        ...{ key, by, why, facilityIds: only ? [only.id] : null, isPreview },
        onRepeated: () => notes.push(REPEATED),
      };
      const reply = await work(ctx, call, bodyOf(options, ...command.args)).catch(toFault);
      if (json) terminal.line(JSON.stringify({ dryRun: isPreview, ...(reply as object) }));
      else {
        for (const line of [...print(reply, isPreview), ...notes]) terminal.line(line);
        if (!isPreview)
          for (const line of (await printSecrets?.(ctx, call, reply)) ?? []) terminal.line(line);
      }
      return exitCodes.DONE;
    };
    if (isPreview) await run(act);
    else
      await run(
        (ctx, terminal) =>
          act(ctx, terminal).catch((error: unknown) => endNamingKey(error, verb, again)),
        {
          again,
        },
      );
  });
}

const REPEATED = 'This was done before under the same key: nothing was done again.';

/**
 * Any error but a refusal may come after the commit: under a new key the same would be done again.
 */
function endNamingKey(error: unknown, { name }: StaffVerb, again: string): never {
  const fault = endingFault(error, again);
  if (fault !== null) throw fault;
  throw new Error(`${name} failed, and may have been done all the same; ${again}.`, {
    cause: error,
  });
}

/** A refusal as the sentence with which a command ends; whatever else stays as it is. */
export function toFault(error: unknown): never {
  if (error instanceof Refusal) throw new StartFault(error.message);
  throw error;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An option or argument that is a UUID. */
export function uuid(text: string): string {
  if (!UUID.test(text))
    throw new InvalidArgumentError(
      'It must be a UUID such as 7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e.',
    );
  return text.toLowerCase();
}

/** An option or argument that is the id of a record. */
export function recordId(text: string): string {
  if (!UUID.test(text))
    throw new InvalidArgumentError(
      'It must be an id such as 7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e; "tenants find" and "tenants show" print them.',
    );
  return text.toLowerCase();
}

/** The same of an option that names several. */
export function recordIds(text: string, before: string[] = []): string[] {
  return [...before, recordId(text)];
}

/**
 * An option that is a sum in dollars: digits, with decimals or without. How many decimals, the verb
 * says.
 */
export function dollarAmount(text: string): number {
  const plain = plainNumber(text);
  if (!/^\d{1,9}(\.\d+)?$/.test(plain))
    throw new InvalidArgumentError('It must be an amount in dollars such as 25 or 25.50.');
  return Number(plain);
}

/** Ledgers with their balances, as the end of a sentence. */
export function balancesOf(ledgers: { unitName: string; balance: number }[]): string {
  const each = ledgers.map(
    ({ unitName, balance }) => `unit ${unitName} then has a balance of ${formatMoney(balance)}`,
  );
  return each.join(', ');
}
