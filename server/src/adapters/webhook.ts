import type { WebhookSettings } from '#config/config.ts';
import { createSignedPost } from './signed-post.ts';

/**
 * An event to deliver: its id, by which a receiver detects a repeat, the JSON that is signed, and
 * the time of sending.
 */
export type WebhookMessage = { id: string; body: string; at: Date };

/**
 * Posts one event to the operator's webhook, once. Resolves when the receiver has answered with 2xx
 * and the answer is complete or over the size limit; throws PostFailed otherwise.
 */
export async function postWebhook(
  { url, secret, refusesPrivate }: WebhookSettings,
  { id, body, at }: WebhookMessage,
  limits?: { connectMs: number; callMs: number; answerBytes: number },
): Promise<void> {
  const target = { url, secret, isPrivateRefused: refusesPrivate, isStatusEnough: true };
  const post = createSignedPost(target, () => at.getTime(), limits);
  await post(body, { headers: { 'gatehouse-event-id': id } });
}
