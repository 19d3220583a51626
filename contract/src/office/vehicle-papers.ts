import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { id } from '../ids.ts';
import { paperFile, paperFileType } from '../vehicle-papers.ts';
import { listQuery, pageOf } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

/**
 * A paper of a current rental that expires within 60 days or has expired; its number is on the
 * paper only.
 */
export const expiringPaper = z.object({
  id,
  ledgerId: id,
  tenantId: id,
  tenantName: z.string(),
  locationCode: z.string(),
  unitName: z.string(),
  /** Of a further vehicle of the rental; null of its first. */
  vehicleId: z.nullable(id),
  /** The description of its vehicle; empty where none was entered. */
  vehicle: z.string(),
  kind: z.enum(['registration', 'insurance']),
  expiresOn: calendarDate,
  /** By the facility's own day; on its last day a paper is still valid. */
  isExpired: z.boolean(),
  fileType: paperFileType,
});
export type ExpiringPaper = z.infer<typeof expiringPaper>;

/** GET /office/vehicle-papers: papers that expire, those that expire first before the others. */
export const listExpiringPapers = officeEndpoint({
  name: 'listExpiringPapers',
  method: 'GET',
  path: '/office/vehicle-papers',
  access: 'staff',
  role: 'clerk',
  shows: 'Papers',
  query: listQuery(['expiresOn']),
  reply: pageOf(expiringPaper),
});

/**
 * GET /office/ledgers/{ledgerId}/vehicle-papers/{paperKind} (query vehicleId, of a further one):
 * the file as the tenant gets it; 404 where none is on file. Who opened it is in the audit trail.
 */
export const getPaperOfRental = officeEndpoint({
  name: 'getPaperOfRental',
  method: 'GET',
  path: '/office/ledgers/:ledgerId/vehicle-papers/:paperKind',
  access: 'staff',
  role: 'clerk',
  params: z.object({ ledgerId: id, paperKind: z.string() }),
  query: z.object({ vehicleId: z.optional(id) }),
  reply: paperFile,
});
