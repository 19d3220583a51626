import { IMAGE_BODY_BYTES } from '@gatehouse/contract/images';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { allowUploadTime } from './body-time.ts';
import { UploadMemory } from './upload-memory.ts';

/** The limit of bodies in bytes, where the endpoint does not declare more (D29). */
export const BODY_BYTES = 64 * 1024;

/** The sentence for any other body of more bytes. */
export const BODY_TOO_LARGE = 'The request is too large.';

/**
 * The sentence for a photo above the endpoint's limit. Base64 makes four bytes of three, and the
 * rest of the body is small.
 */
export const PHOTO_TOO_LARGE = `The photo is too large. It may have at most ${Math.floor((IMAGE_BODY_BYTES / 1_048_576) * 0.75)} MB.`;

/** Whether the request is for an endpoint that takes a photo. */
export function isUpload({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.bodyLimit > BODY_BYTES;
}

/**
 * Whether the body without its photo exceeds the limit of other bodies. It is not parsed then: 8
 * MiB of brackets take seconds and half a gigabyte (T23). A data URL holds no quote, so it ends at
 * the next one.
 */
export function isMoreThanPhoto(body: string): boolean {
  const start = body.indexOf('"data:');
  if (start < 0) return body.length > BODY_BYTES;
  const end = body.indexOf('"', start + 1);
  return start + (end < 0 ? 0 : body.length - end) > BODY_BYTES;
}

/**
 * The step of an upload between the guard and the body: waits for memory with nothing of the body
 * read, and then extends its time. Fastify refuses a body whose content length is too large,
 * unread.
 */
export function receiveUploads() {
  const memory = new UploadMemory();
  return async (request: FastifyRequest, reply: FastifyReply, payload: RequestPayload): Promise<RequestPayload> => {
    const limit = request.routeOptions.bodyLimit;
    const bytes = Number(request.headers['content-length'] ?? limit);
    if (bytes > limit) return payload;
    const release = await memory.acquire(bytes);
    reply.raw.once('finish', release).once('close', release);
    if (reply.raw.destroyed) release();
    allowUploadTime(request, reply);
    return payload;
  };
}
