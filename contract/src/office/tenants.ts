import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { id } from '../ids.ts';
import { dollars } from '../money.ts';
import { getOverview } from '../overview.ts';
import { paper } from '../papers.ts';
import { documentRow } from '../staff-documents.ts';
import { payLinkRow } from '../staff-pay-links.ts';
import { shownTenant } from '../tenant-records.ts';
import { requiredText } from '../text.ts';
import { changeKey, filterText, listQuery, noteParams, pageOf, tenantParams } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

/** A tenant record in a list; `balance` is that of all its rentals. `id` is the record's. */
export const tenantRow = z.object({
  id,
  locationCode: z.string(),
  company: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  balance: dollars,
  rentals: z.array(
    z.object({
      ledgerId: id,
      unitName: z.string(),
      balance: dollars,
      movedOutOn: z.nullable(calendarDate),
    }),
  ),
});
export type TenantRow = z.infer<typeof tenantRow>;

/**
 * GET /office/tenants. With `q` (name, email, unit, receipt number, the end of a phone or license
 * plate, or the last four digits of a saved method) the best fit comes first, on one page of 50 at
 * most, and `sort` and `after` do not apply.
 */
export const listTenants = officeEndpoint({
  name: 'listTenants',
  method: 'GET',
  path: '/office/tenants',
  access: 'staff',
  role: 'clerk',
  shows: 'Tenants',
  query: z.extend(listQuery(['name']), {
    q: z.optional(filterText),
    /** `current`: with a rental that has not ended; `former`: with none. */
    standing: z.optional(z.enum(['current', 'former'], 'Standing must be current or former.')),
  }),
  reply: pageOf(tenantRow),
});

/** A note of staff on a record; tenants never see it. A removed one is kept and can be restored. */
export const note = z.object({
  id,
  text: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
  isRemoved: z.boolean(),
  /** Whether the reader may remove and restore it: the writer, or a manager of no lower role. */
  mayRemove: z.boolean(),
});
export type Note = z.infer<typeof note>;

/**
 * A vehicle or vessel of a rental with its papers on file. `vehicleId` is null of the rental's
 * first; details are empty of one that has papers only.
 */
const shownVehicle = z.object({
  ledgerId: id,
  vehicleId: z.nullable(id),
  licensePlate: z.string(),
  description: z.string(),
  papers: z.array(
    z.object({ kind: z.enum(['registration', 'insurance']), expiresOn: calendarDate }),
  ),
});
export type ShownVehicle = z.infer<typeof shownVehicle>;

/**
 * A step about rent that is late: `on` its day, done or to come if nothing is paid; null of a gate
 * that was locked on a day that is not known. `amount` is a late fee's. A `notice` is mailed; a
 * `letter` that is to come may be either.
 */
const lateStep = z.object({
  kind: z.enum(['reminder', 'due', 'fee', 'gate', 'notice', 'letter']),
  on: z.nullable(calendarDate),
  isDone: z.boolean(),
  amount: z.nullable(dollars),
});
export type LateStep = z.infer<typeof lateStep>;

/** Everything on one record that is no list of its own; `id` is `tenantId`. */
export const tenantFile = z.extend(shownTenant, {
  id,
  /** What its rentals store, the first of each rental before the others. */
  vehicles: z.array(shownVehicle),
  /** Those that are not removed, newest first. */
  notes: z.array(note),
  /** Of the last 90 days, newest first. */
  payLinks: z.array(payLinkRow),
  /**
   * Of each rental that owes, or has rent due within the days of a reminder without autopay: its
   * steps in order of their days.
   */
  lateSteps: z.array(z.object({ ledgerId: id, steps: z.array(lateStep) })),
  /** Printed letters about what is late, the newest first; drawn by `getLateLetters`. */
  letters: z.array(z.object({ printingId: id, on: calendarDate, owed: dollars, by: z.string() })),
  /** What is to be signed, or was, newest first. */
  documents: z.array(documentRow),
  /** Of the record's facility, of which documents can be made; none at an outside service. */
  forms: z.array(z.object({ formId: id, name: z.string() })),
  /** Why the last mail to its address was not delivered, as of a mail; null where it was sent. */
  mailFault: z.nullable(z.string()),
});
export type TenantFile = z.infer<typeof tenantFile>;

/** GET /office/tenants/{tenantId}; that it was shown is audited. */
export const getTenantFile = officeEndpoint({
  name: 'getTenantFile',
  method: 'GET',
  path: '/office/tenants/:tenantId',
  access: 'staff',
  role: 'clerk',
  params: tenantParams,
  reply: tenantFile,
});

/** GET /office/documents/{documentId}: the signed copy. 404 while not everybody has signed. */
export const getOfficeDocument = officeEndpoint({
  name: 'getOfficeDocument',
  method: 'GET',
  path: '/office/documents/:documentId',
  access: 'staff',
  role: 'clerk',
  shows: 'Signed document',
  params: z.object({ documentId: id }),
  reply: paper,
});

/** Why a payment or credit was taken back; `moved`: it went to another rental of the record. */
export const reversalReasons = [
  'return',
  'refund',
  'correction',
  'nsf',
  'chargeback',
  'mistake',
  'moved',
] as const;
export type ReversalReason = (typeof reversalReasons)[number];
/** Or how the dispute ended that took it; what a won one restored is below 0. */
const takenBackReasons = [...reversalReasons, 'won', 'lost'] as const;
export type TakenBackReason = (typeof takenBackReasons)[number];

/**
 * A line of the books, newest first; `amount` is below 0 in the tenant's favour, `balance` that of
 * its rental after it. `dueOn` and `taxes` are a charge's. `open` is what is still owed of a
 * charge, or not yet used or taken back of a payment or credit; null of a reversal. `settles` are
 * the allocations: for a charge what settled it, for any other what it settled.
 */
export const bookLine = z.object({
  id,
  ledgerId: id,
  unitName: z.string(),
  kind: z.enum(['charge', 'payment', 'credit', 'reversal']),
  category: z.nullable(z.string()),
  postedOn: calendarDate,
  at: z.iso.datetime(),
  dueOn: z.nullable(calendarDate),
  description: z.string(),
  amount: dollars,
  taxes: dollars,
  balance: dollars,
  open: z.nullable(dollars),
  receiptNumber: z.nullable(z.string()),
  /** How a payment came. */
  paidBy: z.nullable(z.enum(['creditCard', 'ach', 'cash', 'check', 'moneyOrder'])),
  /** The state of a payment: a bank payment is `pending` until it has settled. */
  paymentState: z.nullable(z.string()),
  /** Of a reversal: why it takes a payment or credit back. */
  reason: z.nullable(z.enum(reversalReasons)),
  /** What of a payment or credit was taken back, a sum for each reason; none of other lines. */
  takenBack: z.array(z.object({ reason: z.enum(takenBackReasons), amount: dollars })),
  settles: z.array(z.object({ entryId: id, description: z.string(), amount: dollars })),
});
export type BookLine = z.infer<typeof bookLine>;

/** GET /office/tenants/{tenantId}/books: the running ledger of a record, newest first. */
export const listBooks = officeEndpoint({
  name: 'listBooks',
  method: 'GET',
  path: '/office/tenants/:tenantId/books',
  access: 'staff',
  role: 'clerk',
  shows: 'Books',
  params: tenantParams,
  query: z.extend(listQuery(['posted']), { ledgerId: z.optional(id) }),
  reply: pageOf(bookLine),
});

/**
 * A mail about the record or to its address, or a text message to its phone; what it says is not
 * shown. `to` is the address, or ten digits.
 */
export const mailRow = z.object({
  id,
  /**
   * False of what is about no record, such as a code of the sign-in that several may share, and of
   * mails that were queued before they knew their record.
   */
  isOfRecord: z.boolean(),
  to: z.string(),
  subject: z.string(),
  queuedAt: z.iso.datetime(),
  sentAt: z.nullable(z.iso.datetime()),
  /**
   * `merged`: sent as part of another mail; `dropped`: not sent, by its limit or because it was not
   * true any more; `undeliverable`: given up, because of `fault`; of text messages also `refused`
   * by the provider, and `unknown`.
   */
  state: z.enum([
    'sent',
    'waiting',
    'held',
    'merged',
    'dropped',
    'undeliverable',
    'refused',
    'unknown',
  ]),
  /** The command of the mail server's refusal and its reply code, such as `RCPT TO 550 5.1.1`. */
  fault: z.nullable(z.string()),
});
export type MailRow = z.infer<typeof mailRow>;

/** GET /office/tenants/{tenantId}/mails: newest first, none of another record of its address. */
export const listTenantMails = officeEndpoint({
  name: 'listTenantMails',
  method: 'GET',
  path: '/office/tenants/:tenantId/mails',
  access: 'staff',
  role: 'clerk',
  shows: 'Mails',
  params: tenantParams,
  query: listQuery(['queued']),
  reply: pageOf(mailRow),
});

/**
 * GET /office/tenants/{tenantId}/portal: what the tenant sees on My Units, for reading only. That
 * it was shown, and each gate code in it, is audited.
 */
export const viewAsTenant = officeEndpoint({
  name: 'viewAsTenant',
  method: 'GET',
  path: '/office/tenants/:tenantId/portal',
  access: 'staff',
  role: 'clerk',
  params: tenantParams,
  reply: getOverview.reply,
});

/** POST /office/tenants/{tenantId}/notes. */
export const addNote = officeEndpoint({
  name: 'addNote',
  method: 'POST',
  path: '/office/tenants/:tenantId/notes',
  access: 'staff',
  role: 'clerk',
  params: tenantParams,
  body: z.object({ key: changeKey, text: requiredText('Note', 2000) }),
  reply: note,
});

/**
 * POST /office/notes/{noteId}: removes a note, or restores it, and records it. 403 where the member
 * did not write it and is no manager, or where a higher role did.
 */
export const changeNote = officeEndpoint({
  name: 'changeNote',
  method: 'POST',
  path: '/office/notes/:noteId',
  access: 'staff',
  role: 'clerk',
  params: noteParams,
  body: z.object({ isRemoved: z.boolean('IsRemoved must be true or false.') }),
  reply: note,
});

/** GET /office/receipts/{receiptNumber}: the receipt of a payment, to print. */
export const getOfficeReceipt = officeEndpoint({
  name: 'getOfficeReceipt',
  method: 'GET',
  path: '/office/receipts/:receiptNumber',
  access: 'staff',
  role: 'clerk',
  shows: 'Receipt',
  params: z.object({ receiptNumber: z.string() }),
  reply: paper,
});

/**
 * GET /office/tenants/{tenantId}/statements/{statementId}: a statement as it was issued. 404 where
 * there is none.
 */
export const getOfficeStatement = officeEndpoint({
  name: 'getOfficeStatement',
  method: 'GET',
  path: '/office/tenants/:tenantId/statements/:statementId',
  access: 'staff',
  role: 'clerk',
  shows: 'Statement',
  params: z.object({ tenantId: id, statementId: id }),
  reply: paper,
});

/**
 * GET /office/rentals/{ledgerId}/final-statement: what the settlement of a rental that has ended
 * came to, as it was mailed, to print. 404 where none was settled.
 */
export const getFinalStatement = officeEndpoint({
  name: 'getFinalStatement',
  method: 'GET',
  path: '/office/rentals/:ledgerId/final-statement',
  access: 'staff',
  role: 'clerk',
  shows: 'Final statement',
  params: z.object({ ledgerId: id }),
  reply: paper,
});
