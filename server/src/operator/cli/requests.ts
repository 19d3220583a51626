import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { requestStatuses } from '@gatehouse/contract/tracked-requests';
import { Command, InvalidArgumentError, Option } from 'commander';
import { COMMAND } from '#config/command.ts';
import type { Context } from '#context/context.ts';
import type { RequestStatus } from '#db/tables.ts';
import { blockText } from '#emails/render.ts';
import { staffEmailOf } from '#emails/staff/templates.ts';
import { readImage } from '#features/base/images/images.ts';
import { noteShown } from '#features/base/staff-actions/staff-actions.ts';
import { actOnRequest, readReply, type Act } from '#features/service/requests/act.ts';
import { countReplay, replayEvents } from '#features/service/requests/deliver.ts';
import {
  aboutOf,
  findStaffRequest,
  findStaffRequests,
  listEvents,
  unitNameOf,
  type RequestEvent,
  type StaffRequest,
} from '#features/service/requests/tracked.ts';
import { Refusal } from '#errors/refusal.ts';
import { StartFault } from '#errors/start-fault.ts';
import { columnsOf } from './columns.ts';
import { calendarDate, findFacilities } from './facilities.ts';
import { recipientsCommand } from './recipients.ts';
import { byOption, callerName } from './options.ts';
import { exitCodes, type Runner, type Terminal } from './runner.ts';

const statuses = Object.keys(requestStatuses) as RequestStatus[];

/**
 * `requests`: requests of tenants to staff.
 */
export function requestsCommand(run: Runner): Command {
  return new Command('requests')
    .description('Requests of tenants: list, reply, close; recipients; deliveries to the webhook.')
    .addCommand(listCommand(run))
    .addCommand(showCommand(run))
    .addCommand(replyCommand(run))
    .addCommand(closeCommand(run))
    .addCommand(replayCommand(run))
    .addCommand(recipientsCommand(run));
}

type ListOptions = {
  facility?: string;
  status?: RequestStatus;
  all?: boolean;
  most: number;
  json?: boolean;
};

function listCommand(run: Runner): Command {
  return new Command('list')
    .description('Lists open requests, the newest first.')
    .option('--facility <code>', 'only this facility, by its location code (default: all)')
    .addOption(new Option('--status <status>', 'only with this status').choices(statuses))
    .option('--all', 'include requests that are done')
    .option('--most <number>', 'maximum number', wholeNumber, 50)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  ${COMMAND} requests list
  ${COMMAND} requests list --facility TXDFW03 --status new
  ${COMMAND} requests list --all --most 500 --json`,
    )
    .action((options: ListOptions) => run((ctx, terminal) => list(ctx, terminal, options)));
}

async function list(
  { db }: Context,
  terminal: Terminal,
  { facility, status, all = false, most, json }: ListOptions,
) {
  const [only] = facility === undefined ? [] : await findFacilities(db, facility);
  const found = await findStaffRequests(db, {
    ...(only && { facilityId: only.id }),
    ...(status && { status }),
    isOpen: !all && status === undefined,
    most,
  });
  if (json) terminal.line(JSON.stringify({ requests: found.map(summaryOf) }));
  else if (found.length === 0) terminal.line('There are none.');
  else for (const line of columnsOf(found.map(rowOf))) terminal.line(line);
  return exitCodes.DONE;
}

function summaryOf(request: StaffRequest) {
  const { reference, kind, status, createdAt, locationCode } = request;
  return {
    reference,
    kind,
    status,
    locationCode,
    unitName: unitNameOf(request),
    askedAt: createdAt.toISOString(),
  };
}

function rowOf(request: StaffRequest): string[] {
  const { reference, kind, status, createdAt, locationCode } = request;
  const asked = `${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [
    reference,
    requestStatuses[status],
    locationCode,
    asked,
    aboutOf(kind, unitNameOf(request)),
  ];
}

type ShowOptions = { json?: boolean; photo?: string; by: string; why: string };

function showCommand(run: Runner): Command {
  return new Command('show')
    .description('Shows a request with its history and its deliveries to the webhook.')
    .argument('<reference>', 'such as R-100042')
    .option('--photo <file>', 'write its photo to a new file')
    .addOption(byOption())
    .option('--why <text>', 'the reason, for the audit trail', '')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  ${COMMAND} requests show R-100042
  ${COMMAND} requests show R-100042 --photo ./R-100042.jpg`,
    )
    .action((reference: string, { json, photo, ...caller }: ShowOptions) =>
      run(async (ctx, terminal) => {
        const { db } = ctx;
        const request = await getRequest(db, reference);
        const { facilityId, tenantId } = request;
        const details = { shows: 'requests show', rows: '1' };
        await noteShown(ctx, 'records.show', caller, { facilityId, tenantId, details });
        if (photo !== undefined) await keepPhoto(ctx, request, photo);
        const events = await listEvents(db, request.id);
        if (json)
          terminal.line(
            JSON.stringify({ ...summaryOf(request), details: request.details, events }),
          );
        else {
          terminal.line(`${reference}  ${requestStatuses[request.status]}`);
          const { blocks } = staffEmailOf(request.kind, reference, request.details);
          terminal.line(`\n${blocks.map(blockText).join('\n\n')}\n`);
          for (const event of events) terminal.line(eventText(event));
        }
        return exitCodes.DONE;
      }),
    );
}

/**
 * Throws a StartFault where there is no photo, or where the file is there already or cannot be
 * made.
 */
async function keepPhoto(
  ctx: Context,
  { reference, tenantId, imageId }: StaffRequest,
  path: string,
): Promise<void> {
  if (imageId === null) throw new StartFault(`${reference} came without a photo.`);
  const { bytes } = await readImage(ctx, tenantId, imageId);
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartFault(
      code === 'EEXIST' ? `${path} is there already.` : `${path} cannot be written (${code}).`,
    );
  });
}

function eventText({
  kind,
  status,
  text,
  via,
  author,
  at,
  deliveredAt,
  deadAt,
  tries,
  fault,
}: RequestEvent): string {
  const what = {
    created: 'asked',
    replied: 'reply',
    answered: 'the tenant answered',
    status_changed: requestStatuses[status],
    objected: 'the tenant objected',
  }[kind];
  const deliveryState = () => {
    if (deliveredAt !== null) return ['sent to the webhook'];
    if (deadAt !== null) return [`webhook given up after ${tries} tries: ${fault}`];
    return tries ? [`webhook tried ${tries} times: ${fault}`] : [];
  };
  const head = [
    at.toISOString(),
    what,
    author === null ? via : `${author} (${via})`,
    ...deliveryState(),
  ].join('  ');
  return text === null ? head : `${head}\n${text.replace(/^/gm, '    ')}`;
}

type ActOptions = {
  text?: string;
  status?: 'in_progress' | 'done';
  by: string;
  dryRun?: boolean;
  json?: boolean;
};

function replyCommand(run: Runner): Command {
  return acting(
    'reply',
    'Replies to a request; one that is new is then in progress. The tenant is mailed.',
  )
    .requiredOption('--text <text>', 'what the tenant reads; - for standard input')
    .addOption(
      new Option('--status <status>', 'also set the status').choices(['in_progress', 'done']),
    )
    .addHelpText(
      'after',
      `
Examples:
  ${COMMAND} requests reply R-100042 --text "We look at it on Tuesday."
  ${COMMAND} requests reply R-100042 --status done --by "Kim, front desk" --text - < reply.txt`,
    )
    .action((reference: string, options: ActOptions) =>
      run((ctx, terminal) => act(ctx, terminal, reference, options, options.status ?? null)),
    );
}

function closeCommand(run: Runner): Command {
  return acting(
    'close',
    'Sets a request to done, with a last word or without. The tenant is mailed.',
  )
    .option('--text <text>', 'what the tenant reads; - for standard input')
    .addHelpText(
      'after',
      `\nExample:\n  ${COMMAND} requests close R-100042 --text "The keypad works again."`,
    )
    .action((reference: string, options: ActOptions) =>
      run((ctx, terminal) => act(ctx, terminal, reference, options, 'done')),
    );
}

function acting(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<reference>', 'such as R-100042')
    .option('--by <name>', 'your name, for the history that staff see', authorName, 'operator')
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--json', 'print one JSON object');
}

async function act(
  ctx: Context,
  terminal: Terminal,
  reference: string,
  { text, by, dryRun = false, json = false }: ActOptions,
  status: Act['status'],
) {
  const { id, ...before } = await getRequest(ctx.db, reference);
  const typed = text === '-' ? await textOf(process.stdin) : (text ?? '');
  const done = await orFault(async () => {
    const reply = readReply(typed);
    if (text !== undefined && reply === null) throw new Refusal(422, 'The reply is empty.');
    if (!dryRun) {
      const staff = { via: 'cli' as const, author: by };
      await actOnRequest(
        ctx,
        id,
        { reply, status },
        { staff, origin: { ip: '', requestId: randomUUID() } },
      );
    }
    return { reply, status: status ?? (before.status === 'new' ? 'in_progress' : before.status) };
  });
  if (json) terminal.line(JSON.stringify({ dryRun, reference, ...done }));
  else {
    const actions = [
      ...(done.reply === null ? [] : ['a reply to the tenant']),
      `status ${requestStatuses[done.status]}`,
    ];
    terminal.line(`${reference}: ${actions.join(', ')}${dryRun ? '; nothing was changed.' : '.'}`);
  }
  return exitCodes.DONE;
}

type ReplayOptions = { since?: string; dead?: boolean; dryRun?: boolean; json?: boolean };

function replayCommand(run: Runner): Command {
  return new Command('replay')
    .description(
      'Sends events to the webhook again. The receiver recognizes a repeat by the event’s id.',
    )
    .option(
      '--since <day>',
      'all since this day in UTC, such as 2026-12-01, including delivered ones',
      calendarDate,
    )
    .option('--dead', 'only those that were given up after a day')
    .option('--dry-run', 'print their number, and send none')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The running server begins to send them within seconds.

Examples:
  ${COMMAND} requests replay --dead
  ${COMMAND} requests replay --since 2026-12-01 --dry-run`,
    )
    .action((options: ReplayOptions, command: Command) => {
      if (options.since === undefined && !options.dead)
        command.error('Say which: --dead for those that were given up, or --since with a day.');
      return run((ctx, terminal) => replay(ctx, terminal, options));
    });
}

async function replay(
  ctx: Context,
  terminal: Terminal,
  { since, dead = false, dryRun = false, json = false }: ReplayOptions,
) {
  if (ctx.config.webhook === undefined)
    throw new StartFault('WEBHOOK_URL is not set, so events cannot be sent.');
  const wanted = { isDeadOnly: dead, ...(since !== undefined && { since: new Date(since) }) };
  const onProgress = (progress: { done: number; total: number }) =>
    terminal.progress('events', progress);
  const events = dryRun
    ? await countReplay(ctx, wanted)
    : await replayEvents(ctx, wanted, onProgress);
  if (json) terminal.line(JSON.stringify({ dryRun, events }));
  else
    terminal.line(
      dryRun ? `${events} events would be sent again.` : `${events} events are sent again.`,
    );
  return exitCodes.DONE;
}

async function getRequest(db: Context['db'], reference: string): Promise<StaffRequest> {
  const request = await findStaffRequest(db, { reference });
  if (request === undefined) throw new StartFault(`There is no request ${reference}.`);
  return request;
}

/** Turns a refusal into a fault with the same message. */
async function orFault<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal ? new StartFault(error.message) : error;
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}

function authorName(text: string): string {
  const name = callerName(text);
  if (name === '' || name.length > 100)
    throw new InvalidArgumentError('It must be a name of 1 to 100 characters.');
  return name;
}
