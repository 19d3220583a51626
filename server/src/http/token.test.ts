import { expect, test } from 'vitest';
import { hashToken, newToken } from './token.ts';

// asvs 7.2.3
test('a session token has 256 random bits behind a prefix of its own, and is kept as a digest', () => {
  const tokens = Array.from({ length: 1000 }, newToken);
  for (const token of tokens) {
    expect(token).toMatch(/^rvt_[\w-]{43}$/);
    expect(Buffer.from(token.slice(4), 'base64url')).toHaveLength(32);
    expect(hashToken(token)).toHaveLength(32);
  }
  expect(new Set(tokens).size).toBe(1000);
  // Over many tokens every bit is set at least once and clear at least once.
  const bits = tokens.map((token) =>
    BigInt(`0x${Buffer.from(token.slice(4), 'base64url').toString('hex')}`),
  );
  expect(bits.reduce((all, one) => all | one)).toBe(2n ** 256n - 1n);
  expect(bits.reduce((all, one) => all & one)).toBe(0n);
});
