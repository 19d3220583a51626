import { pino, type DestinationStream, type Logger } from 'pino';
import { scrub } from '#scrub.ts';

/** What a line may say beside time, level and sentence (D26): ids, counts, dates and words of ours. All else is left out. */
const fields = new Set([
  ...['reqId', 'method', 'route', 'status', 'ms', 'err'],
  ...[
    'facilityId',
    'ledgerId',
    'intentId',
    'refundId',
    'reference',
    'event',
    'date',
    'step',
    'work',
    'mails',
    'subject',
  ],
  ...['kind', 'key', 'facts', 'class', 'ours', 'theirs', 'anchor', 'done', 'total'],
]);

/**
 * The server's log: JSON lines of the fields on the list, to stdout or where it is told to write. Of every line, whatever it
 * came from, what looks like a card, an account or a token is taken out.
 */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: describeError },
    formatters: { log: keepListed },
    hooks: { streamWrite: scrub },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** The fields on the list, and the names of those that are not. */
function keepListed(given: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const left: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (fields.has(name)) kept[name] = value;
    else left.push(name);
  }
  return left.length === 0 ? kept : { ...kept, leftOut: left };
}

/** Of an error only what helps: the database's own errors also carry rows, which hold tenants' data (D26). */
function describeError(error: Error & { code?: string }): object {
  const { name, code, message, stack } = error;
  return { name, code, message, stack };
}
