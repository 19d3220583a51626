import { z } from 'zod/mini';
import { id } from '../ids.ts';
import { REPLY_MAX } from '../answer-fields.ts';
import { requestEventKinds, requestStatuses } from '../tracked-requests.ts';
import { changeKey, filterText, listQuery, pageOf, requestParams } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';
import { plainText } from '../typed.ts';

const status = z.enum(
  Object.keys(requestStatuses) as [
    keyof typeof requestStatuses,
    ...(keyof typeof requestStatuses)[],
  ],
  'Status must be new, in_progress or done.',
);

/** A request of a tenant in the inbox. `title` says what it is about; `version` counts changes. */
export const requestRow = z.object({
  id,
  reference: z.string(),
  kind: z.string(),
  title: z.string(),
  status,
  version: z.int(),
  locationCode: z.string(),
  tenantId: id,
  tenantName: z.string(),
  unitName: z.nullable(z.string()),
  hasPhoto: z.boolean(),
  isAnswered: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type RequestRow = z.infer<typeof requestRow>;

/** GET /office/requests: the inbox, notices of the server left out; newest first. */
export const listOfficeRequests = officeEndpoint({
  name: 'listOfficeRequests',
  method: 'GET',
  path: '/office/requests',
  access: 'staff',
  role: 'clerk',
  shows: 'Requests',
  query: z.extend(listQuery(['createdAt']), {
    status: z.optional(status),
    kind: z.optional(filterText),
    tenantId: z.optional(id),
    /** Of the unit, by any tenant who had it. */
    unitId: z.optional(id),
    /** `open`: new or in progress. */
    standing: z.optional(z.enum(['open', 'done'], 'Standing must be open or done.')),
  }),
  reply: pageOf(requestRow),
});

/** A request whole: `asked` are the lines of its form, `events` what was done, oldest first. */
export const requestFile = z.extend(requestRow, {
  tenantEmail: z.string(),
  asked: z.array(z.object({ label: z.string(), text: z.string() })),
  events: z.array(
    z.object({
      id,
      kind: z.enum(requestEventKinds),
      status,
      text: z.nullable(z.string()),
      via: z.string(),
      author: z.nullable(z.string()),
      at: z.iso.datetime(),
    }),
  ),
});
export type RequestFile = z.infer<typeof requestFile>;

/** GET /office/requests/{requestId}. */
export const getOfficeRequest = officeEndpoint({
  name: 'getOfficeRequest',
  method: 'GET',
  path: '/office/requests/:requestId',
  access: 'staff',
  role: 'clerk',
  shows: 'Request',
  params: requestParams,
  reply: requestFile,
});

/** GET /office/requests/{requestId}/photo: base64; 404 where it has none. */
export const getRequestPhoto = officeEndpoint({
  name: 'getRequestPhoto',
  method: 'GET',
  path: '/office/requests/:requestId/photo',
  access: 'staff',
  role: 'clerk',
  shows: 'Photo of a request',
  params: requestParams,
  reply: z.object({ contentType: z.enum(['image/jpeg', 'image/webp']), data: z.string() }),
});

/**
 * POST /office/requests/{requestId}: replies, sets the status, or both; mailed to the tenant.
 * `version` is the one that the caller read: 409 where another caller has changed the request
 * meanwhile.
 */
export const answerRequest = officeEndpoint({
  name: 'answerRequest',
  method: 'POST',
  path: '/office/requests/:requestId',
  access: 'staff',
  role: 'clerk',
  params: requestParams,
  body: z.object({
    key: changeKey,
    version: z.int('Version must be a whole number.'),
    reply: z.nullable(
      z
        .string()
        .check(
          z.overwrite(plainText),
          z.maxLength(REPLY_MAX * 2, `The reply has at most ${REPLY_MAX} characters.`),
        ),
    ),
    status: z.nullable(z.enum(['in_progress', 'done'], 'Status must be in_progress or done.')),
  }),
  reply: requestFile,
});
