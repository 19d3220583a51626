import { describe, expect, test } from 'vitest';
import { foldEmail } from './account.ts';

describe('an address as it is compared', () => {
  test.each([
    [' Dana@Example.COM ', 'dana@example.com'],
    ['ÉLISE@example.com', 'élise@example.com'],
    // As PostgreSQL has them: no letter depends on the one after it.
    ['ΑΣ@example.com', 'ασ@example.com'],
    ['jose\u0301@example.com', 'jos\u00E9@example.com'],
    ['\u212Aelvin@example.com', 'kelvin@example.com'],
    // PostgreSQL has an i.
    ['w\u0130ll@example.com', 'wi\u0307ll@example.com'],
  ])('%s is %s', (typed, folded) => {
    expect(foldEmail(typed)).toBe(folded);
  });
});
