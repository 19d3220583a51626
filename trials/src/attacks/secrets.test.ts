import { expect, test } from 'vitest';
import { secretsIn } from './secrets.ts';

// In two halves, so that this file holds no secret itself.
test.each([
  ['private key', '-----BEGIN RSA PRIV' + 'ATE KEY-----'],
  ['secret key of Stripe', 'sk_live_' + '4eC39HqLyjWDarjtT1zdp7dc'],
  ['webhook secret of Stripe', 'whsec_' + '4eC39HqLyjWDarjtT1zdp7dc'],
  ['access key of Amazon', 'AKIA' + 'IOSFODNN7EXAMPLE'],
  ['signed token', 'eyJhbGciOiJIUzI1NiJ9' + '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N'],
  ['session, device or registration token', 'rvt_' + 'a'.repeat(43)],
  ['password hash', '$argon2id$v=19$m=19456,t=2,p=1$' + 'c29tZXNhbHRzb21lc2FsdA$aGFzaA'],
  ['database with a password', 'postgres://app:' + 'hunter2@db/portal'],
  ['32-byte key', 'SECRET_KEY=' + '0f'.repeat(32)],
])('a %s is found', (kind, text) => {
  expect(secretsIn(`const x = "${text}";`)).toEqual([kind]);
});

test('what only names a secret is none', () => {
  const text =
    'STRIPE_SECRET_KEY=sk_test_… postgres://user:password-less smtps://host:465 rvt_token const whsec_ = 1';
  expect(secretsIn(text)).toEqual([]);
});
