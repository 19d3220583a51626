import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { done } from './ids.ts';
import { tenantPathParams } from './tenants.ts';

/**
 * The calendar of a tenant record for the calendar app of a phone or a computer. `url` answers with
 * iCalendar (RFC 5545) without a sign-in: anyone who has it reads due dates, sums, and names of
 * units, and never a gate code. It is null where the tenant has made none.
 */
export const calendarFeed = z.object({ url: z.nullable(z.string()) });
export type CalendarFeed = z.infer<typeof calendarFeed>;

const path = `${PREFIX}/tenants/:tenantId/calendar-feed` as const;
const example = { url: `http://localhost:3000/calendar/cal_${'A'.repeat(70)}.ics` };

/** GET {prefix}/tenants/{tenantId}/calendar-feed, not in the spec. */
export const getCalendarFeed = endpoint({
  name: 'getCalendarFeed',
  subject: 'Tenant',
  summary: 'The private calendar of a tenant record',
  method: 'GET',
  path,
  access: 'tenant',
  params: tenantPathParams,
  reply: calendarFeed,
  example,
});

/**
 * POST {prefix}/tenants/{tenantId}/calendar-feed, not in the spec: makes the calendar where there
 * is none, and mails the tenant that it was made. 429 after ten in an hour.
 */
export const createCalendarFeed = endpoint({
  name: 'createCalendarFeed',
  subject: 'Tenant',
  summary: 'Makes the private calendar of a tenant record',
  method: 'POST',
  path,
  access: 'tenant',
  confirm: true,
  params: tenantPathParams,
  reply: calendarFeed,
  example,
});

/**
 * POST {prefix}/tenants/{tenantId}/calendar-feed-removal, not in the spec: its URL stops working at
 * once and for good.
 */
export const removeCalendarFeed = endpoint({
  name: 'removeCalendarFeed',
  subject: 'Tenant',
  summary: 'Removes the private calendar of a tenant record',
  method: 'POST',
  path: `${PREFIX}/tenants/:tenantId/calendar-feed-removal`,
  access: 'tenant',
  params: tenantPathParams,
  reply: done,
  example: { success: true },
});
