import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { address } from './facilities.ts';
import { facilityParams, id, PREFIX } from './ids.ts';

/** The parameters of a path about one tenant record. */
export const tenantPathParams = z.extend(facilityParams, { tenantId: id });

/** A tenant record (spec section 3). The license number is masked to its last four; null where it is missing. */
export const tenant = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.object({ primary: z.nullable(z.string()) }),
  address,
  driversLicenseNumber: z.nullable(z.string()),
  driversLicenseState: z.nullable(z.string()),
  alternateContact: z.nullable(
    z.object({ firstName: z.string(), lastName: z.string(), email: z.string(), phone: z.string() }),
  ),
});
export type Tenant = z.infer<typeof tenant>;

/** GET {prefix}/tenants/{tenantId}. */
export const getTenant = endpoint({
  name: 'getTenant',
  summary: 'One tenant record',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId`,
  access: 'tenant',
  params: tenantPathParams,
  reply: tenant,
  example: {
    id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31',
    firstName: 'Dana',
    lastName: 'Reyes',
    email: 'dana@example.com',
    phone: { primary: '8175550142' },
    address: { street1: '18 Heron Lane', street2: null, city: 'Azle', region: 'TX', postalCode: '76020' },
    driversLicenseNumber: null,
    driversLicenseState: null,
    alternateContact: null,
  },
});
