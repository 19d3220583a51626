import { Command, Option } from 'commander';
import type { Context } from '#context/context.ts';
import type { RequestKind } from '#db/tables.ts';
import {
  addRecipients,
  listRecipients,
  removeRecipients,
} from '#features/service/requests/recipients.ts';
import { titles } from '#features/service/requests/tracked.ts';
import { findFacilities } from './facilities.ts';
import { dryRunOption } from './options.ts';
import { ownCommand, type Answer } from './own-command.ts';
import type { Runner } from './runner.ts';

type Given = { facility: string; kind?: RequestKind; address: string[]; dryRun?: boolean };

const changes = [
  {
    name: 'add',
    summary: 'Adds addresses, for one kind or for every kind.',
    example: '--facility TXDFW03 --kind maintenance_request_form repairs@example.com',
    change: addRecipients,
    done: 'added',
  },
  {
    name: 'remove',
    summary: 'Removes addresses.',
    example: '--facility TXDFW03 repairs@example.com',
    change: removeRecipients,
    done: 'removed',
  },
];

/** `requests recipients`: the recipients of each kind of request at a facility. */
export function recipientsCommand(run: Runner): Command {
  const facility = new Option('--facility <code>', 'the facility’s location code');
  const options = [facility.makeOptionMandatory()];
  const recipients = new Command('recipients')
    .description(
      'Recipients of requests at a facility, by kind. Without one, mails go to the facility’s address.',
    )
    .addCommand(
      ownCommand(
        {
          name: 'list',
          summary: 'Lists the recipients.',
          options,
          examples: ['{} requests recipients list --facility TXDFW03'],
        },
        run,
        show,
      ),
    );
  const kinds = new Option('--kind <kind>', 'the kind of request (default: every kind)');
  const changing = [
    ...options,
    kinds.choices(Object.keys(titles)),
    dryRunOption('print what is set, and change nothing'),
  ];
  for (const { name, summary, example, change, done } of changes)
    recipients.addCommand(
      ownCommand(
        {
          name,
          summary,
          argument: ['<address...>', 'mail addresses'],
          options: changing,
          examples: [`{} requests recipients ${name} ${example}`],
        },
        run,
        async (ctx: Context, given: Given) => {
          const { facility: code, kind = null, address: addresses, dryRun = false } = given;
          if (dryRun) return show(ctx, given);
          const [at] = await findFacilities(ctx.db, code);
          const named = addresses.map((address) => ({ kind, address }));
          const count = await change(ctx.db, at!.id, named);
          const { json, lines } = await show(ctx, given);
          return { json, lines: [`${count} ${done}.`, ...lines] };
        },
      ),
    );
  return recipients;
}

async function show({ db }: Context, { facility }: Given): Promise<Answer> {
  const [at] = await findFacilities(db, facility);
  const { id, code } = at!;
  const { email } = await db
    .selectFrom('facilities')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const recipients = await listRecipients(db, id);
  const lines = recipients.map(({ kind, address }) => `${kind ?? 'every kind'}  ${address}`);
  if (recipients.every(({ kind }) => kind !== null))
    lines.push(`all others  ${email ?? 'none: the facility has no address'}`);
  return { json: { facility: code, email, recipients }, lines };
}
