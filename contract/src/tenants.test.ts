import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { contactUpdateParams, tenantParams } from './tenants.ts';

const sentence = (shape: z.ZodMiniType, value: unknown) =>
  z.safeParse(shape, value).error?.issues[0]?.message;
const alternateContact = {
  firstName: 'Ada',
  lastName: 'Okafor',
  email: 'ada@example.com',
  phone: '6825550119',
};

describe('what a tenant may change', () => {
  test.each([
    [{ driversLicenseNumber: '19384756', driversLicenseState: 'TX' }],
    [{ phone: { primary: '(817) 555-0142' } }],
    [{ alternateContact }],
  ])('%j is taken', (body) => expect(sentence(tenantParams, body)).toBeUndefined());

  // spec 5.37, 5.38, 5.52
  test.each([
    [{}, 'Give at least one field to change.'],
    [{ firstName: 'Eve', balance: 0 }, 'Give at least one field to change.'],
    [{ driversLicenseNumber: '1' }, "Driver's license number and state belong together."],
    [{ driversLicenseState: 'TX' }, "Driver's license number and state belong together."],
    [
      { driversLicenseNumber: '', driversLicenseState: 'TX' },
      "Driver's license number is required.",
    ],
    [
      { driversLicenseNumber: 'x'.repeat(31), driversLicenseState: 'TX' },
      "Driver's license number is too long.",
    ],
    [
      { driversLicenseNumber: '1', driversLicenseState: 'ZZ' },
      "Driver's license state is required.",
    ],
    [{ phone: { primary: '' } }, 'Phone is required.'],
    [{ phone: { primary: '123' } }, 'Phone must have 10 digits.'],
    [{ alternateContact: { ...alternateContact, firstName: '' } }, 'First name is required.'],
    [{ alternateContact: { ...alternateContact, lastName: undefined } }, 'Last name is required.'],
    [
      { alternateContact: { ...alternateContact, email: 'ada' } },
      'Email must look like name@example.com.',
    ],
    [{ alternateContact: { ...alternateContact, phone: '5' } }, 'Phone must have 10 digits.'],
  ])('%j is refused: %s', (body, expected) => expect(sentence(tenantParams, body)).toBe(expected));

  test('nothing else gets through', () => {
    const body = z.parse(tenantParams, {
      alternateContact,
      id: 'x',
      email: 'eve@example.com',
      role: 'admin',
    });
    expect(body).toEqual({ alternateContact });
  });
});

describe('the contact update form', () => {
  const contact = {
    firstName: 'Dana',
    lastName: 'Reyes',
    phone: '8175550142',
    emailAddress: 'dana@example.com',
    address1: '18 Heron Lane',
    city: 'Azle',
    state: 'TX',
    postal: '76020',
  };
  // spec 5.51
  test('needs every field but street 2', () => {
    expect(sentence(contactUpdateParams, contact)).toBeUndefined();
    expect(sentence(contactUpdateParams, { ...contact, address2: '' })).toBeUndefined();
  });

  // spec 5.43, 5.44, 5.45, 5.46, 5.47, 5.48, 5.49, 5.50
  test.each([
    ['firstName', 'First name is required.'],
    ['lastName', 'Last name is required.'],
    ['phone', 'Phone is required.'],
    ['emailAddress', 'Email is required.'],
    ['address1', 'Street 1 is required.'],
    ['city', 'City is required.'],
    ['state', 'State is required.'],
    ['postal', 'Postal code is required.'],
  ])('%s: %s', (field, expected) => {
    expect(sentence(contactUpdateParams, { ...contact, [field]: '' })).toBe(expected);
    expect(sentence(contactUpdateParams, { ...contact, [field]: undefined })).toBe(expected);
  });
});
