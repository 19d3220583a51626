import type { WebhookSettings } from '#config.ts';
import { createSignedPost } from './signed-post.ts';

/** An event on its way: its id by which a repeat is known, the JSON that is signed, and when it is sent. */
export type WebhookMessage = { id: string; body: string; at: Date };

/**
 * Posts one event to the operator's webhook, once. Done when the receiver has answered with 2xx and its answer is whole or longer
 * than anybody needs; throws a PostFailed otherwise.
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
