import { z } from 'zod';
import type { TwilioSettings } from '#config/config.ts';
import { post, postLimits, PostFailed } from '../bounded-post.ts';
import { NotSent } from '../payments/gateway.ts';
import { createBreaker } from '../breaker.ts';
import { TextNotSent, TextRefused, TextUnknown, type TextMessages } from './text-messages.ts';

const API = 'https://api.twilio.com';

/** Twilio refuses the recipient, who has answered STOP. */
export const STOPPED_CODE = '21610';

const taken = z.object({ sid: z.string().min(1).max(100) });
const refused = z.object({ code: z.number().int() });

/**
 * Twilio's Messages resource (POST /2010-04-01/Accounts/{sid}/Messages.json), which has no
 * idempotency: a call without a valid answer is unknown, and never repeated here. With
 * `callbackUrl` Twilio reports there what became of each text, which is named in its query. A
 * circuit breaker stops the calls for a while after some failures in a row.
 */
export function createTwilioTexts(
  { accountSid, authToken, from, apiUrl }: TwilioSettings,
  callbackUrl: string | null,
): TextMessages {
  const target = new URL(`/2010-04-01/Accounts/${accountSid}/Messages.json`, apiUrl ?? API);
  const authorization = credentials(accountSid, authToken);
  const through = createBreaker({ isFault: (error) => !(error instanceof TextRefused) });
  return {
    async send({ id, to, body }) {
      const form = new URLSearchParams({
        To: to,
        [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from,
        Body: body,
        ...(callbackUrl !== null && { StatusCallback: `${callbackUrl}?text=${id}` }),
      });
      const headers = {
        authorization,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      };
      const signal = AbortSignal.timeout(postLimits.callMs);
      try {
        return await through(
          async () =>
            outcomeOf(
              await post(target, form.toString(), { headers, signal, isPrivateRefused: false }),
            ),
          signal,
        );
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

const account = z.object({ status: z.string() });

/**
 * Asks Twilio for the account (GET /2010-04-01/Accounts/{sid}.json), which sends nothing. Answers
 * why no text can be sent, as part of a sentence; null where they can.
 */
export async function checkTwilio({
  accountSid,
  authToken,
  apiUrl,
}: TwilioSettings): Promise<string | null> {
  const target = new URL(`/2010-04-01/Accounts/${accountSid}.json`, apiUrl ?? API);
  const authorization = credentials(accountSid, authToken);
  try {
    const answer = await fetch(target, {
      headers: { authorization, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(postLimits.callMs),
    });
    if (answer.status === 401) return 'it refuses the account or its token';
    if (answer.status !== 200) return `it answers ${answer.status}`;
    const { data } = account.safeParse(await answer.json());
    if (data === undefined) return 'it answers with something else than an account';
    return data.status === 'active' ? null : `the account is ${data.status}`;
  } catch (error) {
    const { cause } = error as Error;
    return `it cannot be reached: ${(cause instanceof Error ? cause : (error as Error)).message}`;
  }
}

/**
 * A 4xx is a refusal before anything was sent; of these 401, 403, 408 and 429 may be another answer
 * later. Whether a 5xx was taken is not known.
 */
function outcomeOf({ status, text }: { status: number; text: string }): { providerId: string } {
  if (status >= 200 && status < 300) {
    const answer = taken.safeParse(jsonOf(text));
    if (answer.success) return { providerId: answer.data.sid };
    throw new TextUnknown('Twilio answered a text message with something else');
  }
  const { data } = refused.safeParse(jsonOf(text));
  const code = data === undefined ? String(status) : String(data.code);
  if (status < 400 || status >= 500)
    throw new TextUnknown(`Twilio answered a text message with ${status}`);
  if ([401, 403, 408, 429].includes(status))
    throw new TextNotSent(`Twilio did not take a text message (${status}, ${code})`, {
      isOurAccount: status === 401 || status === 403,
    });
  throw new TextRefused(code, code === STOPPED_CODE);
}

function credentials(accountSid: string, authToken: string): string {
  return `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
}

function failureOf(error: unknown): unknown {
  if (error instanceof NotSent)
    return new TextNotSent('Twilio keeps failing and is not called for a while', { cause: error });
  if (!(error instanceof PostFailed)) return error;
  const { message: why, isUnsent } = error;
  return isUnsent
    ? new TextNotSent(`Twilio cannot be reached: ${why}`, { cause: error })
    : new TextUnknown(`Twilio did not answer: ${why}`, { cause: error });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
