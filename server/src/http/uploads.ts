import { IMAGE_BODY_BYTES } from '@gatehouse/contract/images';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { allowUploadTime } from './body-time.ts';
import { UploadRoom } from './upload-room.ts';

/** Bodies may have this many bytes where the endpoint does not name more (D29). */
export const BODY_BYTES = 64 * 1024;

/** The sentence for any other body of more bytes. */
export const BODY_TOO_LARGE = 'The request is too large.';

/** The sentence for a photo of more bytes than that. Base64 makes four of three, and the rest of the body is small. */
export const PHOTO_TOO_LARGE = `The photo is too large. It may have at most ${Math.floor((IMAGE_BODY_BYTES / 1_048_576) * 0.75)} MB.`;

/** Whether the request is for an endpoint that takes a photo. */
export function isUpload({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.bodyLimit > BODY_BYTES;
}

/**
 * Whether a body has more beside its photo than any other call may have in all. Nothing of it is parsed then: 8 MiB of
 * brackets take seconds and half a gigabyte (T23). A data URL holds no quote, so the next one, or nothing, ends it.
 */
export function isMoreThanPhoto(body: string): boolean {
  const start = body.indexOf('"data:');
  if (start < 0) return body.length > BODY_BYTES;
  const end = body.indexOf('"', start + 1);
  return start + (end < 0 ? 0 : body.length - end) > BODY_BYTES;
}

/**
 * What the route of an upload does between the guard and the body: waits for room, with nothing of the body read, and then
 * gives it time. A body that says it is too large is left to Fastify, which refuses it unread.
 */
export function receiveUploads() {
  const room = new UploadRoom();
  return async (request: FastifyRequest, reply: FastifyReply, payload: RequestPayload): Promise<RequestPayload> => {
    const limit = request.routeOptions.bodyLimit;
    const bytes = Number(request.headers['content-length'] ?? limit);
    if (bytes > limit) return payload;
    const leave = await room.enter(bytes);
    reply.raw.once('finish', leave).once('close', leave);
    if (reply.raw.destroyed) leave();
    allowUploadTime(request, reply);
    return payload;
  };
}
