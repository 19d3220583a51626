import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { contentsTypes, joinContents, parseContents, updateUnitContents } from './unit-contents.ts';
import { plateHints, vehicleParams } from './vehicles.ts';

const sentence = (shape: z.ZodMiniType, value: unknown) =>
  z.safeParse(shape, value).error?.issues[0]?.message;

describe('unit contents', () => {
  test('are one string, type:value', () => {
    expect(joinContents('boat', 'ABC12345D404')).toBe('boat:ABC12345D404');
    expect(joinContents('none', '')).toBe('none:');
    expect(parseContents('vehicle:5B4MP67G123353230')).toEqual({
      type: 'vehicle',
      value: '5B4MP67G123353230',
    });
    expect(parseContents('boat:A:B')).toEqual({ type: 'boat', value: 'A:B' });
    expect(parseContents('')).toBeNull();
    expect(parseContents('plane:1')).toBeNull();
    expect(parseContents('toString:1')).toBeNull();
  });

  // spec 1.22, 3.42, 3.47
  test('have the labels Boat, Vehicle, Household Items', () => {
    expect(Object.values(contentsTypes).map((name) => name())).toEqual([
      'Boat',
      'Vehicle',
      'Household Items',
    ]);
  });

  // spec 3.40, 5.32
  test.each([
    ['boat:ABC12345D404', undefined],
    ['none:', undefined],
    ['none:boxes', undefined],
    ['', 'Contents is required.'],
    [undefined, 'Contents is required.'],
    ['plane:1', 'Contents must be vehicle, boat or none, a colon and a value.'],
    ['vehicle', 'Contents must be vehicle, boat or none, a colon and a value.'],
    ['vehicle:', 'A vehicle needs its VIN and a boat its HIN.'],
    ['boat:  ', 'A vehicle needs its VIN and a boat its HIN.'],
    [`boat:${'x'.repeat(80)}`, 'Contents is too long.'],
  ])('%j: %s', (contents, expected) => {
    expect(sentence(updateUnitContents.body!, { contents })).toBe(expected);
  });
});

describe('the vehicle of a rental', () => {
  // spec 5.33, 5.34
  test.each([
    [
      { licensePlate: '123ABC', description: 'Winnebago', type: 'vehicle', contents: 'vehicle:1' },
      undefined,
    ],
    [{ licensePlate: '', description: 'Winnebago' }, 'License plate is required.'],
    [{ licensePlate: 'x'.repeat(31), description: 'Winnebago' }, 'License plate is too long.'],
    [{ licensePlate: '123ABC', description: ' ' }, 'Description is required.'],
    [{ licensePlate: '123ABC', description: 'x'.repeat(201) }, 'Description is too long.'],
  ])('%j: %s', (body, expected) => expect(sentence(vehicleParams, body)).toBe(expected));

  // spec 5.35, 5.36
  test('has the plate hints of the specification', () => {
    expect(plateHints.vehicle()).toBe('no spaces. EX: 123ABC');
    expect(plateHints.boat()).toBe('include the state before the plate. Ex. TX - 123ABC');
  });
});
