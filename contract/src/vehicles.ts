import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { done, id } from './ids.ts';
import { ledgerPathParams } from './ledgers.ts';
import { tenantPathParams } from './tenants.ts';
import { copied, requiredText } from './text.ts';
import { contentsString, parseContents } from './unit-contents.ts';

/** The plate hints of the specification, word for word. */
export const plateHints = {
  vehicle: () => t('no spaces. EX: 123ABC'),
  boat: () => t('include the state before the plate. Ex. TX - 123ABC'),
};

/** The details of a stored vehicle or boat: both are required. */
export const vehicleFields = {
  licensePlate: requiredText(() => t('License plate'), 30),
  description: requiredText(() => t('Description'), 200),
};

/**
 * vehicleParams of the specification; type and contents are copies of what unit-contents was sent.
 */
export const vehicleParams = z.object({ ...vehicleFields, type: copied, contents: copied });
export type VehicleParams = z.infer<typeof vehicleParams>;

const vehicle = z.object({ licensePlate: z.string(), description: z.string() });

/** POST {prefix}/ledgers/{ledgerId}/vehicles: sets the vehicle of a rental; answers it. */
export const updateVehicle = endpoint({
  name: 'updateVehicle',
  subject: 'Unit contents and vehicles',
  summary: 'Sets the vehicle or boat of a rental',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/vehicles`,
  access: 'tenant',
  params: ledgerPathParams,
  body: vehicleParams,
  reply: vehicle,
  example: { licensePlate: '123ABC', description: '2018 Winnebago Vista 31BE' },
});

/** The most vehicles and boats of a rental, the first one included. */
export const MOST_VEHICLES = 6;

/** A vehicle or boat that a rental stores: what it is with its VIN or HIN, and its details. */
export const storedVehicle = z.object({
  contents: contentsString.check(
    z.refine((text) => parseContents(text)?.type !== 'none', {
      error: () => t('A vehicle needs its VIN and a boat its HIN.'),
    }),
  ),
  ...vehicleFields,
});
export type StoredVehicle = z.infer<typeof storedVehicle>;

/** The path of a record's rental, and its parameters. */
export const rentalPath = `${PREFIX}/tenants/:tenantId/ledgers/:ledgerId` as const;
export const rentalParams = z.extend(tenantPathParams, { ledgerId: id });

/**
 * POST {prefix}/tenants/{tenantId}/ledgers/{ledgerId}/vehicles, not in the spec: adds a vehicle or
 * boat to a rental, or changes the one of `vehicleId`, which is not its first: that is changed by
 * unit-contents and updateVehicle. Where the rental has none yet, what is added is the first. One
 * with the contents of another is that one: a repeat adds nothing. 422 where there are six or the
 * change would make two of one, 429 too many changes within an hour.
 */
export const saveVehicle = endpoint({
  name: 'saveVehicle',
  subject: 'Unit contents and vehicles',
  summary: 'Adds a vehicle or boat to a rental, or changes a further one',
  method: 'POST',
  path: `${rentalPath}/vehicles`,
  access: 'tenant',
  params: rentalParams,
  body: z.extend(storedVehicle, { vehicleId: z.optional(id) }),
  reply: z.extend(done, {}),
  example: { success: true },
});

/**
 * POST {prefix}/tenants/{tenantId}/ledgers/{ledgerId}/vehicle-removal, not in the spec: removes a
 * vehicle or boat with its papers on file. Of the first, the one that was added next takes its
 * place; where there is none the contents are household items.
 */
export const removeVehicle = endpoint({
  name: 'removeVehicle',
  subject: 'Unit contents and vehicles',
  summary: 'Removes a vehicle or boat of a rental with its papers',
  method: 'POST',
  path: `${rentalPath}/vehicle-removal`,
  access: 'tenant',
  confirm: true,
  params: rentalParams,
  body: z.object({ vehicleId: id }),
  reply: z.extend(done, {}),
  example: { success: true },
});
