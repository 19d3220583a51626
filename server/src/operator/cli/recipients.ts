import { Command, Option } from 'commander';
import { COMMAND } from '#config/command.ts';
import type { Context } from '#context/context.ts';
import type { RequestKind } from '#db/tables.ts';
import {
  addRecipients,
  listRecipients,
  removeRecipients,
  type Recipient,
} from '#features/service/requests/recipients.ts';
import { titles } from '#features/service/requests/tracked.ts';
import { Refusal } from '#errors/refusal.ts';
import { StartFault } from '#errors/start-fault.ts';
import { findFacilities } from './facilities.ts';
import { exitCodes, type Runner, type Terminal } from './runner.ts';

const kinds = Object.keys(titles) as RequestKind[];

type Options = { facility: string; kind?: RequestKind; dryRun?: boolean; json?: boolean };

/** `requests recipients`: the recipients of each kind of request at a facility. */
export function recipientsCommand(run: Runner): Command {
  return new Command('recipients')
    .description(
      'Recipients of requests at a facility, by kind. Without one, mails go to the facility’s address.',
    )
    .addCommand(
      shared('list', 'Lists the recipients.').action((options: Options) =>
        run((ctx, terminal) => show(ctx, terminal, options)),
      ),
    )
    .addCommand(
      changing(
        'add',
        'Adds addresses, for one kind or for every kind.',
        run,
        'added',
        (ctx, id, recipients) => addRecipients(ctx.db, id, recipients),
      ),
    )
    .addCommand(
      changing('remove', 'Removes addresses.', run, 'removed', (ctx, id, recipients) =>
        removeRecipients(ctx.db, id, recipients),
      ),
    )
    .addHelpText(
      'after',
      `
Examples:
  ${COMMAND} requests recipients list --facility TXDFW03
  ${COMMAND} requests recipients add --facility TXDFW03 --kind maintenance_request_form repairs@example.com
  ${COMMAND} requests recipients remove --facility TXDFW03 repairs@example.com`,
    );
}

function shared(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .requiredOption('--facility <code>', 'the facility’s location code')
    .option('--json', 'print one JSON object');
}

function changing(
  name: string,
  description: string,
  run: Runner,
  done: string,
  change: (ctx: Context, facilityId: string, recipients: Recipient[]) => Promise<number>,
): Command {
  return shared(name, description)
    .argument('<address...>', 'mail addresses')
    .addOption(
      new Option('--kind <kind>', 'the kind of request (default: every kind)').choices(kinds),
    )
    .option('--dry-run', 'print what is set, and change nothing')
    .action((addresses: string[], options: Options) =>
      run(async (ctx, terminal) => {
        const { facility, kind = null, dryRun = false } = options;
        const { id } = await getFacility(ctx, facility);
        const recipients = addresses.map((address) => ({ kind, address }));
        if (!dryRun) {
          const count = await change(ctx, id, recipients).catch((error: unknown) => {
            throw error instanceof Refusal ? new StartFault(error.message) : error;
          });
          if (!options.json) terminal.line(`${count} ${done}.`);
        }
        return show(ctx, terminal, options);
      }),
    );
}

async function show(ctx: Context, terminal: Terminal, { facility, json = false }: Options) {
  const { id, code } = await getFacility(ctx, facility);
  const { email } = await ctx.db
    .selectFrom('facilities')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const recipients = await listRecipients(ctx.db, id);
  if (json) terminal.line(JSON.stringify({ facility: code, email, recipients }));
  else {
    for (const { kind, address } of recipients)
      terminal.line(`${kind ?? 'every kind'}  ${address}`);
    if (recipients.every(({ kind }) => kind !== null))
      terminal.line(`all others  ${email ?? 'none: the facility has no address'}`);
  }
  return exitCodes.DONE;
}

async function getFacility({ db }: Context, code: string) {
  const [facility] = await findFacilities(db, code);
  return facility!;
}
