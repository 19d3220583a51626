import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { DESCRIPTION_ROWS, issueTypes, maintenanceRequestParams } from './maintenance.ts';
import { requestGateAccessParams } from './gate-access.ts';
import { IMAGE_ACCEPT, imageParams } from './images.ts';
import { formTypes } from './requests.ts';

const sentence = (shape: z.ZodMiniType, value: unknown) =>
  z.safeParse(shape, value).error?.issues[0]?.message;
const request = {
  ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
  issueType: 'door',
  issueDescription: 'It does not close.',
};

describe('a maintenance request', () => {
  // spec 5.57, 9.20, 9.21, 9.22, 9.23, 9.24, 9.25
  test('knows the six issue types of the specification; parking says that a photo is required', () => {
    expect(Object.keys(issueTypes)).toEqual([
      'door',
      'electrical',
      'gate',
      'gravelAsphaltRepair',
      'maintenance',
      'transferParking',
    ]);
    expect(issueTypes.transferParking()).toMatch(/photo required/);
    expect(DESCRIPTION_ROWS).toBe(4);
  });

  // spec 5.56, 5.58
  test('needs unit, issue type and description; an image is optional, for parking too', () => {
    expect(sentence(maintenanceRequestParams, request)).toBeUndefined();
    expect(
      sentence(maintenanceRequestParams, { ...request, issueType: 'transferParking' }),
    ).toBeUndefined();
    expect(
      sentence(maintenanceRequestParams, { ...request, file: null, imageData: null }),
    ).toBeUndefined();
  });

  // spec 5.53, 5.54, 5.55, 7.24
  test.each([
    ['ledgerId', '', 'Unit is required.'],
    ['issueType', '', 'Issue type is required.'],
    ['issueType', 'roof', 'Issue type is required.'],
    ['issueType', 'toString', 'Issue type is required.'],
    ['issueDescription', ' ', 'Description is required.'],
    ['issueDescription', 'x'.repeat(2001), 'Description is too long.'],
    ['imageData', 'https://example.com/door.png', 'The image must be a data URL.'],
    ['imageData', 'data:image/png,plain', 'The image must be a data URL.'],
    ['file', 'x'.repeat(256), 'File is too long.'],
  ])('%s %.60j: %s', (field, value, expected) => {
    expect(sentence(maintenanceRequestParams, { ...request, [field]: value })).toBe(expected);
  });
});

// spec 3.50, 5.56
test('an image is a data URL with its name', () => {
  expect(
    sentence(imageParams, { imageData: 'data:image/png;base64,AA==', file: 'door.png' }),
  ).toBeUndefined();
  expect(sentence(imageParams, {})).toBe('The image must be a data URL.');
  expect(IMAGE_ACCEPT).toBe('.jpg,.gif,.png,image/*');
});

// spec 5.59
test('24-hour access needs a reason', () => {
  expect(sentence(requestGateAccessParams, { reason: 'Night fishing' })).toBeUndefined();
  expect(sentence(requestGateAccessParams, { reason: ' ' })).toBe('Reason is required.');
  expect(sentence(requestGateAccessParams, { reason: 'x'.repeat(1001) })).toBe(
    'Reason is too long.',
  );
});

test('the form types are those of the specification', () => {
  expect(Object.values(formTypes)).toEqual([
    'maintenance_request_form',
    'insurance_request',
    'request_gate_access_form',
    'resend_esign_documents_form',
    'request_tenant_update',
    'autopayCreditCardToAch',
    'notifyAchPayment',
  ]);
});
