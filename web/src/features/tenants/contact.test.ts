import { getTenant } from '@gatehouse/contract/tenants';
import { expect, it } from 'vitest';
import { contactOf } from './contact.ts';

const tenant = getTenant.example;

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
    address: { ...tenant.address, region: 'PR' },
  });
  expect(contact.phone).toBe('');
  expect(contact.state).toBeUndefined();
});
