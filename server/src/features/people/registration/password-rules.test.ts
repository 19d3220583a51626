import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkPassword, commonPasswords } from './password-rules.ts';

const context = {
  operatorName: 'Anchor & Axle RV & Boat Storage',
  facilityName: 'Eagle Mountain Lake',
  city: 'Fort Worth',
  email: 'noor.haddad@example.com',
};
const check = (password: string) => () => checkPassword(password, context);

describe('a new password', () => {
  // spec 5.14
  // asvs 6.2.4
  test.each([
    '12345678',
    'password1',
    'PassWord123',
    'qwertyuiop',
    'iloveyou',
    'letmein123',
    'P@ssw0rd',
    'Trustno1',
    'butterfly',
    'voxstrange',
    'q1w2e3r4t5y6',
  ])('is not one of the commonest: %s', (password) => {
    expect(check(password)).toThrow(
      'This password is one of the most common ones. Please choose another.',
    );
  });

  // asvs 6.2.11
  test.each([
    'anchor-axle-26',
    'AnchorAxle1',
    'Anchor & Axle!',
    'boatstorage2026',
    'fortworth1',
    'Fort Worth TX 26',
    'noorhaddad',
    'Haddad.Noor!99',
    'haddadhaddad',
    'EagleMountain1',
  ])(
    'is not made of the operator’s name, the facility’s, the city or the address: %s',
    (password) => {
      expect(check(password)).toThrow(
        'This password is too close to your email address, the city or our name.',
      );
    },
  );

  test.each([
    'harbor gate 81',
    'correcthorse',
    'anchor-9f3kx7',
    'zebra forty two',
    '🚤🚤🚤🚤🚤🚤🚤🚤',
    'tr0ub4dor&3',
  ])('may be anything else: %s', (password) => {
    expect(check(password)).not.toThrow();
  });

  // asvs 6.2.12
  test('is compared with the commonest of published breaches, in one look-up', () => {
    expect(commonPasswords().size).toBeGreaterThan(15_000);
    expect(commonPasswords().size).toBeLessThan(50_000);
  });

  // asvs 6.2.4
  test('is compared with a list of only those passwords that the length rules allow', () => {
    const list = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    expect(list.length).toBeGreaterThan(200);
    expect(new Set(list).size).toBe(list.length);
    for (const password of list) {
      expect(password.length, password).toBeGreaterThanOrEqual(8);
      expect(password.length, password).toBeLessThanOrEqual(20);
      expect(password).toBe(password.toLowerCase());
    }
  });
});
