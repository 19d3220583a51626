import { expect, it } from 'vitest';
import { signInFault } from './sign-in-fields.ts';
import { userParams } from './user-params.ts';

const filled = {
  username: 'dana@example.com',
  password: 'secret',
  locationCode: 'TXDFW03',
  corporationCode: 'ANCHOR',
};

/** As the sign-in form has them (web/src/screens/login-form.ts). */
const labels = { username: 'Email Address', password: 'Password', locationCode: 'Location' };

it('names an invisible character in the address, and leaves a password as it is', () => {
  const parsed = userParams.safeParse({ ...filled, username: 'dana\u200B@example.com' });
  expect(parsed.error?.issues[0]?.message).toContain('invisible character (U+200B)');
  expect(userParams.safeParse({ ...filled, password: 'secret\u200B' }).success).toBe(true);
});

it.each(['', ' ', 'x', 'x'.repeat(254), 'x'.repeat(255)])(
  'says of a field what the shape of the call says of it: "%s"',
  (text) => {
    for (const name of Object.keys(labels) as (keyof typeof labels)[]) {
      const [issue] = userParams.safeParse({ ...filled, [name]: text }).error?.issues ?? [];
      expect(signInFault(labels[name], text)).toBe(issue?.message);
    }
  },
);
