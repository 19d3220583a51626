import { expect, it } from 'vitest';
import { signInFault, signInLabels } from './sign-in-fields.ts';
import { userParams } from './user-params.ts';

const filled = {
  username: 'dana@example.com',
  password: 'secret',
  locationCode: 'TXDFW03',
  corporationCode: 'ANCHOR',
};

it.each(['', ' ', 'x', 'x'.repeat(254), 'x'.repeat(255)])(
  'says of a field what the shape of the call says of it: "%s"',
  (text) => {
    for (const name of Object.keys(signInLabels) as (keyof typeof signInLabels)[]) {
      const [issue] = userParams.safeParse({ ...filled, [name]: text }).error?.issues ?? [];
      expect(signInFault(signInLabels[name](), text)).toBe(issue?.message);
    }
  },
);
