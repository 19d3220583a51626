import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { ledgerPathParams } from './ledgers.ts';
import { copied, requiredText } from './text.ts';

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
