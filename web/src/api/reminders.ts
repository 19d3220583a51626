import { changeReminders, getReminders, type ReminderKind } from '@gatehouse/contract/reminders';
import { confirmTexts, requestTexts, stopTexts } from '@gatehouse/contract/text-messages';
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
  /** The caller that changes them asks for them again; the spec's groups name none. */
  changeReminders: mutation({
    send: ({ tenantId, ...body }: Change) => request(changeReminders, { tenantId }, { body }),
    invalidates: [],
  }),
  /** These three too: the caller that calls them asks for the reminders again. */
  requestTexts: mutation({
    send: ({ tenantId, ...body }: { tenantId: string; consent: string }) =>
      request(requestTexts, { tenantId }, { body }),
    invalidates: [],
  }),
  confirmTexts: mutation({
    send: ({ tenantId, ...body }: { tenantId: string; code: string }) =>
      request(confirmTexts, { tenantId }, { body }),
    invalidates: [],
  }),
  stopTexts: mutation({
    send: (tenantId: string) => request(stopTexts, { tenantId }),
    invalidates: [],
  }),
};

export const useGetRemindersQuery = queryHook(reminderCalls.getReminders);
export const useChangeRemindersMutation = mutationHook(reminderCalls.changeReminders);
export const useRequestTextsMutation = mutationHook(reminderCalls.requestTexts);
export const useConfirmTextsMutation = mutationHook(reminderCalls.confirmTexts);
export const useStopTextsMutation = mutationHook(reminderCalls.stopTexts);
