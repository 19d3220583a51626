import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bareAnswer, TOO_SLOW } from './client-errors.ts';

/** A body has 15 seconds to arrive (D30), the last two of them to end; an upload, once its sender is a known tenant, has more. */
const BODY_MS = 13_000;
const UPLOAD_MS = 120_000;

/** After this long an upload must have come at this rate on average, or it only holds its place. */
const GRACE_MS = 10_000;
const LEAST_BYTES_PER_SECOND = 4096;

/** The server's own limit for a whole request, above those here: what no route has taken on ends with it. */
export const REQUEST_TIMEOUT_MS = UPLOAD_MS + 20_000;

/** A request that is there may take this long to answer: a gateway is waited for longer than for a client (D31). */
const ANSWER_MS = 60_000;

const watches = new WeakMap<FastifyRequest, NodeJS.Timeout>();

/** Ends a request whose body does not arrive in time; for the start of every request. */
export function limitBodyTime(request: FastifyRequest, reply: FastifyReply): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  // What is injected without a connection is there already.
  if (!hasBody || !(request.raw.socket instanceof Socket)) return;
  watches.set(
    request,
    setTimeout(() => cut(request, reply), BODY_MS),
  );
  request.raw.once('close', () => clearTimeout(watches.get(request)));
}

/** Lets the connection be silent while the answer is made; for requests that have arrived. */
export function allowAnswerTime({ raw: { socket } }: FastifyRequest): void {
  if (socket instanceof Socket) socket.setTimeout(ANSWER_MS);
}

/** Gives an upload its longer time from now on, as long as it comes at the least rate. */
export function allowUploadTime(request: FastifyRequest, reply: FastifyReply): void {
  const limit = watches.get(request);
  if (limit === undefined || request.raw.closed) return;
  clearTimeout(limit);
  const { socket } = request.raw;
  const [startedAt, startedWith] = [performance.now(), socket.bytesRead];
  const check = () => {
    const ms = performance.now() - startedAt;
    const isSlow = ms > GRACE_MS && socket.bytesRead - startedWith < (ms / 1000) * LEAST_BYTES_PER_SECOND;
    if (isSlow || ms > UPLOAD_MS) cut(request, reply);
  };
  watches.set(request, setInterval(check, 1000));
}

/** As Node ends what outlives its own limit: one answer on the bare connection, and then no connection. */
function cut(request: FastifyRequest, reply: FastifyReply): void {
  clearTimeout(watches.get(request));
  const { raw } = request;
  if (raw.complete) return;
  if (!reply.raw.headersSent) raw.socket.write(bareAnswer(408, TOO_SLOW));
  raw.socket.destroySoon();
}
