import { z } from 'zod/mini';
import { namedDay } from '../calendar-date.ts';
import { alarm } from '../alarms.ts';
import { id } from '../ids.ts';
import { filterText, listQuery, pageOf } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

/**
 * An event of the audit trail. `by` is the name of the member of staff at the time, or the tenant's
 * sign-in address; null where no caller was known. `staffEmail` is the unique address of the
 * member's account; null for tenants, the server, and the command line, where the name is not
 * verified. `device` is the browser by its own name, such as `Chrome on Windows`.
 * `details` are our own texts, the values that decided, and the reason that staff typed.
 */
export const auditRow = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.string(),
  by: z.nullable(z.string()),
  staffEmail: z.nullable(z.string()),
  tenantId: z.nullable(id),
  tenantName: z.nullable(z.string()),
  ledgerId: z.nullable(id),
  unitName: z.nullable(z.string()),
  locationCode: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  device: z.nullable(z.string()),
  details: z.record(z.string(), z.string()),
});
export type AuditRow = z.infer<typeof auditRow>;

/**
 * GET /office/audit: newest first; owners see all, managers what is about their facilities. `by`
 * finds a member of staff by name or address, `verb` what was done, such as `charges.waive`.
 */
export const listAudit = officeEndpoint({
  name: 'listAudit',
  method: 'GET',
  path: '/office/audit',
  access: 'staff',
  role: 'manager',
  shows: 'Audit',
  query: z.extend(listQuery(['at']), {
    by: z.optional(filterText),
    tenantId: z.optional(id),
    ledgerId: z.optional(id),
    kind: z.optional(filterText),
    verb: z.optional(filterText),
    from: z.optional(namedDay('From must be like 2026-11-24.')),
    to: z.optional(namedDay('To must be like 2026-11-24.')),
  }),
  reply: pageOf(auditRow),
});

/** POST /office/audit/verify: computes the chain again. `wrongAt` is the first wrong place. */
export const verifyAudit = officeEndpoint({
  name: 'verifyAudit',
  method: 'POST',
  path: '/office/audit/verify',
  access: 'staff',
  role: 'owner',
  body: z.object({}),
  reply: z.object({
    isSound: z.boolean(),
    events: z.int(),
    waiting: z.int(),
    wrongAt: z.nullable(z.int()),
    sentence: z.string(),
  }),
});

/** An alarm with the tenant record that it is about, where it is one. */
export const alarmRow = z.extend(alarm, { tenantId: z.nullable(id) });
export type AlarmRow = z.infer<typeof alarmRow>;

/**
 * GET /office/alarms: newest first; open ones unless others are asked for. `facility` is its code.
 */
export const listAlarms = officeEndpoint({
  name: 'listAlarms',
  method: 'GET',
  path: '/office/alarms',
  access: 'staff',
  role: 'clerk',
  query: z.extend(listQuery(['raisedAt']), {
    standing: z.optional(z.enum(['open', 'closed'], 'Standing must be open or closed.')),
    kind: z.optional(filterText),
  }),
  reply: pageOf(alarmRow),
});

/** A difference between our books and the gateway's list, by the gateway's reference. */
export const differenceRow = z.object({
  id,
  class: z.enum([
    'gateway_only',
    'ledger_only',
    'amount',
    'status',
    'duplicate',
    'refund',
    'dispute',
  ]),
  reference: z.string(),
  foundAt: z.iso.datetime(),
  ours: z.nullable(z.record(z.string(), z.unknown())),
  theirs: z.nullable(z.record(z.string(), z.unknown())),
  advice: z.string(),
  /** The payment of the books under the reference, where there is one. */
  tenantId: z.nullable(id),
  tenantName: z.nullable(z.string()),
  locationCode: z.nullable(z.string()),
  receiptNumber: z.nullable(z.string()),
});
export type DifferenceRow = z.infer<typeof differenceRow>;

/** GET /office/differences: newest first. */
export const listDifferences = officeEndpoint({
  name: 'listDifferences',
  method: 'GET',
  path: '/office/differences',
  access: 'staff',
  role: 'owner',
  shows: 'Differences',
  query: listQuery(['foundAt']),
  reply: pageOf(differenceRow),
});
