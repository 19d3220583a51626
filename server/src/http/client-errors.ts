import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { t } from '@gatehouse/language/t';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#errors/refusal.ts';

/** The sentence for a request that does not arrive in time. */
export const tooSlow = () => t('The request took too long to arrive. Please try again.');

const NO_HTTP = 'The request is not valid HTTP.';

const DISCARD_MS = 1000;

/** A body with a larger content length, several photos', is not read even to be discarded. */
const MOST_DISCARDED = 32 * 1024 * 1024;

/** The answers to errors that Node's HTTP parser reports, by code. */
const answers: Record<string, [status: number, message: () => string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, tooSlow],
  HPE_HEADER_OVERFLOW: [431, () => 'The request’s headers are too large.'],
};

/**
 * Answers an invalid or slow request with a sentence and closes the connection. Data that still
 * arrives is discarded for a moment, because closing at once would reset the connection, and the
 * reset could overtake the answer.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = answers[error.code ?? ''] ?? [400, () => NO_HTTP];
  hangUp(socket, status, message());
}

/**
 * Refuses with a sentence what Node would refuse without one: a request without a host or with an
 * unknown expectation.
 */
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
 * Stops reading a body that is far too large once its refusal is sent, and closes the connection:
 * reading many such bodies only to discard them would fill the memory. Smaller bodies are
 * discarded, so that a client that reads only at the end gets the answer.
 */
export function leaveUnread(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  if (!(Number(request.headers['content-length']) > MOST_DISCARDED)) return;
  response.once('finish', () => {
    // After `finish` Node resumes the socket itself.
    setImmediate(() => socket.pause());
    setTimeout(() => socket.destroy(), DISCARD_MS).unref();
  });
}

function hangUp(socket: Socket, status: number, message: string): void {
  socket.end(bareAnswer(status, message));
  setTimeout(() => socket.destroy(), DISCARD_MS).unref();
}

/** A complete HTTP answer for a raw connection that is closed after it. */
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
