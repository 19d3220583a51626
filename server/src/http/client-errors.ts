import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#refusal.ts';

/** The sentence for a request that does not arrive in time. */
export const TOO_SLOW = 'The request took too long to arrive. Please try again.';

const NO_HTTP = 'The request is not valid HTTP.';

const DISCARD_MS = 1000;

/** What says it has more bytes than this, several photos', is not even thrown away. */
const MOST_DISCARDED = 32 * 1024 * 1024;

/** What Node finds wrong with a request before there is one, by its code. */
const answers: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, TOO_SLOW],
  HPE_HEADER_OVERFLOW: [431, 'The request’s headers are too large.'],
};

/**
 * Answers what is no request of ours, or comes too slowly, with a sentence (D27), and hangs up. What still comes is thrown away
 * for a moment: closed over it, the connection would be reset, and the reset could overtake the sentence.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = answers[error.code ?? ''] ?? [400, NO_HTTP];
  hangUp(socket, status, message);
}

/** Refuses in a sentence (D27) what Node would refuse without one: a request that names no host or expects what nobody knows. */
export function refuseUnfit(app: FastifyInstance): void {
  app.server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    hangUp(socket, 417, 'The request expects what this server does not do.');
  });
  app.addHook('onRequest', (request, reply, done) => {
    const isUnnamed = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    if (isUnnamed) reply.header('connection', 'close');
    done(isUnnamed ? new Refusal(400, NO_HTTP) : undefined);
  });
}

/**
 * Once its refusal is sent, a body that says it is far too large is left where it is and the connection ends: to take a hundred
 * of them in only to throw them away fills the memory with what was thrown away. Smaller ones are, so that a sender who listens
 * only at the end hears the sentence.
 */
export function leaveUnread(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  if (!(Number(request.headers['content-length']) > MOST_DISCARDED)) return;
  response.once('finish', () => {
    // Node itself lets it flow from here on.
    setImmediate(() => socket.pause());
    setTimeout(() => socket.destroy(), DISCARD_MS).unref();
  });
}

function hangUp(socket: Socket, status: number, message: string): void {
  socket.end(bareAnswer(status, message));
  setTimeout(() => socket.destroy(), DISCARD_MS).unref();
}

/** An answer for a bare connection, which ends with it. */
export function bareAnswer(status: number, message: string): string {
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
