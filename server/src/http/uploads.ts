import { PassThrough } from 'node:stream';
import { IMAGE_BODY_BYTES } from '@gatehouse/contract/images';
import { t } from '@gatehouse/language/t';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import type { Refusal } from '#errors/refusal.ts';
import { allowUploadTime } from './body-time.ts';
import { inLanguageOf } from './language.ts';
import { UploadRoom, type Upload } from './upload-room.ts';

/** The limit of bodies in bytes, where the endpoint does not declare more. */
export const BODY_BYTES = 64 * 1024;

/** The sentence for any other body of more bytes. */
export const bodyTooLarge = () => t('The request is too large.');

/**
 * The sentence for a body above the endpoint's limit: of an upload how large its file may be.
 * Base64 makes four bytes of three, and the rest of the body is small.
 */
export function tooLarge({ routeOptions: { bodyLimit } }: FastifyRequest): string {
  if (bodyLimit <= BODY_BYTES) return bodyTooLarge();
  const most = Math.floor((bodyLimit / 1_048_576) * 0.75);
  return bodyLimit > IMAGE_BODY_BYTES
    ? t('The file is too large. It may have at most {most} MB.', { most })
    : t('The photo is too large. It may have at most {most} MB.', { most });
}

/**
 * Whether the body without its photo exceeds the limit of other bodies. It is not parsed then: 8
 * MiB of brackets take seconds and half a gigabyte. A data URL holds no quote, so it ends at the
 * next one.
 */
export function isMoreThanPhoto(body: string): boolean {
  const start = body.indexOf('"data:');
  if (start < 0) return body.length > BODY_BYTES;
  const end = body.indexOf('"', start + 1);
  return start + (end < 0 ? 0 : body.length - end) > BODY_BYTES;
}

type Receiving = { isHandled: boolean; end: () => void };

/**
 * The steps of an upload between the guard and the answer. Its bytes are counted as they arrive,
 * and beyond those of any other body they need room (`upload-room.ts`), which is held until the
 * handler ends. A body without a photo is small and never waits. Fastify refuses a body whose
 * content length is too large, unread.
 */
export function receiveUploads(userOf: (request: FastifyRequest) => string) {
  const room = new UploadRoom();
  const receiving = new WeakMap<FastifyRequest, Receiving>();
  return {
    async preParsing(request: FastifyRequest, reply: FastifyReply, payload: RequestPayload) {
      if (Number(request.headers['content-length']) > request.routeOptions.bodyLimit)
        return payload;
      // The events of a body arrive outside of the asynchronous context of the request.
      const { body, end } = countedBody(payload, (refuse) =>
        inLanguageOf(request, () =>
          room.begin(userOf(request), (why) => refuse(inLanguageOf(request, why))),
        ),
      );
      const one: Receiving = { isHandled: false, end };
      receiving.set(request, one);
      // A handler runs to its end also after its client has disconnected.
      reply.raw.once('close', () => one.isHandled || end());
      if (reply.raw.destroyed) end();
      allowUploadTime(request, reply);
      return body;
    },
    async preValidation(request: FastifyRequest): Promise<void> {
      const one = receiving.get(request);
      if (one !== undefined) one.isHandled = true;
    },
    async onSend(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const one = receiving.get(request);
      if (one === undefined) return;
      one.end();
      // The rest is discarded as it arrives, within the time of a body: to close now would reset
      // the connection before the client has read the answer.
      if (!request.raw.complete) reply.removeHeader('connection');
    },
  };
}

/**
 * The same bytes as they arrive. `begin` starts the upload in the room, which counts them, at the
 * first byte above the limit of other bodies. After `end` the rest of the body is read and
 * discarded.
 */
function countedBody(
  payload: RequestPayload,
  begin: (refuse: (refusal: Refusal) => void) => Upload,
) {
  const body = new PassThrough();
  // A refusal is reported by the reader of the body, if there is still one.
  body.on('error', () => {});
  const refuse = (refusal: Error) => {
    body.destroy(refusal);
    payload.resume();
  };
  let bytes = 0;
  let upload: Upload | undefined;
  /** Done when all chunks of the upload are passed on; the end may come before. */
  let passed: Promise<unknown> = Promise.resolve();
  payload.on('data', (chunk: Buffer) => {
    if (body.destroyed) return;
    bytes += chunk.length;
    if (bytes <= BODY_BYTES) {
      body.write(chunk);
      return;
    }
    try {
      upload ??= begin(refuse);
    } catch (error) {
      refuse(error as Refusal);
      return;
    }
    payload.pause();
    passed = Promise.all([passed, upload.hold(chunk.length)]).then(() => {
      body.write(chunk);
      payload.resume();
    });
  });
  payload.once('end', () => {
    void passed.then(() => {
      upload?.arrive();
      body.end();
    });
  });
  payload.once('error', (error: Error) => body.destroy(error));
  const end = () => {
    upload?.end();
    body.destroy();
    payload.resume();
  };
  return { body, end };
}
