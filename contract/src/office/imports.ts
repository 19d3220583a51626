import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { id } from '../ids.ts';
import { requiredText } from '../text.ts';
import { plainText } from '../typed.ts';
import { PAPER_BODY_BYTES, PAPER_FILE_BYTES } from '../vehicle-papers.ts';
import { officeEndpoint } from './office-endpoint.ts';

/** The largest sum of the files of an import in the office, in bytes; the command takes more. */
export const IMPORT_BYTES = PAPER_FILE_BYTES;
const MOST_FILES = 20;

const column = z.object({
  heading: z.string(),
  /** What it is taken for, one of `fields`; null for nothing. */
  field: z.nullable(z.string()),
  by: z.enum(['dictionary', 'kept', 'given', 'unknown']),
  samples: z.array(z.string()),
  values: z.int(),
  filled: z.int(),
});

const faultGroup = z.object({
  kind: z.string(),
  heading: z.nullable(z.string()),
  says: z.string(),
  count: z.int(),
  first: z.array(
    z.object({
      file: z.string(),
      line: z.int(),
      value: z.string(),
      tenant: z.string(),
      unit: z.string(),
    }),
  ),
  /**
   * What may be done with all of the kind. One with an example ends with `=`, and what is meant is
   * put there.
   */
  remedies: z.array(
    z.object({ remedy: z.string(), says: z.string(), example: z.nullable(z.string()) }),
  ),
});
export type ImportFaults = z.infer<typeof faultGroup>;

const balances = z.object({
  facility: z.string(),
  before: z.number(),
  charged: z.number(),
  paid: z.number(),
  credited: z.number(),
  takenBack: z.number(),
  after: z.number(),
});

const firstDay = z.object({
  facility: z.string(),
  bills: z.int(),
  billed: z.number(),
  lateFees: z.int(),
  lateFeesSum: z.number(),
  autopayCharges: z.int(),
  autopaySum: z.number(),
  suspensions: z.int(),
  reminders: z.int(),
  rateNotices: z.int(),
});

/** How lease sheets were understood, what is wrong with them, and what the import does. */
const leasesReport = z.object({
  /** Whether it was done: never in a preview, nor while there is a fault. */
  isDone: z.boolean(),
  files: z.array(
    z.object({
      file: z.string(),
      /** SHA-256 of its bytes, in hex. */
      sha256: z.string(),
      rows: z.int(),
      columns: z.array(column),
      /** What no column holds and a lease cannot be without. */
      missing: z.array(z.string()),
    }),
  ),
  /** What a column may be taken for. */
  fields: z.array(z.string()),
  leases: z.int(),
  /** Rows that are no leases, in sentences. */
  left: z.array(z.string()),
  /** Tenants without an email, who are kept without a sign-in. */
  withoutSignIn: z.array(z.string()),
  faults: z.array(faultGroup),
  /** The rows with faults as CSV, with a column that says why; empty where there is none. */
  faultyRows: z.string(),
  /** In dollars; empty while it cannot be said. */
  balances: z.array(balances),
  /** What the first day after it does; empty unless it is a preview. */
  firstDays: z.array(firstDay),
});
export type LeasesReport = z.infer<typeof leasesReport>;

/** An import, a preview of one, or the undoing of one: a job of the server. */
const importRun = z.object({
  importId: id,
  isPreview: z.boolean(),
  /** The import that it undoes. */
  undoes: z.nullable(id),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  by: z.string(),
  createdAt: z.iso.datetime(),
  /** While it runs; null before it has begun. */
  progress: z.nullable(z.object({ of: z.string(), done: z.int(), total: z.int() })),
  /** Why it failed. */
  says: z.nullable(z.string()),
  /** What is imported, also of one that was cancelled or failed later. */
  imported: z.array(z.object({ facility: z.string(), leases: z.int(), isUndone: z.boolean() })),
  /** For a day, once it is done. */
  report: z.nullable(leasesReport),
});
export type ImportRun = z.infer<typeof importRun>;

const ofImport = z.object({ importId: id });

const word = z
  .string('It must be text.')
  .check(z.overwrite(plainText), z.trim(), z.maxLength(200, 'A text is too long.'));

/**
 * POST /office/imports: queues a job that reads lease sheets of another system, one row a lease,
 * and says what an import of them does; without `isPreview` it is done, where there is no fault.
 * What is here already is left as it is, so that it can be repeated. `files` name the parts of
 * `data` in order. 413 for more than 8 MB, 422 while another import is under way. The job fails for
 * what cannot be read or takes too long to read.
 */
export const importLeases = officeEndpoint({
  name: 'importLeases',
  method: 'POST',
  path: '/office/imports',
  access: 'staff',
  role: 'owner',
  body: z.object({
    isPreview: z.boolean('IsPreview must be true or false.'),
    files: z
      .array(
        z.object({
          name: requiredText('The file’s name', 200),
          bytes: z.int('Bytes must be a whole number.').check(z.gte(1, 'A file is empty.')),
        }),
        'Files must be a list.',
      )
      .check(
        z.minLength(1, 'Choose a file.'),
        z.maxLength(MOST_FILES, `At most ${MOST_FILES} files at once.`),
      ),
    /** The bytes of the files, one after the other, as a data URL. */
    data: z
      .string('The data must be a data URL.')
      .check(z.regex(/^data:application\/octet-stream;base64,/, 'The data must be a data URL.')),
    /** The facility of rows that name none. */
    locationCode: z.nullable(word),
    /** By heading what a column holds; null to leave it out. */
    columns: z.record(word, z.nullable(word), 'Columns must name fields by heading.'),
    /** As the report offers them. */
    remedies: z
      .array(word, 'Remedies must be a list.')
      .check(z.maxLength(100, 'Too many remedies.')),
    /** Addresses of several names with which one sign-in may see all of them. */
    joined: z
      .array(word, 'Joined must be a list.')
      .check(z.maxLength(500, 'Too many addresses at once.')),
    /** The first day of late fees, suspensions and reminders of what is imported; null: at once. */
    lateFrom: z.nullable(calendarDate),
  }),
  bodyBytes: PAPER_BODY_BYTES,
  reply: importRun,
});

/** GET /office/imports/:importId: how far an import of one's own is, or what came of it. */
export const getImport = officeEndpoint({
  name: 'getImport',
  method: 'GET',
  path: '/office/imports/:importId',
  access: 'staff',
  role: 'owner',
  params: ofImport,
  reply: importRun,
});

/** GET /office/imports: the last 20 imports, the newest first, without previews. */
export const listImports = officeEndpoint({
  name: 'listImports',
  method: 'GET',
  path: '/office/imports',
  access: 'staff',
  role: 'owner',
  reply: z.object({ rows: z.array(z.omit(importRun, { report: true })) }),
});

/**
 * POST /office/imports/:importId/cancel: nothing more is written once it answers; `imported` is
 * what was. Does nothing where it has ended.
 */
export const cancelImport = officeEndpoint({
  name: 'cancelImport',
  method: 'POST',
  path: '/office/imports/:importId/cancel',
  access: 'staff',
  role: 'owner',
  params: ofImport,
  reply: z.object({ state: importRun.shape.state, imported: importRun.shape.imported }),
});

/**
 * GET /office/invitations/undeliverable: invitations that were refused, or that no server took in
 * time, to addresses that the records still have; by name, 200 at most.
 */
export const listUndeliverable = officeEndpoint({
  name: 'listUndeliverable',
  method: 'GET',
  path: '/office/invitations/undeliverable',
  access: 'staff',
  role: 'owner',
  shows: 'Undeliverable invitations',
  reply: z.object({
    rows: z.array(
      z.object({
        tenantId: id,
        name: z.string(),
        locationCode: z.string(),
        email: z.string(),
        fault: z.string(),
      }),
    ),
  }),
});
