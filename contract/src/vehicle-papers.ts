import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { calendarDate, namedDay } from './calendar-date.ts';
import { addDays } from './dates.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { done, id } from './ids.ts';
import { tenantPathParams } from './tenants.ts';
import { optionalText, requiredMessage, requiredText } from './text.ts';
import { rentalParams, rentalPath } from './vehicles.ts';

/** The papers of a vehicle or vessel and their labels; each has at most one of a kind. */
export const paperKinds = {
  registration: () => t('Registration'),
  insurance: () => t('Insurance'),
};
export type PaperKind = keyof typeof paperKinds;

/** The largest file of a paper in bytes, as a PDF; a photo is made smaller before it is sent. */
export const PAPER_FILE_BYTES = 8 * 1024 * 1024;

/** The largest body that carries one: base64 makes four bytes of three, and the rest is small. */
export const PAPER_BODY_BYTES = Math.ceil(PAPER_FILE_BYTES / 3) * 4 + 16 * 1024;

/** What the file picker of the form offers. */
export const PAPER_ACCEPT = '.pdf,.jpg,.gif,.png,application/pdf,image/*';

/** From this many days before its last day on a paper expires soon; its first reminder is then. */
export const SOON_DAYS = 60;

/** The state of a paper by its last day; on that day it is still valid. */
export type PaperStanding = 'valid' | 'soon' | 'expired';

/** The state of a paper on the facility's `today`; both are `YYYY-MM-DD`. */
export function paperStanding(expiresOn: string, today: string): PaperStanding {
  if (expiresOn < today) return 'expired';
  return expiresOn <= addDays(today, SOON_DAYS) ? 'soon' : 'valid';
}

/** What a file is, as its bytes say. */
export const paperFileType = z.enum(['application/pdf', 'image/jpeg', 'image/webp']);
export type PaperFileType = z.infer<typeof paperFileType>;

const kind = z.enum(Object.keys(paperKinds) as [PaperKind, ...PaperKind[]], {
  error: () => t('Paper must be registration or insurance.'),
});

/** A paper on file; of its number all but the last four characters are stars. */
export const vehiclePaper = z.object({
  kind,
  number: z.string(),
  expiresOn: calendarDate,
  standing: z.enum(['valid', 'soon', 'expired']),
  fileType: paperFileType,
});
export type VehiclePaper = z.infer<typeof vehiclePaper>;

/**
 * A vehicle or vessel with its papers on file. `contents` is its type and number as in
 * unit-contents; of the first of a rental it is empty, as the details are, where nothing was
 * entered. `vehicleId` is null of a first one without details.
 */
export const vehicleWithPapers = z.object({
  vehicleId: z.nullable(id),
  contents: z.string(),
  licensePlate: z.string(),
  description: z.string(),
  papers: z.array(vehiclePaper),
});
export type VehicleWithPapers = z.infer<typeof vehicleWithPapers>;

/**
 * A current rental with what it stores; `first` is the vehicle or vessel of its unit contents, null
 * of household items.
 */
export const rentalPapers = z.object({
  ledgerId: id,
  unitName: z.string(),
  first: z.nullable(vehicleWithPapers),
  further: z.array(vehicleWithPapers),
});
export type RentalPapers = z.infer<typeof rentalPapers>;

const examplePaper: VehiclePaper = {
  kind: 'registration',
  number: '****4471',
  expiresOn: '2027-03-31',
  standing: 'valid',
  fileType: 'application/pdf',
};

/**
 * GET {prefix}/tenants/{tenantId}/vehicle-papers, not in the spec: the current rentals of the
 * record, by unit name.
 */
export const listVehiclePapers = endpoint({
  name: 'listVehiclePapers',
  subject: 'Unit contents and vehicles',
  summary: 'Registration and insurance of what is stored in each rental',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/vehicle-papers`,
  access: 'tenant',
  params: tenantPathParams,
  reply: z.array(rentalPapers),
  example: [
    {
      ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
      unitName: 'A101',
      first: {
        vehicleId: '8c1e5b70-2d4f-4a6b-9e13-5f7a0c2b4d68',
        contents: 'vehicle:5B4MP67G123353230',
        licensePlate: '123ABC',
        description: '2018 Winnebago Vista 31BE',
        papers: [examplePaper],
      },
      further: [],
    },
  ],
});

/** What is said of a paper whose last day is over. */
export const paperExpired = () => t('This paper has expired. Please file one that is still valid.');

/** What the form asks for besides the file, and the message of each field. */
export const paperFields = {
  number: requiredText(() => t('Number'), 50),
  expiresOn: namedDay(requiredMessage(() => t('Expiration date')).error),
};

const notAFile = { error: () => t('The file must be a data URL.') };

/** Of which vehicle a paper is: one of the rental's; the first where none is named. */
const ofVehicle = { vehicleId: z.optional(id) };

/**
 * A paper as it is filed: the file as a data URL, and the name it had on the tenant's device. What
 * the file really is, is decided by its bytes only.
 */
export const paperBody = z.object({
  kind,
  ...ofVehicle,
  ...paperFields,
  fileData: z.string(notAFile).check(z.regex(/^data:[\w.+-]+\/[\w.+-]+;base64,/, notAFile)),
  file: optionalText(() => t('File'), 255),
});
export type PaperBody = z.infer<typeof paperBody>;

/**
 * POST {prefix}/tenants/{tenantId}/ledgers/{ledgerId}/vehicle-papers, not in the spec: files a
 * paper in place of the earlier one of its kind and vehicle. 413 too large, 415 neither a PDF nor a
 * photo, 422 expired or damaged, 429 too many within an hour.
 */
export const fileVehiclePaper = endpoint({
  name: 'fileVehiclePaper',
  subject: 'Unit contents and vehicles',
  summary: 'Files the registration or insurance of what a rental holds, as a photo or a PDF',
  method: 'POST',
  path: `${rentalPath}/vehicle-papers`,
  access: 'tenant',
  urgency: 'photo',
  params: rentalParams,
  body: paperBody,
  bodyBytes: PAPER_BODY_BYTES,
  reply: z.extend(vehiclePaper, {}),
  example: examplePaper,
});

/**
 * POST {prefix}/tenants/{tenantId}/ledgers/{ledgerId}/vehicle-paper-removal, not in the spec:
 * deletes the paper of a kind and vehicle that is on file, with its file; a repeat changes nothing.
 */
export const removeVehiclePaper = endpoint({
  name: 'removeVehiclePaper',
  subject: 'Unit contents and vehicles',
  summary: 'Deletes a paper with its file',
  method: 'POST',
  path: `${rentalPath}/vehicle-paper-removal`,
  access: 'tenant',
  confirm: true,
  params: rentalParams,
  body: z.object({ kind, ...ofVehicle }),
  reply: z.extend(done, {}),
  example: { success: true },
});

/**
 * The file of a paper: base64 in JSON, so that no browser opens it as a page of ours; `fileName` is
 * ours.
 */
export const paperFile = z.object({
  fileName: z.string(),
  contentType: paperFileType,
  data: z.string(),
});
export type PaperFile = z.infer<typeof paperFile>;

const examplePaperFile: PaperFile = {
  fileName: 'registration-A101.pdf',
  contentType: 'application/pdf',
  data: 'JVBERi0xLjcK',
};

/**
 * GET {prefix}/tenants/{tenantId}/ledgers/{ledgerId}/vehicle-papers/{paperKind} (query vehicleId),
 * not in the spec: the file of the paper of a kind and vehicle; 404 where none is on file.
 */
export const getVehiclePaper = endpoint({
  name: 'getVehiclePaper',
  subject: 'Unit contents and vehicles',
  summary: 'The file of a paper',
  method: 'GET',
  path: `${rentalPath}/vehicle-papers/:paperKind`,
  access: 'tenant',
  urgency: 'photo',
  params: z.extend(rentalParams, { paperKind: z.string() }),
  query: z.object(ofVehicle),
  reply: z.extend(paperFile, {}),
  // Opened by itself it is saved and never shown.
  replyHeaders: { 'content-disposition': 'attachment; filename="paper.json"' },
  example: examplePaperFile,
});
