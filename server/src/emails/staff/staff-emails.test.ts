import { describe, expect, test } from 'vitest';
import type { Email } from '#emails/email.ts';
import { achPaymentNoticeEmail } from './ach-payment-notice.ts';
import { cardToAchNoticeEmail } from './card-to-ach-notice.ts';
import { contactUpdateRequestEmail } from './contact-update-request.ts';
import { esignRequestEmail } from './esign-request.ts';
import { gateAccessRequestEmail } from './gate-access-request.ts';
import { insuranceRequestEmail } from './insurance-request.ts';
import { maintenanceRequestEmail } from './maintenance-request.ts';
import { moveOutRequestEmail } from './move-out-request.ts';
import { factsOf, quoteOf, type StaffMessage } from './staff-message.ts';

const message: StaffMessage = {
  reference: 'R-100042',
  facilityName: 'Anchor & Axle Eagle Mountain',
  unitNames: ['A101'],
  tenant: { name: 'Dana Reyes', phone: '8175550142', email: 'dana@example.com' },
};
const plan = { description: '$5,000 protection plan', coverageCents: 500_000, premiumCents: 1400 };

const emails: [string, Email, string][] = [
  [
    'a repair',
    maintenanceRequestEmail(message, {
      issueType: 'transferParking',
      description: 'Move me',
      photo: null,
    }),
    'Issue type: Transfer Parking (photo required)',
  ],
  [
    '24-hour access',
    gateAccessRequestEmail(message, { schedule: '24 Hours', reason: 'x' }),
    'Access hours now: 24 Hours',
  ],
  [
    'e-sign documents',
    esignRequestEmail(message, { pending: ['Lease', 'Addendum'] }),
    'Waiting for a signature: Lease, Addendum',
  ],
  [
    'another plan',
    insuranceRequestEmail(message, { now: null, plan }),
    'Requested plan: $5,000 protection plan: $5,000.00 coverage, $14.00 a month',
  ],
  [
    'no change of contact',
    contactUpdateRequestEmail(message, { changes: [] }),
    'Changes: none: all of it is as the record has it',
  ],
  [
    'a street line that goes',
    contactUpdateRequestEmail(message, { changes: [{ label: 'Street 2', from: 'Lot 4', to: '' }] }),
    'Street 2: Lot 4 → none',
  ],
  [
    'a move-out',
    moveOutRequestEmail(message, { date: '2026-12-01', reason: null }),
    'Date: 12/1/2026',
  ],
  [
    'autopay from card to ACH',
    cardToAchNoticeEmail(message, { from: 'Visa ending in 4242', to: 'ACH ending in 6789' }),
    'Autopay now: ACH ending in 6789',
  ],
  [
    'a bank payment',
    achPaymentNoticeEmail(message, {
      date: '2026-11-05',
      amountCents: 21_450,
      method: 'ACH ending in 6789',
      receiptNumber: '1000042',
    }),
    'Amount: $214.50',
  ],
];

function factsIn({ blocks }: Email): string[] {
  return blocks.flatMap((block) =>
    block.kind === 'facts' ? block.facts.map(([label, value]) => `${label}: ${value}`) : [],
  );
}

describe('a message to staff', () => {
  test.each(emails)(
    'of %s begins with who asks and where, and says what its kind says',
    (_, email, fact) => {
      expect(email.subject).toMatch(/^R-100042: .+, unit A101$/);
      expect(factsIn(email).slice(0, 6)).toEqual([
        'Reference: R-100042',
        'Facility: Anchor & Axle Eagle Mountain',
        'Unit: A101',
        'Tenant: Dana Reyes',
        'Phone: (817) 555-0142',
        'Email: dana@example.com',
      ]);
      expect(factsIn(email)).toContain(fact);
    },
  );

  test('names all units of a tenant, or none, and a phone that is not on file', () => {
    const tenant = { ...message.tenant, phone: null };
    const many = contactUpdateRequestEmail(
      { ...message, tenant, unitNames: ['A101', 'B207'] },
      { changes: [] },
    );
    expect(many.subject).toBe('R-100042: Contact information update');
    expect(factsIn(many)).toEqual(
      expect.arrayContaining(['Units: A101, B207', 'Phone: none on file']),
    );
    expect(
      factsIn(contactUpdateRequestEmail({ ...message, unitNames: [] }, { changes: [] })),
    ).toContain('Unit: none');
  });
});

test('a fact is one line, whatever is in it', () => {
  expect(factsOf([['City', 'Azle\r\nReference: R-1\u2028x\u0085y\tz']])).toEqual({
    kind: 'facts',
    facts: [['City', 'Azle Reference: R-1 x y z']],
  });
});

test('the tenant’s text is a quotation under its label', () => {
  expect(quoteOf('Reason', 'I sold the boat.')).toEqual([
    { kind: 'paragraph', text: 'Reason:' },
    { kind: 'quote', text: 'I sold the boat.' },
  ]);
});
