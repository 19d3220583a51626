import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { requestStatuses } from '@gatehouse/contract/tracked-requests';
import { Command, InvalidArgumentError, Option } from 'commander';
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
import { StartFault } from '#errors/start-fault.ts';
import { columnsOf } from './columns.ts';
import { calendarDate, findFacilities } from './facilities.ts';
import { recipientsCommand } from './recipients.ts';
import { callerName, callerOptions, dryRunOption, facilityOption, numberFrom1 } from './options.ts';
import { ownCommand, type Answer } from './own-command.ts';
import type { Runner, Terminal } from './runner.ts';

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

type ListGiven = { facility?: string; status?: RequestStatus; all?: boolean; most: number };

function listCommand(run: Runner): Command {
  return ownCommand(
    {
      name: 'list',
      summary: 'Lists open requests, the newest first.',
      options: [
        facilityOption(),
        new Option('--status <status>', 'only with this status').choices(
          Object.keys(requestStatuses),
        ),
        new Option('--all', 'include requests that are done'),
        new Option('--most <number>', 'maximum number').argParser(numberFrom1).default(50),
      ],
      examples: [
        '{} requests list',
        '{} requests list --facility TXDFW03 --status new',
        '{} requests list --all --most 500 --json',
      ],
    },
    run,
    list,
  );
}

async function list(
  { db }: Context,
  { facility, status, all = false, most }: ListGiven,
): Promise<Answer> {
  const [only] = facility === undefined ? [] : await findFacilities(db, facility);
  const found = await findStaffRequests(db, {
    ...(only && { facilityId: only.id }),
    ...(status && { status }),
    isOpen: !all && status === undefined,
    most,
  });
  const lines = found.length === 0 ? ['There are none.'] : columnsOf(found.map(rowOf));
  return { json: { requests: found.map(summaryOf) }, lines };
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

const REFERENCE: [string, string] = ['<reference>', 'such as R-100042'];

type ShowGiven = { reference: string; photo?: string; by: string; why: string };

function showCommand(run: Runner): Command {
  return ownCommand(
    {
      name: 'show',
      summary: 'Shows a request with its history and its deliveries to the webhook.',
      argument: REFERENCE,
      options: [new Option('--photo <file>', 'write its photo to a new file'), ...callerOptions()],
      examples: ['{} requests show R-100042', '{} requests show R-100042 --photo ./R-100042.jpg'],
    },
    run,
    show,
  );
}

async function show(ctx: Context, { reference, photo, ...caller }: ShowGiven): Promise<Answer> {
  const request = await getRequest(ctx.db, reference);
  const { facilityId, tenantId } = request;
  const shown = { shows: 'requests show', rows: '1' };
  await noteShown(ctx, 'records.show', caller, { facilityId, tenantId, details: shown });
  if (photo !== undefined) await keepPhoto(ctx, request, photo);
  const events = await listEvents(ctx.db, request.id);
  const { kind, status, details } = request;
  const { blocks } = staffEmailOf(kind, reference, details);
  return {
    json: { ...summaryOf(request), details, events },
    lines: [
      `${reference}  ${requestStatuses[status]}`,
      `\n${blocks.map(blockText).join('\n\n')}\n`,
      ...events.map(eventText),
    ],
  };
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

type ActGiven = { reference: string; text?: string; by: string; dryRun?: boolean };

function replyCommand(run: Runner): Command {
  return ownCommand(
    {
      name: 'reply',
      summary: 'Replies to a request; one that is new is then in progress. The tenant is mailed.',
      argument: REFERENCE,
      options: [
        ...actOptions(textOption().makeOptionMandatory()),
        new Option('--status <status>', 'also set the status').choices(['in_progress', 'done']),
      ],
      examples: [
        '{} requests reply R-100042 --text "We look at it on Tuesday."',
        '{} requests reply R-100042 --status done --by "Kim, front desk" --text - < reply.txt',
      ],
    },
    run,
    (ctx: Context, given: ActGiven & { status?: 'in_progress' | 'done' }) =>
      act(ctx, given, given.status ?? null),
  );
}

function closeCommand(run: Runner): Command {
  return ownCommand(
    {
      name: 'close',
      summary: 'Sets a request to done, with a last word or without. The tenant is mailed.',
      argument: REFERENCE,
      options: actOptions(textOption()),
      examples: ['{} requests close R-100042 --text "The keypad works again."'],
    },
    run,
    (ctx: Context, given: ActGiven) => act(ctx, given, 'done'),
  );
}

function textOption(): Option {
  return new Option('--text <text>', 'what the tenant reads; - for standard input');
}

function actOptions(text: Option): Option[] {
  const by = new Option('--by <name>', 'your name, for the history that staff see');
  return [by.argParser(authorName).default('operator'), dryRunOption(), text];
}

async function act(
  ctx: Context,
  { reference, text, by, dryRun = false }: ActGiven,
  wanted: Act['status'],
): Promise<Answer> {
  const { id, ...before } = await getRequest(ctx.db, reference);
  const reply = readReply(text === '-' ? await textOf(process.stdin) : (text ?? ''));
  if (text !== undefined && reply === null) throw new StartFault('The reply is empty.');
  if (!dryRun) {
    const staff = { via: 'cli' as const, author: by };
    const origin = { ip: '', requestId: randomUUID() };
    await actOnRequest(ctx, id, { reply, status: wanted }, { staff, origin });
  }
  const status = wanted ?? (before.status === 'new' ? 'in_progress' : before.status);
  const done = [
    ...(reply === null ? [] : ['a reply to the tenant']),
    `status ${requestStatuses[status]}`,
  ].join(', ');
  return {
    json: { dryRun, reference, reply, status },
    lines: [`${reference}: ${done}${dryRun ? '; nothing was changed.' : '.'}`],
  };
}

type ReplayGiven = { since?: string; dead?: boolean; dryRun?: boolean };

function replayCommand(run: Runner): Command {
  const replayed = ownCommand(
    {
      name: 'replay',
      summary:
        'Sends events to the webhook again. The receiver recognizes a repeat by the event’s id.',
      options: [
        new Option(
          '--since <day>',
          'all since this day in UTC, such as 2026-12-01, including delivered ones',
        ).argParser(calendarDate),
        new Option('--dead', 'only those that were given up after a day'),
        dryRunOption('print their number, and send none'),
      ],
      says: 'The running server begins to send them within seconds.',
      examples: ['{} requests replay --dead', '{} requests replay --since 2026-12-01 --dry-run'],
    },
    run,
    replay,
  );
  return replayed.hook('preAction', (command) => {
    const { since, dead } = command.opts<ReplayGiven>();
    if (since === undefined && !dead)
      command.error('Say which: --dead for those that were given up, or --since with a day.');
  });
}

async function replay(
  ctx: Context,
  { since, dead = false, dryRun = false }: ReplayGiven,
  terminal: Terminal,
): Promise<Answer> {
  if (ctx.config.webhook === undefined)
    throw new StartFault('WEBHOOK_URL is not set, so events cannot be sent.');
  const wanted = { isDeadOnly: dead, ...(since !== undefined && { since: new Date(since) }) };
  const events = dryRun
    ? await countReplay(ctx, wanted)
    : await replayEvents(ctx, wanted, (progress) => terminal.progress('events', progress));
  return {
    json: { dryRun, events },
    lines: [dryRun ? `${events} events would be sent again.` : `${events} events are sent again.`],
  };
}

async function getRequest(db: Context['db'], reference: string): Promise<StaffRequest> {
  const request = await findStaffRequest(db, { reference });
  if (request === undefined) throw new StartFault(`There is no request ${reference}.`);
  return request;
}

function authorName(text: string): string {
  const name = callerName(text);
  if (name === '' || name.length > 100)
    throw new InvalidArgumentError('It must be a name of 1 to 100 characters.');
  return name;
}
