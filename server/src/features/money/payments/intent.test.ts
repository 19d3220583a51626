import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IntentState } from '#db/tables.ts';
import { debtKey, meaningWithKey, meaningWithoutKey, requestHash } from './intent.ts';

const now = new Date('2026-11-20T15:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const earlier = (state: IntentState, minutes = 1) => ({ state, createdAt: minutesAgo(minutes) });

describe('a request with an Idempotency-Key', () => {
  test.each([
    [undefined, 'new attempt'],
    [earlier('submitted'), 'being confirmed'],
    [earlier('unknown'), 'being confirmed'],
    [earlier('succeeded', 10_000), 'replay'],
    [earlier('pending', 10_000), 'replay'],
    [earlier('returned', 10_000), 'replay'],
    [earlier('declined'), 'declined again'],
  ])('after %o means: %s', (intent, meaning) => {
    expect(meaningWithKey(intent, true)).toBe(meaning);
  });

  test('under another body is refused', () => {
    expect(meaningWithKey(earlier('succeeded'), false)).toBe('other body');
  });
});

describe('a request without a key', () => {
  test.each([
    [undefined, false, 'new attempt'],
    [earlier('submitted'), false, 'being confirmed'],
    [earlier('unknown'), true, 'being confirmed'],
    [earlier('declined'), false, 'new attempt'],
    [earlier('never_sent'), false, 'new attempt'],
    [earlier('returned'), false, 'new attempt'],
    [earlier('succeeded', 9.9), false, 'replay'],
    [earlier('succeeded', 10), false, 'new attempt'],
    [earlier('succeeded', 60 * 24 * 20), true, 'replay'],
    [earlier('pending', 60), true, 'replay'],
  ])('after %o, paid in full: %s, means: %s', (intent, isPaid, meaning) => {
    expect(meaningWithoutKey(intent, isPaid, now)).toBe(meaning);
  });
});

describe('the debt key', () => {
  const secret = Buffer.alloc(32, 1);
  const line = fc.record({
    ledgerId: fc.uuid(),
    cents: fc.integer({ min: 1, max: 1_000_000 }),
    epoch: fc.uuid(),
  });

  test('does not depend on the order of the units', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        expect(debtKey('tenant', lines)).toEqual(debtKey('tenant', lines.toReversed()));
      }),
    );
  });

  test('changes with a unit, an amount, a new debit and the tenant', () => {
    const base = { ledgerId: 'a', cents: 100, epoch: 'e' };
    const keys = [
      debtKey('t', [base]),
      debtKey('t', [{ ...base, ledgerId: 'b' }]),
      debtKey('t', [{ ...base, cents: 101 }]),
      debtKey('t', [{ ...base, epoch: 'f' }]),
      debtKey('u', [base]),
    ].map((key) => key.toString('hex'));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('the body’s hash changes with the method', () => {
    const lines = [{ ledgerId: 'a', cents: 100 }];
    const visa = { description: 'Visa ending in 4242', savedId: null };
    expect(requestHash(secret, 't', lines, visa)).not.toEqual(
      requestHash(secret, 't', lines, { ...visa, savedId: 'x' }),
    );
  });
});
