import {
  createCalendarFeed,
  getCalendarFeed,
  removeCalendarFeed,
} from '@gatehouse/contract/calendar-feed';
import { mutation, query, request } from './base.ts';
import { mutationHook, queryHook } from './hooks.ts';

export const calendarFeedCalls = {
  /** The private calendar of a tenant record; the spec's groups name none. */
  getCalendarFeed: query({
    name: 'getCalendarFeed',
    group: null,
    send: (tenantId: string) => request(getCalendarFeed, { tenantId }),
  }),
  /** The caller that makes it asks for it again; the spec's groups name none. */
  createCalendarFeed: mutation({
    send: (tenantId: string) => request(createCalendarFeed, { tenantId }),
    invalidates: [],
  }),
  /** The caller that removes it asks for it again; the spec's groups name none. */
  removeCalendarFeed: mutation({
    send: (tenantId: string) => request(removeCalendarFeed, { tenantId }),
    invalidates: [],
  }),
};

export const useGetCalendarFeedQuery = queryHook(calendarFeedCalls.getCalendarFeed);
export const useCreateCalendarFeedMutation = mutationHook(calendarFeedCalls.createCalendarFeed);
export const useRemoveCalendarFeedMutation = mutationHook(calendarFeedCalls.removeCalendarFeed);
