import { z } from 'zod/mini';
import { answerFields } from './answer-fields.ts';
import { calendarDate } from './calendar-date.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { facilityParams, id } from './ids.ts';
import { exampleReceipt, formTypes, requestReceipt } from './requests.ts';

/**
 * What staff call each kind of request, and tenants in the words of their page; `move_out` is ours,
 * for the spec has no form type for it.
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

/** The state of a request: not yet taken up, in progress, done. */
export const requestStatuses = { new: 'New', in_progress: 'In progress', done: 'Done' } as const;
export type RequestStatus = keyof typeof requestStatuses;

/**
 * What happened to a request: sent, replied to by staff, answered by the tenant, given a status,
 * objected to by the tenant.
 */
export const requestEventKinds = [
  'created',
  'replied',
  'answered',
  'status_changed',
  'objected',
] as const;
export type RequestEventKind = (typeof requestEventKinds)[number];

/** The most requests that are listed. */
export const MOST_LISTED = 50;
/** The most answers of a tenant to one request; then the phone is quicker. */
export const MOST_ANSWERS = 15;

const keysOf = <Key extends string>(titles: Record<Key, string>) =>
  Object.keys(titles) as [Key, ...Key[]];

/**
 * A message to staff as its tenant follows it. `unitName` is null where it is about the record;
 * `asked` is what the tenant wrote, the fields that a contact update asks to change, or null. Dates
 * are the facility's, in whose `timeZone` the instants of `steps` are shown, oldest first; the
 * `status` of a step is that after it. What was written is plain text.
 */
export const trackedRequest = z.object({
  id,
  reference: z.string(),
  kind: z.enum(keysOf(requestTitles)),
  unitName: z.nullable(z.string()),
  askedOn: calendarDate,
  asked: z.nullable(z.string()),
  status: z.enum(keysOf(requestStatuses)),
  timeZone: z.string(),
  steps: z.array(
    z.object({
      kind: z.enum(requestEventKinds),
      status: z.enum(keysOf(requestStatuses)),
      at: z.iso.datetime(),
      text: z.nullable(z.string()),
    }),
  ),
});
export type TrackedRequest = z.infer<typeof trackedRequest>;

/** GET {prefix}/tenants/{tenantId}/requests, not in the spec: newest first, MOST_LISTED at most. */
export const listRequests = endpoint({
  name: 'listRequests',
  subject: 'Requests',
  summary:
    'What a tenant record asked of the facility, where it stands, and each step; newest first',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/requests`,
  access: 'tenant',
  params: z.extend(facilityParams, { tenantId: id }),
  reply: z.array(trackedRequest),
  example: [
    {
      id: '8a9b0c1d-2e3f-4a5b-8c6d-7e8f9a0b1c2d',
      reference: 'R-100042',
      kind: 'maintenance_request_form',
      unitName: 'A101',
      askedOn: '2026-11-05',
      asked: 'The keypad does not light up.',
      status: 'in_progress',
      timeZone: 'America/Chicago',
      steps: [
        { kind: 'created', status: 'new', at: '2026-11-05T16:12:00.000Z', text: null },
        {
          kind: 'replied',
          status: 'new',
          at: '2026-11-06T15:04:00.000Z',
          text: 'We look at it on Tuesday.',
        },
        {
          kind: 'status_changed',
          status: 'in_progress',
          at: '2026-11-06T15:04:00.000Z',
          text: null,
        },
      ],
    },
  ],
});

/**
 * POST {prefix}/tenants/{tenantId}/requests/{requestId}/answers, not in the spec: an answer to what
 * staff replied, which they get by mail. A request that was done is in progress again. 404 for a
 * request of another record, 409 before there is a reply and after MOST_ANSWERS.
 */
export const answerRequest = endpoint({
  name: 'answerRequest',
  subject: 'Requests',
  summary: 'Answers the reply of the facility to a request',
  method: 'POST',
  path: `${PREFIX}/tenants/:tenantId/requests/:requestId/answers`,
  access: 'tenant',
  params: z.extend(facilityParams, { tenantId: id, requestId: id }),
  body: z.object(answerFields),
  reply: requestReceipt,
  example: exampleReceipt,
});
