import { INVALID_TOKEN } from '@gatehouse/contract/refusal';
import { t } from '@gatehouse/language/t';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#errors/refusal.ts';
import { leaveUnread } from './client-errors.ts';
import { inLanguageOf } from './language.ts';
import { tooLarge } from './uploads.ts';

/** The longest message of an answer. */
const LONGEST_MESSAGE = 200;

/** The default `retry-after`. */
export const AGAIN_SECONDS = 5;

/**
 * The only place where a failure becomes `{ message }`: refusals answer their sentence, every other
 * error stays in the log.
 */
export function answerError(
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.send({ message: prepareRefusal(error, request, reply) });
}

/**
 * Sets status and headers of the answer to a failure, logs an unexpected error, and returns the
 * sentence; also for pages.
 */
export function prepareRefusal(
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const { status, message } = inLanguageOf(request, () => answerOf(error, request));
  // A refusal is expected, and under load there are thousands.
  if (status >= 500 && !(error instanceof Refusal))
    request.log.error({ err: error }, 'the request failed');
  if (status === 401) reply.header('www-authenticate', INVALID_TOKEN);
  const again = error instanceof Refusal ? error.retryAfterSeconds : undefined;
  if (status === 503) reply.header('retry-after', String(again ?? AGAIN_SECONDS));
  else if (again !== undefined) reply.header('retry-after', String(again));
  // Fastify would close at once, and the reset could overtake the answer; data that still arrives
  // is discarded.
  if (status === 413) reply.removeHeader('connection');
  leaveUnread(request.raw, reply.raw);
  reply.header('cache-control', 'no-store');
  void reply.status(status);
  return message.slice(0, LONGEST_MESSAGE);
}

function answerOf(
  error: FastifyError | Refusal,
  request: FastifyRequest,
): { status: number; message: string } {
  if (error instanceof Refusal) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { status: 413, message: tooLarge(request) };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { status: 415, message: t('The request body must be application/json.') };
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return { status: 422, message: t('The request body is not valid JSON.') };
  if (isDatabaseAway(error))
    return { status: 503, message: t('The service is busy for a moment. Please try again.') };
  return { status: 500, message: t('Something went wrong on our side. Please try again.') };
}

const awayCodes = new Set([
  ...['55P03', '57014', '40001', '40P01', '53300', '25006'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'],
]);
// The driver's errors without a code.
const awayMessages =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Cannot use a pool after)/;

/**
 * Whether an error of PostgreSQL or the driver is temporary: a timeout, a shutdown, a broken or
 * refused connection.
 */
export function isDatabaseAway({ code, message }: { code?: string; message: string }): boolean {
  return (
    (code !== undefined && (awayCodes.has(code) || /^(57P0|08)/.test(code))) ||
    awayMessages.test(message)
  );
}
