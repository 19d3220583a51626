import { describe, expect, test } from 'vitest';
import { isStopping, mayBePresentedAgain, returnReason } from './return-codes.ts';

describe('a return code', () => {
  test.each([
    ['R01', false, true],
    ['R02', true, false],
    ['R03', true, false],
    ['R04', true, false],
    ['R05', true, false],
    ['R07', true, false],
    ['R08', true, false],
    ['R09', false, true],
    ['R10', true, false],
    ['R11', false, false],
    ['R16', true, false],
    ['R20', true, false],
    ['R29', true, false],
    ['R99', true, false],
  ])('%s stops the mandate: %s; may be presented again: %s', (code, stops, again) => {
    expect([isStopping(code), mayBePresentedAgain(code)]).toEqual([stops, again]);
    expect(returnReason(code)).toMatch(/^[a-z].+[a-z]$/);
  });
});
