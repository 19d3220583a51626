import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { accountLanguage } from './account-language.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { tenantPathParams } from './tenants.ts';
import { textMessages } from './text-messages.ts';

/**
 * The reminders that a tenant gets: before rent is due without autopay, on its due date, and
 * before the gate is suspended.
 */
export const reminderKinds = ['rent_soon', 'rent_today', 'gate_soon'] as const;
export type ReminderKind = (typeof reminderKinds)[number];
const reminderKind = z.enum(reminderKinds, {
  error: () => t('There is no reminder of this kind.'),
});

/** Rent is reminded of from this many days before its due date on. */
export const RENT_DAYS = 5;

/**
 * A gate is reminded of from this many days before it is suspended on: the owner can still come.
 */
export const GATE_DAYS = 2;

/**
 * What a tenant record is reminded of. `isOffered`: whether its facility sends reminders at all.
 * `stopped` are the kinds that the tenant does not want. `texts`: whether they go by text message
 * in place of mail; null where the facility offers none. `language`: that of the sign-in's account,
 * null where it has none yet.
 */
export const reminderChoices = z.object({
  isOffered: z.boolean(),
  stopped: z.array(reminderKind),
  texts: z.nullable(textMessages),
  language: z.nullable(accountLanguage),
});
export type ReminderChoices = z.infer<typeof reminderChoices>;

const path = `${PREFIX}/tenants/:tenantId/reminders` as const;
const example: ReminderChoices = {
  isOffered: true,
  stopped: ['rent_soon'],
  texts: {
    phone: '8175550142',
    state: 'off',
    consent:
      'I agree that Anchor & Axle sends automated reminders … by text message to (817) 555-0142 …',
  },
  language: 'en',
};

/** GET {prefix}/tenants/{tenantId}/reminders, not in the spec. */
export const getReminders = endpoint({
  name: 'getReminders',
  subject: 'Tenant',
  summary: 'Which reminders a tenant record gets, and how',
  method: 'GET',
  path,
  access: 'tenant',
  params: tenantPathParams,
  reply: reminderChoices,
  example,
});

/**
 * POST {prefix}/tenants/{tenantId}/reminders, not in the spec: stops the reminders of a kind, or
 * sends them again. A repeat changes nothing.
 */
export const changeReminders = endpoint({
  name: 'changeReminders',
  subject: 'Tenant',
  summary: 'Stops reminders of a kind, or sends them again',
  method: 'POST',
  path,
  access: 'tenant',
  params: tenantPathParams,
  body: z.object({
    kind: reminderKind,
    isOn: z.boolean({ error: () => t('IsOn must be true or false.') }),
  }),
  reply: z.extend(reminderChoices, {}),
  example,
});
