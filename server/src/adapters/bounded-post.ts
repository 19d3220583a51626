import { lookup, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress } from '#config/private-addresses.ts';
import { isOfConnecting } from './payments/connecting.ts';

/**
 * A call that failed. `status` is null where no valid answer came; the receiver may then have
 * processed the call, unless `isUnsent`: no connection was made. The message names neither the
 * address nor the body, which may hold secrets.
 */
export class PostFailed extends Error {
  override name = 'PostFailed';
  readonly status: number | null;
  readonly isUnsent: boolean;

  constructor(
    message: string,
    status: number | null,
    { isUnsent = false, ...options }: ErrorOptions & { isUnsent?: boolean } = {},
  ) {
    super(message, options);
    this.status = status;
    this.isUnsent = isUnsent;
  }
}

/**
 * What an answer refuses for good: `message`, which the receiver will not take in another try
 * either, or `caller`, for as long as one of both sides is set up wrongly. Null where another try
 * may be taken.
 */
export function refusalIn({ status }: PostFailed): 'message' | 'caller' | null {
  if (status === null || status < 300 || status >= 500) return null;
  if ([408, 409, 421, 425, 429].includes(status)) return null;
  return status < 400 || [401, 403, 404, 405, 407].includes(status) ? 'caller' : 'message';
}

/** The bounds of a call. At most `answerBytes` of an answer are read. */
export type PostLimits = { connectMs: number; callMs: number; answerBytes: number };

export const postLimits: PostLimits = {
  connectMs: 3_000,
  callMs: 20_000,
  answerBytes: 1024 * 1024,
};

type Post = {
  headers: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Addresses of private networks and of this machine are refused, also as those of a name. */
  isPrivateRefused: boolean;
  /** Only the status of the answer is used; a body longer than the limit is no failure. */
  isStatusEnough?: boolean;
  limits?: PostLimits;
};

/**
 * Posts a body, once, bounded in time and size, and answers with whatever status came; redirects
 * are not followed. Throws PostFailed where no valid answer came.
 */
export async function post(
  target: URL,
  body: string,
  { headers, signal, isPrivateRefused, isStatusEnough = false, limits = postLimits }: Post,
): Promise<{ status: number; text: string }> {
  if (isPrivateRefused && isPrivateAddress(target.hostname)) throw refusedAddress();
  const inTime = AbortSignal.timeout(limits.callMs);
  return send(target, body, {
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    signal: signal === undefined ? inTime : AbortSignal.any([signal, inTime]),
    isPrivateRefused,
    isStatusEnough,
    connectMs: limits.connectMs,
    answerBytes: limits.answerBytes,
  }).catch((error: unknown) => {
    if (error instanceof PostFailed) throw error;
    // System error codes hold no address: ECONNREFUSED, ENOTFOUND.
    const { code } = error as { code?: unknown };
    const why = typeof code === 'string' && /^E[A-Z]+$/.test(code) ? ` (${code})` : '';
    const isUnsent = isOfConnecting(error);
    throw new PostFailed(`the other side gave no answer${why}`, null, { cause: error, isUnsent });
  });
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
      () =>
        request.destroy(
          Object.assign(new Error('connecting took too long'), { syscall: 'connect' }),
        ),
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

function refusedAddress(): PostFailed {
  return new PostFailed(
    'the address is one of a private network, which the live profile does not call',
    null,
    { isUnsent: true },
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
