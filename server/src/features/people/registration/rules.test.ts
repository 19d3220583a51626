import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashToken } from '#http/token.ts';
import { hashCode, isSameHash, newCode, newRegistrationToken, dummyCodeHash } from './rules.ts';

const secret = Buffer.alloc(32, 7);

describe('a verification code', () => {
  // asvs 6.5.3, 6.5.4
  test('is 8 digits, leading zeros among them', () => {
    const codes = Array.from({ length: 2000 }, newCode);
    for (const code of codes) expect(code).toMatch(/^\d{8}$/);
    expect(codes.some((code) => code.startsWith('0'))).toBe(true);
    expect(new Set(codes).size).toBeGreaterThan(1990);
  });

  // asvs 6.5.2
  test('is hashed under the server’s key and bound to its token', () => {
    const [mine, other] = [hashToken(newRegistrationToken()), hashToken(newRegistrationToken())];
    const kept = hashCode(secret, mine, '01234567');
    expect(isSameHash(kept, hashCode(secret, mine, '01234567'))).toBe(true);
    expect(isSameHash(kept, hashCode(secret, mine, '01234568'))).toBe(false);
    expect(isSameHash(kept, hashCode(secret, mine, '1234567'))).toBe(false);
    expect(isSameHash(kept, hashCode(secret, other, '01234567'))).toBe(false);
    expect(isSameHash(kept, hashCode(randomBytes(32), mine, '01234567'))).toBe(false);
  });

  test('of an unknown address has a hash of the same form', () => {
    expect(dummyCodeHash()).toHaveLength(hashCode(secret, hashToken('x'), '01234567').length);
    expect(dummyCodeHash()).not.toEqual(dummyCodeHash());
  });
});

// asvs 11.5.1
test('a registration token has 256 random bits behind a prefix of its own', () => {
  expect(newRegistrationToken()).toMatch(/^rgt_[\w-]{43}$/);
  expect(newRegistrationToken()).not.toBe(newRegistrationToken());
});
