import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { facilityParams, id } from './ids.ts';
import { formTypes } from './requests.ts';

/**
 * What tenants and staff call each kind of request; `move_out` is ours, for the spec has no form
 * type for it.
 */
export const requestTitles = {
  [formTypes.maintenance]: 'Maintenance request',
  [formTypes.insurance]: 'Protection plan change',
  [formTypes.gateAccess]: '24-hour access request',
  [formTypes.esign]: 'E-sign documents',
  [formTypes.tenantUpdate]: 'Contact information update',
  move_out: 'Move-out',
} as const;
export type TrackedKind = keyof typeof requestTitles;

/** Where a request stands: not yet taken up, in progress, done. */
export const requestStatuses = { new: 'New', in_progress: 'In progress', done: 'Done' } as const;
export type RequestStatus = keyof typeof requestStatuses;

/** So many requests are listed, and the longest reply in characters. */
export const MOST_LISTED = 50;
export const REPLY_MAX = 2000;

const keysOf = <Key extends string>(titles: Record<Key, string>) =>
  Object.keys(titles) as [Key, ...Key[]];

/**
 * A message to staff as its tenant follows it. `unitName` is null where it is about the record;
 * `asked` is what the tenant wrote, null for a form without a text. Dates are the facility's. What
 * staff wrote is plain text.
 */
export const trackedRequest = z.object({
  reference: z.string(),
  kind: z.enum(keysOf(requestTitles)),
  unitName: z.nullable(z.string()),
  askedOn: calendarDate,
  asked: z.nullable(z.string()),
  status: z.enum(keysOf(requestStatuses)),
  replies: z.array(z.object({ repliedOn: calendarDate, text: z.string() })),
});
export type TrackedRequest = z.infer<typeof trackedRequest>;

/** GET {prefix}/tenants/{tenantId}/requests, not in the spec: newest first, MOST_LISTED at most. */
export const listRequests = endpoint({
  name: 'listRequests',
  subject: 'Requests',
  summary:
    'What a tenant record asked of the facility, where it stands, and the replies; newest first',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/requests`,
  access: 'tenant',
  params: z.extend(facilityParams, { tenantId: id }),
  reply: z.array(trackedRequest),
  example: [
    {
      reference: 'R-100042',
      kind: 'maintenance_request_form',
      unitName: 'A101',
      askedOn: '2026-11-05',
      asked: 'The keypad does not light up.',
      status: 'in_progress',
      replies: [{ repliedOn: '2026-11-06', text: 'We look at it on Tuesday.' }],
    },
  ],
});
