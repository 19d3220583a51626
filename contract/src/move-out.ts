import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { ledgerPathParams } from './ledgers.ts';
import { exampleReceipt, requestReceipt } from './requests.ts';
import { optionalText } from './text.ts';

/**
 * scheduleMoveOutParams: the spec shows no fields; a date and a reason may be given, and nothing
 * must.
 */
export const scheduleMoveOutParams = z.optional(
  z.object({
    date: z.optional(
      z.iso.date({ error: () => t('Date must be a day of the calendar, such as 2026-12-31.') }),
    ),
    reason: optionalText(() => t('Reason'), 1000),
  }),
);

/**
 * POST {prefix}/ledgers/{ledgerId}/move-out: a message to staff; the portal's page itself points to
 * the operator's form.
 */
export const scheduleMoveOut = endpoint({
  name: 'scheduleMoveOut',
  subject: 'Requests',
  summary: 'Notifies the facility that the tenant wants to move out',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/move-out`,
  access: 'tenant',
  confirm: true,
  params: ledgerPathParams,
  body: scheduleMoveOutParams,
  reply: requestReceipt,
  example: exampleReceipt,
});
