import { expect, it } from 'vitest';
import { requestBody } from './request-body.ts';

// spec 7.24
it('a maintenance request has the body of the specification', () => {
  const requester = {
    facilityName: 'Anchor & Axle Eagle Mountain',
    firstName: 'Dana',
    lastName: 'Reyes',
    emailAddress: 'dana@example.com',
  };
  const values = {
    ledgerId: 'l1',
    issueType: 'gate' as const,
    issueDescription: 'It does not open.',
  };
  const ledger = { tenantId: 't1', unitName: 'A101' };
  expect(
    requestBody(values, ledger, requester, {
      imageData: 'data:image/jpeg;base64,AA==',
      file: 'gate.jpg',
    }),
  ).toEqual({
    ledgerId: 'l1',
    issueType: 'gate',
    issueDescription: 'It does not open.',
    file: 'gate.jpg',
    imageData: 'data:image/jpeg;base64,AA==',
    facilityName: 'Anchor & Axle Eagle Mountain',
    formType: 'maintenance_request_form',
    unitName: 'A101',
    tenantId: 't1',
    firstName: 'Dana',
    lastName: 'Reyes',
    emailAddress: 'dana@example.com',
  });
  expect(requestBody(values, ledger, requester, null)).not.toHaveProperty('imageData');
});
