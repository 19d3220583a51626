import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { done } from './ids.ts';
import { tenantPathParams } from './tenants.ts';
import { requiredMessage, tooLongMessage } from './text.ts';
import { plainCode } from './typed.ts';

/**
 * Text messages to the phone of a tenant record. `phone` is its ten digits, null where none is on
 * file that gets them. `state`: `code` while a code is open that was sent to it, `stopped` after
 * STOP was texted from it. `consent` is what a tenant agrees to by switching them on.
 */
export const textMessages = z.object({
  phone: z.nullable(z.string()),
  state: z.enum(['off', 'code', 'on', 'stopped']),
  consent: z.string(),
});
export type TextMessages = z.infer<typeof textMessages>;

const path = `${PREFIX}/tenants/:tenantId/text-messages` as const;

/** More than any consent has. */
const MOST_CHARACTERS = 1000;

/**
 * POST {prefix}/tenants/{tenantId}/text-messages, not in the spec: agrees to reminders by text
 * message, and sends a code to the phone on file; they are off until it is confirmed. `consent` is
 * the text that was agreed to. 409 where the facility offers none, no phone is on file, its owner
 * has texted STOP, or the consent reads otherwise by now; 429 for a number that gets too many
 * codes.
 */
export const requestTexts = endpoint({
  name: 'requestTexts',
  subject: 'Tenant',
  summary: 'Agrees to reminders by text message and sends a code to the phone',
  method: 'POST',
  path,
  access: 'tenant',
  confirm: true,
  params: tenantPathParams,
  body: z.object({
    consent: z.string({ error: () => t('Consent must be the text that you agree to.') }).check(
      z.maxLength(
        MOST_CHARACTERS,
        tooLongMessage(() => t('Consent')),
      ),
    ),
  }),
  reply: z.extend(done, {}),
  example: { success: true },
});

const code = () => t('Code');
const noCode = requiredMessage(code);

/**
 * POST {prefix}/tenants/{tenantId}/text-messages-code, not in the spec: switches text messages on
 * with the code. `success` is false for a code that is wrong, used up or too old.
 */
export const confirmTexts = endpoint({
  name: 'confirmTexts',
  subject: 'Tenant',
  summary: 'Confirms a phone by its code and switches text messages on',
  method: 'POST',
  path: `${PREFIX}/tenants/:tenantId/text-messages-code`,
  access: 'tenant',
  confirm: true,
  params: tenantPathParams,
  body: z.object({
    code: z
      .string(noCode)
      .check(z.overwrite(plainCode), z.minLength(1, noCode), z.maxLength(50, tooLongMessage(code))),
  }),
  reply: z.object({ success: z.boolean() }),
  example: { success: true },
});

/**
 * POST {prefix}/tenants/{tenantId}/text-messages-stop, not in the spec: switches text messages off.
 * Reminders then go by mail. A repeat changes nothing.
 */
export const stopTexts = endpoint({
  name: 'stopTexts',
  subject: 'Tenant',
  summary: 'Switches text messages off',
  method: 'POST',
  path: `${PREFIX}/tenants/:tenantId/text-messages-stop`,
  access: 'tenant',
  params: tenantPathParams,
  reply: z.extend(done, {}),
  example: { success: true },
});
