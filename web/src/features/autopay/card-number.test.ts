import { expect, it } from 'vitest';
import { digitsOf, groupDigits } from './card-number.ts';

it('groups a card number in fours', () => {
  expect(groupDigits('4242424242424242')).toBe('4242 4242 4242 4242');
  expect(groupDigits('42424')).toBe('4242 4');
  expect(groupDigits('4242')).toBe('4242');
  expect(groupDigits('')).toBe('');
});

it('takes spaces and dashes and strips them', () => {
  expect(groupDigits(' 3782-822463 10005')).toBe('3782 8224 6310 005');
  expect(digitsOf('4242 4242-4242 4242')).toBe('4242424242424242');
});
