import type { FastifyInstance, FastifyReply } from 'fastify';
import { PAPER_BODY_BYTES } from '@gatehouse/contract/vehicle-papers';
import type { Config } from '#config/config.ts';
import { clientOf } from './network.ts';
import { BODY_BYTES } from './uploads.ts';

/** What answers on their way may hold in memory: of one client two of the largest, of all eight. */
const OWN_BYTES = 2 * PAPER_BODY_BYTES;
const ALL_BYTES = 8 * PAPER_BODY_BYTES;

type Answer = { client: string; bytes: number; reply: FastifyReply };

/**
 * Bounds the memory of answers that clients do not read: an answer is held until its client has
 * taken it, and a client that asks and never reads would fill the memory with a few connections.
 * Where a new one does not fit, the oldest of its client are cut off, and then the oldest of all.
 * Answers no larger than a usual body, and files that are streamed, do not count.
 */
export function boundUnreadAnswers(
  app: FastifyInstance,
  config: Pick<Config, 'trustedHops'>,
): void {
  /** The oldest first. */
  let under: Answer[] = [];
  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = sizeOf(payload);
    if (bytes <= BODY_BYTES) return;
    const answer = { client: clientOf(request.raw, config), bytes, reply };
    under = [...under.filter(isUnread), answer];
    const isOwn = ({ client }: Answer) => client === answer.client;
    cutOldest(under.filter(isOwn), OWN_BYTES);
    cutOldest(under.filter(isUnread), ALL_BYTES);
  });
}

function sizeOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
}

function isUnread({ reply: { raw, request } }: Answer): boolean {
  return !raw.writableFinished && !request.raw.socket.destroyed;
}

function cutOldest(answers: Answer[], most: number): void {
  let bytes = answers.reduce((sum, one) => sum + one.bytes, 0);
  for (const { reply, bytes: freed } of answers) {
    if (bytes <= most) return;
    reply.request.raw.socket.destroy();
    bytes -= freed;
  }
}
