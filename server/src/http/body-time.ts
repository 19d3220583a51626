import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bareAnswer, tooSlow } from './client-errors.ts';
import { inLanguageOf } from './language.ts';

/**
 * A body has 15 seconds to arrive, two of which are left to close the connection; an upload of an
 * authenticated tenant has more.
 */
const BODY_MS = 13_000;
const UPLOAD_MS = 120_000;

/** After this time an upload must have arrived at this average rate, or it is ended. */
const GRACE_MS = 10_000;
const LEAST_BYTES_PER_SECOND = 4096;

/**
 * The server's limit for a whole request, above those here; it applies to requests that no route
 * handles.
 */
export const REQUEST_TIMEOUT_MS = UPLOAD_MS + 20_000;

/**
 * The time to answer a request that has arrived: longer than for the client, because a gateway may
 * be slow.
 */
const ANSWER_MS = 60_000;

const watches = new WeakMap<FastifyRequest, NodeJS.Timeout>();

/** Ends a request whose body does not arrive in time. Runs at the start of every request. */
export function limitBodyTime(request: FastifyRequest, reply: FastifyReply): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  // An injected request has no connection, and its body is complete.
  if (!hasBody || !(request.raw.socket instanceof Socket)) return;
  watches.set(
    request,
    setTimeout(() => cut(request, reply), BODY_MS),
  );
  request.raw.once('close', () => clearTimeout(watches.get(request)));
}

/** Extends the socket timeout while the answer is prepared; for requests that have arrived. */
export function allowAnswerTime({ raw: { socket } }: FastifyRequest): void {
  if (socket instanceof Socket) socket.setTimeout(ANSWER_MS);
}

/** Gives an upload more time from now on, as long as it arrives at the minimum rate. */
export function allowUploadTime(request: FastifyRequest, reply: FastifyReply): void {
  const limit = watches.get(request);
  if (limit === undefined || request.raw.closed) return;
  clearTimeout(limit);
  const { socket } = request.raw;
  const [startedAt, startedWith] = [performance.now(), socket.bytesRead];
  const check = () => {
    const ms = performance.now() - startedAt;
    const isSlow =
      ms > GRACE_MS && socket.bytesRead - startedWith < (ms / 1000) * LEAST_BYTES_PER_SECOND;
    if (isSlow || ms > UPLOAD_MS) cut(request, reply);
  };
  watches.set(request, setInterval(check, 1000));
}

/**
 * Ends the request as Node does at its own timeout: one answer on the raw connection, then it
 * closes.
 */
function cut(request: FastifyRequest, reply: FastifyReply): void {
  clearTimeout(watches.get(request));
  const { raw } = request;
  if (raw.complete) return;
  if (!reply.raw.headersSent) raw.socket.write(bareAnswer(408, inLanguageOf(request, tooSlow)));
  raw.socket.destroySoon();
}
