import { createHmac } from 'node:crypto';
import { post, postLimits, PostFailed } from './bounded-post.ts';

/**
 * The receiver of signed calls. `url` is https, or http on this machine; `secret` is shared with
 * the receiver. `isPrivateRefused`: addresses of private networks and of this machine are refused,
 * also when a name resolves to one. `isStatusEnough`: only the status of the answer is used; a body
 * longer than the limit is no failure.
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

/** Signed calls to one address, bounded in time and size; redirects are not followed. */
export function createSignedPost(
  { url, secret, isPrivateRefused, isStatusEnough = false }: SignedTarget,
  now: () => number = Date.now,
  limits = postLimits,
): SignedPost {
  const target = new URL(url);
  if (!isOutsideOrLocal(target))
    throw new Error('signed calls go over https, or stay on this machine');
  return async (body, { headers = {}, signal } = {}) => {
    const timestamp = String(Math.floor(now() / 1000));
    const answer = await post(target, body, {
      headers: {
        ...headers,
        'content-type': 'application/json',
        'x-gatehouse-timestamp': timestamp,
        'x-gatehouse-signature': signatureOf(secret, timestamp, body),
      },
      signal,
      isPrivateRefused,
      isStatusEnough,
      limits,
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

function isOutsideOrLocal({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname))
  );
}
