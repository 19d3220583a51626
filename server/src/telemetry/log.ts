import { pino, type DestinationStream, type Logger } from 'pino';
import { scrub } from '#telemetry/scrub.ts';

/**
 * The fields that a log line may have besides time, level and message: ids, counts, dates and our
 * own texts. All others are dropped.
 */
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
    'subject',
  ],
  ...['job', 'reqIds'],
  ...['kind', 'key', 'facts', 'class', 'ours', 'theirs', 'anchor', 'done', 'total', 'refused'],
  ...['directive', 'blocked', 'source', 'line'],
]);

/**
 * The server's log: JSON lines of the fields on the list, to stdout or the destination. In every
 * line, what looks like a card, an account or a token is redacted.
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

/** Keeps the fields on the list, and the names of the dropped ones. */
function keepListed(given: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const left: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (fields.has(name)) kept[name] = value;
    else left.push(name);
  }
  return left.length === 0 ? kept : { ...kept, leftOut: left };
}

/** How many errors of an AggregateError, and how many causes of each, are logged. */
const MOST_ERRORS = 5;
const MOST_CAUSES = 4;

/** An error as it may be logged: name, code, message and stack, and those of its causes. */
type Described = {
  name?: string;
  code?: string;
  message?: string;
  stack?: string;
  errors?: Described[];
  cause?: Described;
};

/** The safe parts of an error: errors of the database also contain rows with tenants' data. */
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
