import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#refusal.ts';

const NOT_HTTP = 'The request is not valid HTTP.';
const sentences: Record<number, string> = {
  400: NOT_HTTP,
  408: 'The request took too long to arrive. Please try again.',
  417: 'The request expects what this server does not do.',
  431: 'The headers of the request are too large.',
};

/** What Node could not read as a request: one answer on the bare connection, a sentence as everywhere (D27), and its end. */
export function answerUnreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const { headers, body } = answerOf(status);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  socket.destroySoon();
}

/** Refuses in a sentence what Node would refuse without one: a request that names no host or expects what nobody knows. */
export function refuseUnfit(app: FastifyInstance): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = answerOf(417);
    response.writeHead(417, headers).end(body);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const isUnnamed = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    if (isUnnamed) reply.header('connection', 'close');
    done(isUnnamed ? new Refusal(400, NOT_HTTP) : undefined);
  });
}

function answerOf(status: number) {
  const body = JSON.stringify({ message: sentences[status] });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  return { headers, body };
}
