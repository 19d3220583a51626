import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { id } from '../ids.ts';
import { dollars } from '../money.ts';
import { paper } from '../papers.ts';
import { noticeSubject, noticeText } from '../late-notices.ts';
import { requiredText } from '../text.ts';
import { changeKey, facilityIdParams, filterText, listQuery, pageOf } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

/** How long something is late, in days past the oldest open due date: none on that day itself. */
export const lateBuckets = ['1-10', '11-30', '31-60', '60+'] as const;
const lateBucket = z.enum(lateBuckets, 'The bucket is none of who is late.');

/** A rental that is late: the oldest of what it owes was due before today. `id` is the ledger's. */
export const lateRow = z.object({
  id,
  tenantId: id,
  locationCode: z.string(),
  unitName: z.string(),
  company: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  balance: dollars,
  owedSince: calendarDate,
  /** Days past `owedSince`; the bucket goes by them. */
  daysOwed: z.int(),
  bucket: lateBucket,
  /** By the rent only, as the tenant sees it. */
  daysPastDue: z.int(),
  autopay: z.enum(['on', 'off']),
  isLockedOut: z.boolean(),
  movedOutOn: z.nullable(calendarDate),
  isOnHold: z.boolean(),
  /** The first day that is not on hold; null where there is no hold or it has no end. */
  heldUntil: z.nullable(calendarDate),
  /** The day of the last late notice to the tenant record. */
  noticedOn: z.nullable(calendarDate),
  /** The newest note on the tenant record. */
  note: z.nullable(z.object({ text: z.string(), by: z.string(), at: z.iso.datetime() })),
});
export type LateRow = z.infer<typeof lateRow>;

/**
 * GET /office/late: rentals that owe something that was due before today, those that owe for
 * longest first. `balance` is all that they owe.
 */
export const listLate = officeEndpoint({
  name: 'listLate',
  method: 'GET',
  path: '/office/late',
  access: 'staff',
  role: 'clerk',
  shows: 'Late',
  query: z.extend(listQuery(['daysOwed', 'balance', 'name']), {
    bucket: z.optional(lateBucket),
    q: z.optional(filterText),
    autopay: z.optional(z.enum(['on', 'off'], 'Autopay must be on or off.')),
    hold: z.optional(z.enum(['on', 'off'], 'Hold must be on or off.')),
  }),
  reply: pageOf(lateRow),
});

/** A text that a facility keeps for late notices; `id` is null of the standard one. */
export const lateTemplate = z.object({
  id: z.nullable(id),
  name: z.string(),
  subject: z.string(),
  text: z.string(),
  by: z.nullable(z.string()),
});
export type LateTemplate = z.infer<typeof lateTemplate>;

const lateTemplates = z.object({ templates: z.array(lateTemplate) });

/** GET /office/facilities/{facilityId}/late-templates: by name, the standard one last. */
export const listLateTemplates = officeEndpoint({
  name: 'listLateTemplates',
  method: 'GET',
  path: '/office/facilities/:facilityId/late-templates',
  access: 'staff',
  role: 'clerk',
  params: facilityIdParams,
  reply: lateTemplates,
});

/**
 * POST /office/facilities/{facilityId}/late-templates: keeps a text under a name, in place of the
 * one that has it.
 */
export const keepLateTemplate = officeEndpoint({
  name: 'keepLateTemplate',
  method: 'POST',
  path: '/office/facilities/:facilityId/late-templates',
  access: 'staff',
  role: 'manager',
  params: facilityIdParams,
  body: z.object({
    key: changeKey,
    name: requiredText('Name', 60),
    subject: noticeSubject,
    text: noticeText,
  }),
  reply: lateTemplates,
});

/** POST /office/facilities/{facilityId}/late-templates/{templateId}/remove. */
export const removeLateTemplate = officeEndpoint({
  name: 'removeLateTemplate',
  method: 'POST',
  path: '/office/facilities/:facilityId/late-templates/:templateId/remove',
  access: 'staff',
  role: 'manager',
  params: z.extend(facilityIdParams, { templateId: id }),
  body: z.object({}),
  reply: lateTemplates,
});

/**
 * GET /office/letters/{printingId}: the letters that `notices.print` wrote at once, as they were
 * printed, each on a page with its address in the window of a US #10 envelope; with `tenantId` the
 * one to that record. 404 where there is none in reach.
 */
export const getLateLetters = officeEndpoint({
  name: 'getLateLetters',
  method: 'GET',
  path: '/office/letters/:printingId',
  access: 'staff',
  role: 'clerk',
  shows: 'Letter',
  params: z.object({ printingId: id }),
  query: z.object({ tenantId: z.optional(id) }),
  reply: paper,
});
