import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { facilityParams, id } from './ids.ts';
import { IMAGE_BODY_BYTES, imageData } from './images.ts';
import { exampleReceipt, requesterCopies, requestReceipt } from './requests.ts';
import { optionalText, requiredMessage, requiredText } from './text.ts';

/**
 * The issue types of the specification and their labels. Parking says that a photo is required;
 * nothing enforces it.
 */
export const issueTypes = {
  door: () => t('Door'),
  electrical: () => t('Electrical'),
  gate: () => t('Gate'),
  gravelAsphaltRepair: () => t('Gravel/Asphalt Repair'),
  maintenance: () => t('Maintenance'),
  transferParking: () => t('Transfer Parking (photo required)'),
};
export type IssueType = keyof typeof issueTypes;

/** Rows of the description field, and its longest text in characters. */
export const DESCRIPTION_ROWS = 4;
export const DESCRIPTION_MAX = 2000;

/**
 * What the maintenance form asks for: unit, issue type and description are required, an image is
 * not.
 */
export const maintenanceFields = {
  ledgerId: z.uuid(requiredMessage(() => t('Unit'))),
  issueType: z.enum(
    Object.keys(issueTypes) as [IssueType, ...IssueType[]],
    requiredMessage(() => t('Issue type')),
  ),
  issueDescription: requiredText(() => t('Description'), DESCRIPTION_MAX),
};

/** maintenanceRequestParams of the specification; the ledger decides whose request it is. */
export const maintenanceRequestParams = z.object({
  ...requesterCopies,
  ...maintenanceFields,
  tenantId: z.optional(id),
  file: z.nullish(optionalText(() => t('File'), 255)),
  imageData: z.nullish(imageData),
});
export type MaintenanceRequestParams = z.infer<typeof maintenanceRequestParams>;

/**
 * POST {prefix}/maintenance-requests: a message to staff, with a photo or without. `imageId` is the
 * photo as it was kept.
 */
export const createMaintenanceRequest = endpoint({
  name: 'createMaintenanceRequest',
  subject: 'Requests',
  summary: 'Asks the facility for a repair',
  method: 'POST',
  path: `${PREFIX}/maintenance-requests`,
  access: 'tenant',
  urgency: 'photo',
  params: facilityParams,
  body: maintenanceRequestParams,
  bodyBytes: IMAGE_BODY_BYTES,
  reply: z.extend(requestReceipt, { imageId: z.optional(id) }),
  example: exampleReceipt,
});
