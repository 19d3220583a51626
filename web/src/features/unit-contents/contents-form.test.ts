import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import {
  type ContentsForm,
  contentsSchema,
  filledForm,
  hinHint,
  typeOptions,
  vinHint,
} from './contents-form.ts';

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

  it('points at a VIN or HIN of an unusual length and saves it all the same', () => {
    expect([
      vinHint(''),
      vinHint('5B4MP67G123353230'),
      hinHint('FWC48217C414'),
      hinHint('USFWC48217C414'),
    ]).toEqual([undefined, undefined, undefined, undefined]);
    expect(vinHint('SHORT1')).toBe(
      'A VIN usually has 17 characters, this one has 6. Please check it.',
    );
    expect(hinHint('SHORT1')).toBe(
      'A HIN usually has 12 or 14 characters, this one has 6. Please check it.',
    );
    expect(saved({ ...empty, ...vehicle, type: 'vehicle', vin: 'SHORT1' }).contents).toBe(
      'vehicle:SHORT1',
    );
  });
});
