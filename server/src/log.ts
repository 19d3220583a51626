import { pino, type DestinationStream, type Logger } from 'pino';
import { scrub } from '#scrub.ts';

/** What a line may say beside time, level and sentence (D26): ids, counts, dates and words of ours. All else is left out. */
const fields = new Set([
  ...['reqId', 'method', 'route', 'status', 'ms', 'err'],
  ...['facilityId', 'ledgerId', 'intentId', 'refundId', 'reference', 'event', 'date', 'step', 'work', 'subject'],
  ...['job', 'reqIds'],
  ...['kind', 'key', 'facts', 'class', 'ours', 'theirs', 'anchor', 'done', 'total', 'refused'],
  ...['directive', 'blocked', 'source', 'line'],
]);

/**
 * The server's log: JSON lines of the fields on the list, to stdout or where it is told to write. Of every line, whatever it
 * came from, what looks like a card, an account or a token is taken out.
 */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: (error: unknown) => describeError(error) },
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

/** Of many that failed at once, and of what each of them came from, so much is told. */
const MOST_ERRORS = 5;
const MOST_CAUSES = 4;

/** An error as it may be told: its name, code, sentence and place, and those of what it came from. */
type Described = {
  name?: string;
  code?: string;
  message?: string;
  stack?: string;
  errors?: Described[];
  cause?: Described;
};

/** Of an error only what helps: the database's own errors also carry rows, which hold tenants' data (D26). */
export function describeError(error: unknown, depth = 0): Described {
  const { name, code, message, stack, errors, cause } = (error ?? {}) as Described;
  const inner = (one: unknown) => describeError(one, depth + 1);
  const isDeep = depth >= MOST_CAUSES;
  return {
    name,
    code,
    message,
    stack,
    ...(Array.isArray(errors) && !isDeep && { errors: errors.slice(0, MOST_ERRORS).map(inner) }),
    ...(cause !== undefined && !isDeep && { cause: inner(cause) }),
  };
}
