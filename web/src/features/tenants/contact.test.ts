import { expect, it } from 'vitest';
import { contactOf } from './contact.ts';

const address = {
  street1: '18 Heron Lane',
  street2: null,
  city: 'Azle',
  region: 'TX',
  postalCode: '76020',
};
const tenant = {
  id: 't1',
  firstName: 'Dana',
  lastName: 'Reyes',
  email: 'dana@example.com',
  phone: { primary: '8175550142' },
  address,
  driversLicenseNumber: null,
  driversLicenseState: null,
  alternateContact: null,
};

it('starts the contact update form with the record', () => {
  expect(contactOf(tenant)).toEqual({
    firstName: 'Dana',
    lastName: 'Reyes',
    phone: '(817) 555-0142',
    emailAddress: 'dana@example.com',
    address1: '18 Heron Lane',
    address2: '',
    city: 'Azle',
    state: 'TX',
    postal: '76020',
  });
});

it('leaves a missing phone and a region that is no state to be filled in', () => {
  const contact = contactOf({
    ...tenant,
    phone: { primary: null },
    address: { ...address, region: 'PR' },
  });
  expect(contact.phone).toBe('');
  expect(contact.state).toBeUndefined();
});
