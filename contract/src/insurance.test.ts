import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { addDays, isAfterToday } from './dates.ts';
import { addInsuranceParams, insuranceParams, updateInsuranceParams } from './insurance-plans.ts';

const proof = {
  description: 'Lone Star',
  policyNumber: 'LSM-1',
  coverageEnd: '2027-01-31',
  coverageAmount: 25_000,
};
const sentence = (shape: z.ZodMiniType, value: unknown) =>
  z.safeParse(shape, value).error?.issues[0]?.message;

describe('proof of private insurance', () => {
  test('needs policy company, policy number, expiration date and coverage amount; a start may be sent', () => {
    expect(sentence(insuranceParams, proof)).toBeUndefined();
    expect(sentence(insuranceParams, { ...proof, coverageStart: '2026-11-20' })).toBeUndefined();
  });

  // spec 5.25, 5.26, 5.27, 5.29
  test.each([
    ['description', '', 'Policy company is required.'],
    ['description', 'x'.repeat(101), 'Policy company is too long.'],
    ['policyNumber', ' ', 'Policy number is required.'],
    ['policyNumber', undefined, 'Policy number is required.'],
    ['coverageEnd', '', 'Expiration date is required.'],
    ['coverageEnd', '2027-02-29', 'Expiration date is required.'],
    ['coverageEnd', '1/31/2027', 'Expiration date is required.'],
    ['coverageAmount', undefined, 'Coverage amount must be a number.'],
    ['coverageAmount', '25000', 'Coverage amount must be a number.'],
    ['coverageAmount', Number.NaN, 'Coverage amount must be a number.'],
    ['coverageAmount', 0, 'Coverage amount must be above $0.00.'],
    ['coverageAmount', -1, 'Coverage amount must be above $0.00.'],
    ['coverageAmount', 0.001, 'Coverage amount must have at most two decimals.'],
    ['coverageAmount', 1e308, 'Coverage amount is too large.'],
  ])('%s %j: %s', (field, value, expected) => {
    expect(sentence(insuranceParams, { ...proof, [field]: value })).toBe(expected);
  });

  // spec 5.28, 9.8
  test('its earliest expiration is tomorrow', () => {
    const today = '2026-12-31';
    expect(isAfterToday(addDays(today, -1), today)).toBe(false);
    expect(isAfterToday(today, today)).toBe(false);
    expect(isAfterToday(addDays(today, 1), today)).toBe(true);
  });
});

describe('a protection plan', () => {
  const id = '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31';
  test('is added by its id and the unit’s, whatever start is sent', () => {
    expect(
      sentence(addInsuranceParams, { coverageId: id, unitId: id, coverageStartDate: '1999-01-01' }),
    ).toBeUndefined();
    expect(sentence(addInsuranceParams, { unitId: id })).toBe('Protection plan is required.');
  });

  // spec 7.29
  test('is changed by a request: another plan, or the private insurance fields', () => {
    expect(
      sentence(updateInsuranceParams, { unitId: id, coverageId: id, coveragePremium: 0 }),
    ).toBeUndefined();
    expect(sentence(updateInsuranceParams, { unitId: id, ...proof })).toBeUndefined();
    expect(z.safeParse(updateInsuranceParams, { unitId: id }).success).toBe(false);
  });
});
