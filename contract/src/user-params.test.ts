import { expect, it } from 'vitest';
import { userParams } from './user-params.ts';

const filled = {
  username: 'dana@example.com',
  password: 'secret',
  locationCode: 'TXDFW03',
  corporationCode: 'ANCHOR',
};

it('names an invisible character in the address, and leaves a password as it is', () => {
  const parsed = userParams.safeParse({ ...filled, username: 'dana\u200B@example.com' });
  expect(parsed.error?.issues[0]?.message).toContain('invisible character (U+200B)');
  expect(userParams.safeParse({ ...filled, password: 'secret\u200B' }).success).toBe(true);
});

it.each([
  ['', 'Password is required.'],
  [' ', undefined],
  ['x'.repeat(254), undefined],
  ['x'.repeat(255), 'Password is too long.'],
])('asks of a password only that there is one: "%s"', (password, message) => {
  const [issue] = userParams.safeParse({ ...filled, password }).error?.issues ?? [];
  expect(issue?.message).toBe(message);
});
