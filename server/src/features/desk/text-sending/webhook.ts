import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { readTwilioEvent } from '#adapters/text-messages/twilio-events.ts';
import { ofRequest, type Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import { receiveReply } from '#features/service/texts/replies.ts';
import { receiveReport } from './reports.ts';

/** Where Twilio sends replies and reports, below the portal's address. */
export const TWILIO_WEBHOOK = '/api/webhooks/twilio';

/** Twilio's forms have some hundred characters, and a text of 1600 at most. */
const BODY_BYTES = 32 * 1024;

/**
 * POST /api/webhooks/twilio, for Twilio only and so outside of the contract: what recipients
 * answered, and what became of our texts. Answers in TwiML. A signature that is missing or wrong is
 * answered with 403, and nothing is stored or changed; a repeat changes nothing either.
 */
export function registerTwilioWebhook(api: FastifyInstance, ctx: Context): void {
  const { texts, publicUrl } = ctx.config;
  if (texts.kind !== 'twilio') return;
  void api.register((hook, _options, done) => {
    // The signature covers the fields as they were sent.
    hook.removeAllContentTypeParsers();
    hook.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    hook.post(
      '/webhooks/twilio',
      {
        bodyLimit: BODY_BYTES,
        config: { urgency: 'payment' },
        schema: { hide: true, response: { 200: z.string() } },
      },
      async ({ body, headers, id, log, raw }, reply) => {
        const signature = headers['x-twilio-signature'];
        const event = readTwilioEvent(texts.authToken, {
          url: publicUrl + (raw.url ?? TWILIO_WEBHOOK),
          form: typeof body === 'string' ? body : '',
          signature: typeof signature === 'string' ? signature : undefined,
        });
        if (event === null)
          throw new Refusal(403, 'The signature of the call is missing or wrong.');
        const answer = await receive(ofRequest(ctx, id, log), event);
        return reply.type('text/xml; charset=utf-8').send(twiml(answer));
      },
    );
    done();
  });
}

async function receive(
  ctx: Context,
  event: Exclude<ReturnType<typeof readTwilioEvent>, null>,
): Promise<string | null> {
  if (event === 'unknown') return null;
  if (event.kind === 'reply') return receiveReply(ctx, event);
  await receiveReport(ctx, event);
  return null;
}

/** What Twilio is to answer; nothing where there is no message. */
function twiml(message: string | null): string {
  const said = message === null ? '' : `<Message>${escapeXml(message)}</Message>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${said}</Response>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
