import { changeReminders, getReminders, type ReminderKind } from '@gatehouse/contract/reminders';
import { mutation, query, request } from './base.ts';
import { mutationHook, queryHook } from './hooks.ts';

type Change = { tenantId: string; kind: ReminderKind; isOn: boolean };

export const reminderCalls = {
  /** Which reminders a tenant record is mailed; the spec's groups name none. */
  getReminders: query({
    name: 'getReminders',
    group: null,
    send: (tenantId: string) => request(getReminders, { tenantId }),
  }),
  /** Who changes them asks for them again; the spec's groups name none. */
  changeReminders: mutation({
    send: ({ tenantId, ...body }: Change) => request(changeReminders, { tenantId }, { body }),
    invalidates: [],
  }),
};

export const useGetRemindersQuery = queryHook(reminderCalls.getReminders);
export const useChangeRemindersMutation = mutationHook(reminderCalls.changeReminders);
