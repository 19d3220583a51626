import type { StaffRow } from '@gatehouse/contract/office/staff';
import { expect, test } from 'vitest';
import { changeEffects, disableEffects, inviteEffects, resetEffects } from './effects.ts';

const ALL = ['A', 'B', 'C'];
const account = (part: Partial<StaffRow>) => ({
  name: 'Ana Flores',
  email: 'ana@example.com',
  role: 'clerk' as const,
  isForAllFacilities: false,
  locationCodes: ['A', 'B'],
  state: 'active' as const,
  ...part,
});
const everywhere = { isForAllFacilities: true, locationCodes: [] };

test('a change says every ability and facility that is gained or lost, and from when', () => {
  const owner = account({ role: 'owner', ...everywhere });
  expect(changeEffects(owner, account({ locationCodes: ['B'] }), ALL)).toEqual([
    'Ana Flores can no longer waive, refund, reverse and credit, and change rents, gate codes, email addresses and settings.',
    'Ana Flores can no longer invite staff, give roles, and verify the audit trail.',
    'Ana Flores can no longer open A, C.',
    'Ana Flores is signed out everywhere, and signs in again.',
  ]);
  expect(changeEffects(account({}), account({ role: 'manager', ...everywhere }), ALL)).toEqual([
    expect.stringMatching(/^Ana Flores can also waive, /),
    'Ana Flores can also open C.',
    'Ana Flores can open every facility that is added later.',
    'Ana Flores is signed out everywhere, and signs in again.',
  ]);
  expect(changeEffects(account({}), account({}), ALL)).toEqual(['Nothing changes.']);
});

test('an account whose invitation was not accepted yet is named by its address', () => {
  const invited = account({ name: null, state: 'invited' });
  expect(changeEffects(invited, { ...invited, locationCodes: ['A'] }, ALL)).toEqual([
    'ana@example.com can no longer open B.',
    'It counts once the invitation is accepted.',
  ]);
  expect(disableEffects(invited, { sessions: 0, hasInvitation: true }).slice(0, 2)).toEqual([
    'ana@example.com is not signed in now.',
    'The invitation that was mailed opens nothing any more.',
  ]);
  expect(inviteEffects(invited)[1]).toBe('Whoever opens it chooses a name and a password.');
});

test('a reset of the second step says which sessions end', () => {
  expect(resetEffects(account({}), { sessions: 1, hasInvitation: false })).toContain(
    'Ana Flores is signed out at once: 1 session ends.',
  );
});
