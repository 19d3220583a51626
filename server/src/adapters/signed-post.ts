import { createHmac } from 'node:crypto';
import { lookup, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress } from '#config/private-addresses.ts';

/**
 * The receiver of signed calls. `url` is https, or http on this machine; `secret` is shared with
 * the receiver. `isPrivateRefused`: addresses of private networks and of this machine are refused,
 * also when a name resolves to one (T21). `isStatusEnough`: only the status of the answer is used;
 * a body longer than the limit is no failure.
 */
export type SignedTarget = {
  url: string;
  secret: string;
  isPrivateRefused: boolean;
  isStatusEnough?: boolean;
};

/**
 * Posts a JSON text and returns an answer with a 2xx status. Sends `X-Gatehouse-Timestamp`, seconds
 * since 1970, and `X-Gatehouse-Signature: v1=<hex>`, the HMAC-SHA-256 under the secret of
 * timestamp, a dot and the body; `headers` are added. Throws PostFailed otherwise. Does not retry.
 */
export type SignedPost = (
  body: string,
  more?: { headers?: Record<string, string>; signal?: AbortSignal },
) => Promise<{ status: number; text: string }>;

/**
 * A call that failed. `status` is null where no valid answer came; the receiver may then have
 * processed the call. The message names neither the address nor the body, which may hold secrets.
 */
export class PostFailed extends Error {
  override name = 'PostFailed';
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Limits of a call (D31). At most `answerBytes` of an answer are read. */
const limits = { connectMs: 3_000, callMs: 20_000, answerBytes: 1024 * 1024 };

/** Signed calls to one address, bounded in time and size (D31); redirects are not followed. */
export function createSignedPost(
  { url, secret, isPrivateRefused, isStatusEnough = false }: SignedTarget,
  now: () => number = Date.now,
  { connectMs, callMs, answerBytes } = limits,
): SignedPost {
  const target = new URL(url);
  if (!isOutsideOrLocal(target))
    throw new Error('signed calls go over https, or stay on this machine');
  return async (body, { headers = {}, signal } = {}) => {
    if (isPrivateRefused && isPrivateAddress(target.hostname)) throw refusedAddress();
    const timestamp = String(Math.floor(now() / 1000));
    const inTime = AbortSignal.timeout(callMs);
    const answer = await send(target, body, {
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'x-gatehouse-timestamp': timestamp,
        'x-gatehouse-signature': signatureOf(secret, timestamp, body),
      },
      signal: signal === undefined ? inTime : AbortSignal.any([signal, inTime]),
      isPrivateRefused,
      isStatusEnough,
      connectMs,
      answerBytes,
    }).catch((error: unknown) => {
      if (error instanceof PostFailed) throw error;
      // System error codes hold no address: ECONNREFUSED, ENOTFOUND.
      const { code } = error as { code?: unknown };
      const why = typeof code === 'string' && /^E[A-Z]+$/.test(code) ? ` (${code})` : '';
      throw new PostFailed(`the other side gave no answer${why}`, null, { cause: error });
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    const isRedirect = answer.status >= 300 && answer.status < 400;
    throw new PostFailed(
      isRedirect
        ? `the other side redirects (${answer.status}), which is not followed`
        : `the other side answered ${answer.status}`,
      answer.status,
    );
  };
}

/** `v1=` and the HMAC of timestamp, dot and body, in hexadecimal digits. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

type Sending = {
  headers: Record<string, string>;
  signal: AbortSignal;
  isPrivateRefused: boolean;
  isStatusEnough: boolean;
  connectMs: number;
  answerBytes: number;
};

function send(target: URL, body: string, sending: Sending) {
  const { headers, signal, isPrivateRefused, connectMs } = sending;
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const isTls = target.protocol === 'https:';
    const request = (isTls ? httpsRequest : httpRequest)(target, {
      method: 'POST',
      agent: false,
      headers,
      signal,
      ...(isPrivateRefused && { lookup: lookupPublic }),
    });
    // Node's own timeouts do not distinguish connecting from answering.
    const timer = setTimeout(
      () => request.destroy(new Error('connecting took too long')),
      connectMs,
    );
    request.once('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    });
    request.once('close', () => clearTimeout(timer));
    request.on('error', reject);
    request.once('response', (response) => {
      void readBounded(response, sending)
        .then((text) => resolve({ status: response.statusCode ?? 0, text }))
        .catch(reject)
        .finally(() => request.destroy());
    });
    request.end(body);
  });
}

async function readBounded(
  response: IncomingMessage,
  { answerBytes, isStatusEnough }: Sending,
): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > answerBytes && isStatusEnough) return '';
      if (bytes > answerBytes)
        throw new PostFailed('the answer of the other side is too large', null);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof PostFailed) throw error;
    throw new PostFailed('the answer of the other side broke off', null, { cause: error });
  }
  return Buffer.concat(parts).toString('utf8');
}

function isOutsideOrLocal({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname))
  );
}

function refusedAddress(): PostFailed {
  return new PostFailed(
    'the address is one of a private network, which the live profile does not call',
    null,
  );
}

/**
 * Resolves a name, and fails where one of its addresses is private, so that the address checked is
 * the one called.
 */
const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) {
      done(error, []);
      return;
    }
    const [first] = addresses;
    if (first === undefined) done(new Error('the name has no address'), []);
    else if (addresses.some(({ address }) => isPrivateAddress(address))) done(refusedAddress(), []);
    else if (options.all === true) done(null, addresses);
    else done(null, first.address, first.family);
  });
};
