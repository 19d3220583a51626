import { describe, expect, it } from 'vitest';
import { storageKind } from './storage-kind.ts';

const unit = (typeName: string, description?: string) => ({
  unit: { width: 12, length: 40, typeName },
  vehicle: description === undefined ? null : { licensePlate: 'TX - 1', description },
});

describe('the drawing of a rental', () => {
  it('is of what the tenant entered', () => {
    expect(storageKind(unit('RV'), 'boat')).toBe('boat');
    expect(storageKind(unit('RV'), 'none')).toBe('household');
    expect(storageKind(unit('Household', '2019 Toyota Tundra'), 'vehicle')).toBe('vehicle');
    expect(storageKind(unit('Household', '1969 Airstream trailer'), 'vehicle')).toBe('rv');
  });

  it('is else of the unit’s type', () => {
    expect(storageKind(unit('RV'), undefined)).toBe('rv');
    expect(storageKind(unit('Boat'), undefined)).toBe('boat');
    expect(storageKind(unit('Covered Parking'), undefined)).toBe('vehicle');
    expect(storageKind(unit('Household'), undefined)).toBe('household');
  });
});
