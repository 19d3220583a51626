import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { address } from './facilities.ts';
import { facilityParams, id } from './ids.ts';
import { exampleReceipt, requesterCopies, requestReceipt } from './requests.ts';
import { phoneNumber } from './phone-number.ts';
import { alternateContactFields, contactFields, driversLicenseFields } from './tenant-fields.ts';

/** The parameters of a path about one tenant record. */
export const tenantPathParams = z.extend(facilityParams, { tenantId: id });

/** What the tenant and staff see alike of a record. */
export const tenantRecord = z.object({
  /** The firm that rents, whose contact the names are; null of a person. */
  company: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  address,
  alternateContact: z.nullable(
    z.object({ firstName: z.string(), lastName: z.string(), email: z.string(), phone: z.string() }),
  ),
});
export type TenantRecord = z.infer<typeof tenantRecord>;

/** A tenant record. The license number is masked to its last four; null where it is missing. */
export const tenant = z.object({
  id,
  ...tenantRecord.shape,
  phone: z.object({ primary: z.nullable(z.string()) }),
  driversLicenseNumber: z.nullable(z.string()),
  driversLicenseState: z.nullable(z.string()),
});
export type Tenant = z.infer<typeof tenant>;

const exampleRecord: TenantRecord = {
  company: null,
  firstName: 'Dana',
  lastName: 'Reyes',
  email: 'dana@example.com',
  address: {
    street1: '18 Heron Lane',
    street2: null,
    city: 'Azle',
    region: 'TX',
    postalCode: '76020',
  },
  alternateContact: null,
};

const example: Tenant = {
  id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31',
  ...exampleRecord,
  phone: { primary: '8175550142' },
  driversLicenseNumber: null,
  driversLicenseState: null,
};

/** GET {prefix}/tenants/{tenantId}. */
export const getTenant = endpoint({
  name: 'getTenant',
  subject: 'Tenant',
  summary: 'One tenant record',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId`,
  access: 'tenant',
  params: tenantPathParams,
  reply: tenant,
  example,
});

/** tenantParams of the PATCH. License and phone can only be added where there is none. */
export const tenantParams = z
  .object({
    driversLicenseNumber: z.optional(driversLicenseFields.driversLicenseNumber),
    driversLicenseState: z.optional(driversLicenseFields.driversLicenseState),
    phone: z.optional(z.object({ primary: phoneNumber })),
    alternateContact: z.optional(z.object(alternateContactFields)),
  })
  .check(
    z.refine(
      (body) =>
        (body.driversLicenseNumber === undefined) === (body.driversLicenseState === undefined),
      {
        error: () => t("Driver's license number and state belong together."),
      },
    ),
    z.refine((body) => Object.values<unknown>(body).some((value) => value !== undefined), {
      error: () => t('Give at least one field to change.'),
    }),
  );
export type TenantParams = z.input<typeof tenantParams>;

/**
 * PATCH {prefix}/tenants/{tenantId}: answers the record. 409 where license or phone are there
 * already: call the facility.
 */
export const updateTenant = endpoint({
  name: 'updateTenant',
  subject: 'Tenant',
  summary: 'Adds or sets what a tenant may change of a record',
  method: 'PATCH',
  path: `${PREFIX}/tenants/:tenantId`,
  access: 'tenant',
  confirm: true,
  params: tenantPathParams,
  body: tenantParams,
  reply: tenant,
  example,
});

/** tenantParams of the contact update. */
export const contactUpdateParams = z.object({ ...requesterCopies, ...contactFields });
export type ContactUpdateParams = z.input<typeof contactUpdateParams>;

/**
 * POST {prefix}/tenants/{tenantId}/update/request: a message to staff; the record stays as it is.
 */
export const requestTenantUpdate = endpoint({
  name: 'requestTenantUpdate',
  subject: 'Tenant',
  summary: 'Asks the facility to change contact information',
  method: 'POST',
  path: `${PREFIX}/tenants/:tenantId/update/request`,
  access: 'tenant',
  confirm: true,
  params: tenantPathParams,
  body: contactUpdateParams,
  reply: requestReceipt,
  example: exampleReceipt,
});
