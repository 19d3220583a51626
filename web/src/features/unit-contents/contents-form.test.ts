import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { type ContentsForm, contentsSchema, filledForm, typeOptions } from './contents-form.ts';

const vehicle = { licensePlate: '123ABC', description: '2018 Winnebago' };
const empty = filledForm('', null);

function messages(form: ContentsForm): Record<string, string> {
  const { error } = z.safeParse(contentsSchema(form.type), form);
  return Object.fromEntries(
    (error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );
}
const saved = (form: ContentsForm) => z.parse(contentsSchema(form.type), form);

describe('the unit contents form', () => {
  // spec 3.47
  it('offers Boat, Vehicle and Household Items', () => {
    expect(typeOptions.map(({ label }) => label)).toEqual(['Boat', 'Vehicle', 'Household Items']);
  });

  it('opens with what is on file', () => {
    expect(empty).toEqual({ type: '', vin: '', hin: '', licensePlate: '', description: '' });
    expect(filledForm('boat:FWC48217C414', vehicle)).toEqual({
      type: 'boat',
      vin: '',
      hin: 'FWC48217C414',
      ...vehicle,
    });
  });

  // spec 5.31, 5.32, 5.33, 5.34
  it('wants a type, then the number, plate and description of a vehicle or boat', () => {
    const details = {
      licensePlate: 'License plate is required.',
      description: 'Description is required.',
    };
    expect(messages(empty)).toEqual({ type: 'Type is required.' });
    expect(messages({ ...empty, type: 'vehicle' })).toEqual({
      vin: 'VIN is required.',
      ...details,
    });
    expect(messages({ ...empty, type: 'boat' })).toEqual({ hin: 'HIN is required.', ...details });
    expect(messages({ ...empty, type: 'none' })).toEqual({});
  });

  // spec 3.39, 3.41, 4.51, 7.41, 7.46
  it('saves contents as type:value, and the vehicle with licensePlate, description, type and contents', () => {
    expect(
      saved({ ...empty, ...vehicle, type: 'vehicle', vin: ' 5B4MP67G123353230 ', hin: 'other' }),
    ).toEqual({
      contents: 'vehicle:5B4MP67G123353230',
      vehicle: { ...vehicle, type: 'vehicle', contents: 'vehicle:5B4MP67G123353230' },
    });
    expect(saved({ ...empty, ...vehicle, type: 'boat', hin: 'FWC48217C414' }).contents).toBe(
      'boat:FWC48217C414',
    );
    expect(saved({ ...empty, ...vehicle, type: 'none', vin: 'left over' })).toEqual({
      contents: 'none:',
      vehicle: null,
    });
  });

  // spec 10.23
  it('saves a VIN of an unusual length', () => {
    expect(saved({ ...empty, ...vehicle, type: 'vehicle', vin: 'SHORT1' }).contents).toBe(
      'vehicle:SHORT1',
    );
  });
});
