import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { TextEvent, TextWord } from './text-messages.ts';
import { STOPPED_CODE } from './twilio-texts.ts';

/** What Twilio's callbacks have in their form; the rest is not read. */
const reply = z.object({
  MessageSid: z.string().min(1).max(100),
  From: z.string().max(50),
  Body: z.string().max(2000),
  OptOutType: z.string().optional(),
});
const status = z.object({
  MessageSid: z.string().min(1).max(100),
  MessageStatus: z.string(),
  ErrorCode: z.string().max(20).optional(),
});

const words: Record<string, TextWord> = { STOP: 'stop', START: 'start', HELP: 'help' };

/**
 * Reads a call of Twilio to our webhook: a reply of a recipient, or what became of a text, which
 * the query of `url` names. `url` is the public one, with its query, and `form` the raw body. Null
 * for a signature that is missing or wrong.
 */
export function readTwilioEvent(
  authToken: string,
  { url, form, signature }: { url: string; form: string; signature: string | undefined },
): TextEvent | 'unknown' | null {
  const params = new URLSearchParams(form);
  if (signature === undefined || !isSigned(authToken, { url, params, signature })) return null;
  const fields = Object.fromEntries(params);
  const textId = z.uuid().safeParse(new URL(url).searchParams.get('text'));
  const reported = status.safeParse(fields);
  if (reported.success && textId.success) {
    const { MessageSid, MessageStatus, ErrorCode } = reported.data;
    const isDown = MessageStatus === 'undelivered' || MessageStatus === 'failed';
    return {
      kind: 'status',
      textId: textId.data,
      providerId: MessageSid,
      state: isDown ? 'undelivered' : MessageStatus === 'delivered' ? 'delivered' : 'under_way',
      code: isDown ? (ErrorCode ?? MessageStatus) : null,
      isStopped: isDown && ErrorCode === STOPPED_CODE,
    };
  }
  const said = reply.safeParse(fields);
  if (!said.success) return 'unknown';
  const { MessageSid, From, Body, OptOutType } = said.data;
  const word = OptOutType === undefined ? null : (words[OptOutType] ?? null);
  return { kind: 'reply', id: MessageSid, from: From, body: Body, word };
}

/**
 * Twilio's signature: base64 of the HMAC-SHA-1, under the account's token, of the URL and each
 * field's name and value in the order of the names. Twilio may name the usual port in the URL.
 */
function isSigned(
  authToken: string,
  { url, params, signature }: { url: string; params: URLSearchParams; signature: string },
): boolean {
  const said = [...new Set(params.keys())]
    .toSorted()
    .flatMap((name) => [...new Set(params.getAll(name))].toSorted().map((value) => name + value))
    .join('');
  const given = Buffer.from(signature);
  return [url, withPort(url)].some((signed) => {
    const right = Buffer.from(twilioSignature(authToken, signed + said));
    return right.length === given.length && timingSafeEqual(right, given);
  });
}

/** The signature of an URL with the fields behind it. */
export function twilioSignature(authToken: string, said: string): string {
  return createHmac('sha1', authToken).update(said).digest('base64');
}

function withPort(url: string): string {
  const { protocol, host, port } = new URL(url);
  if (port !== '') return url;
  const usual = protocol === 'https:' ? 443 : 80;
  return url.replace(`//${host}`, `//${host}:${usual}`);
}
