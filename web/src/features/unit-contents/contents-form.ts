import { contentsFields } from '@gatehouse/contract/contents-fields';
import type { Ledger } from '@gatehouse/contract/ledgers';
import {
  type ContentsType,
  contentsTypes,
  joinContents,
  parseContents,
} from '@gatehouse/contract/unit-contents';
import { vehicleFields, type VehicleParams } from '@gatehouse/contract/vehicles';
import { z } from 'zod/mini';

const fields = z.object({
  type: z.union([contentsFields.type, z.literal('')]),
  vin: z.string(),
  hin: z.string(),
  licensePlate: z.string(),
  description: z.string(),
});

/**
 * The fields of the unit contents dialog; vehicle and boat keep a number each while the type is
 * changed.
 */
export type ContentsForm = z.infer<typeof fields>;

/** What is saved: the contents string, and for a vehicle or boat the body of the second call. */
export type ContentsToSave = { contents: string; vehicle: VehicleParams | null };

/** The types as the select offers them. */
export const typeOptions = Object.entries(contentsTypes).map(([value, label]) => ({
  value,
  label: label(),
}));

/** The form as it opens: with what is on file. */
export function filledForm(contents: string, vehicle: Ledger['vehicle']): ContentsForm {
  const { type, value } = parseContents(contents) ?? { type: '' as const, value: '' };
  return {
    type,
    vin: type === 'vehicle' ? value : '',
    hin: type === 'boat' ? value : '',
    licensePlate: vehicle?.licensePlate ?? '',
    description: vehicle?.description ?? '',
  };
}

/** What the chosen type asks for, and what it saves. */
export function contentsSchema(
  type: ContentsForm['type'],
): z.ZodMiniType<ContentsToSave, ContentsForm> {
  if (type === 'vehicle') {
    return z.pipe(
      z.extend(fields, { vin: contentsFields.vin, ...vehicleFields }),
      z.transform((form): ContentsToSave => toSave(type, form.vin, form)),
    );
  }
  if (type === 'boat') {
    return z.pipe(
      z.extend(fields, { hin: contentsFields.hin, ...vehicleFields }),
      z.transform((form): ContentsToSave => toSave(type, form.hin, form)),
    );
  }
  return z.pipe(
    z.extend(fields, { type: contentsFields.type }),
    z.transform((): ContentsToSave => ({ contents: joinContents('none', ''), vehicle: null })),
  );
}

type Details = Pick<ContentsForm, 'licensePlate' | 'description'>;

function toSave(
  type: ContentsType,
  value: string,
  { licensePlate, description }: Details,
): ContentsToSave {
  const contents = joinContents(type, value);
  return { contents, vehicle: { licensePlate, description, type, contents } };
}
