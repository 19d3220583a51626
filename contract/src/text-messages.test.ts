import { expect, test } from 'vitest';
import { confirmTexts } from './text-messages.ts';

test.each([
  ['1234 5678', '12345678'],
  ['1234-5678', '12345678'],
  ['--', 'Code is required.'],
  [' ', 'Code is required.'],
  ['1'.repeat(51), 'Code is too long.'],
])('the code %j: %s', (code, expected) => {
  const { data, error } = confirmTexts.body!.safeParse({ code });
  expect(data?.code ?? error?.issues[0]!.message).toBe(expected);
});
