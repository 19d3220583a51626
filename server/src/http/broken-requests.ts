import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#refusal.ts';
import { bareAnswer } from './client-errors.ts';

/** Refuses in a sentence (D27) what Node would refuse without one: a request that names no host or expects what nobody knows. */
export function refuseUnfit(app: FastifyInstance): void {
  app.server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    socket.end(bareAnswer(417, 'The request expects what this server does not do.'));
  });
  app.addHook('onRequest', (request, reply, done) => {
    const isUnnamed = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    if (isUnnamed) reply.header('connection', 'close');
    done(isUnnamed ? new Refusal(400, 'The request is not valid HTTP.') : undefined);
  });
}
