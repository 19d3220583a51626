import fc from 'fast-check';
import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, describe, expect, it } from 'vitest';
import { checkDigitOf, hinHint, vinHint } from './vehicle-numbers.ts';

const CHECK = /^The check digit of this VIN does not fit\./;
const LETTERS = 'A VIN has letters and digits, and no I, O or Q. Please check it.';
const LOOKS =
  'A HIN usually looks like ABC12345D404: maker, serial number, month and year. Please check it.';

const vin = fc.string({
  unit: fc.constantFrom(...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'.split('')),
  minLength: 17,
  maxLength: 17,
});
const checked = vin.map((text) => text.slice(0, 8) + checkDigitOf(text) + text.slice(9));

describe('a VIN', () => {
  it.each(['1M8GDM9AXKP042788', '5B4MP67G123353230', '1HGCM82633A004352', '11111111111111111'])(
    '%s is as it should be, also with spaces and in small letters',
    (text) => {
      expect(vinHint(text)).toBeUndefined();
      expect(vinHint(` ${text.slice(0, 8)} ${text.slice(8).toLowerCase()}`)).toBeUndefined();
    },
  );

  // spec 10.23
  it.each([
    ['SHORT1', 'A VIN usually has 17 characters, this one has 6. Please check it.'],
    ['1M8GDM9AXKPO42788', LETTERS],
    ['1M8GDM9A*KP042788', LETTERS],
  ])('%s is pointed at', (text, hint) => expect(vinHint(text)).toBe(hint));

  it('of a transposed or wrong character is pointed at', () => {
    expect(vinHint('1M8GDM9AXKP042787')).toMatch(CHECK);
    expect(vinHint('1M8GDM9AXKP047288')).toMatch(CHECK);
  });

  it('is never blocked and never fails, whatever is typed', () => {
    fc.assert(fc.property(fc.string(), (text) => void [vinHint(text), hinHint(text)]));
  });

  // spec 10.23
  it('with its check digit gets no hint, and with another one always does', () => {
    fc.assert(
      fc.property(checked, fc.constantFrom(...'0123456789X'.split('')), (text, digit) => {
        expect(vinHint(text)).toBeUndefined();
        if (digit !== text[8])
          expect(vinHint(text.slice(0, 8) + digit + text.slice(9))).toMatch(CHECK);
      }),
      { numRuns: 1000 },
    );
  });

  it('with one digit changed for another never fits, because 11 is a prime', () => {
    const digits = fc.constantFrom(...'0123456789'.split(''));
    const place = fc.integer({ min: 0, max: 16 }).filter((nth) => nth !== 8);
    fc.assert(
      fc.property(checked, place, digits, digits, (text, at, one, other) => {
        const withDigit = (digit: string) => text.slice(0, at) + digit + text.slice(at + 1);
        const fits = withDigit(one);
        const right = fits.slice(0, 8) + checkDigitOf(fits) + fits.slice(9);
        const wrong = right.slice(0, at) + other + right.slice(at + 1);
        if (one !== other) expect(vinHint(wrong)).toMatch(CHECK);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a hint on a page in Spanish', () => {
  afterEach(() => setLanguageSource(() => 'en'));

  it('is in Spanish', () => {
    setLanguageSource(() => 'es');
    expect(vinHint('SHORT1')).toBe('Un VIN suele tener 17 caracteres y este tiene 6. Revíselo.');
  });
});

describe('a HIN', () => {
  it.each([
    'FWC48217C414',
    'USFWC48217C414',
    'US-FWC48217C414',
    'abc12345d404',
    'MRC77301K819',
    'ABC123450978',
    'ABC12345M78L',
    '',
  ])('%s gets no hint', (text) => expect(hinHint(text)).toBeUndefined());

  it.each([
    ['SHORT1', 'A HIN usually has 12 or 14 characters, this one has 6. Please check it.'],
    ['FWC48217Z414', LOOKS],
    ['FWC4821OC414', LOOKS],
    ['FWC482171378', LOOKS],
    ['1SFWC48217C414', LOOKS],
  ])('%s is pointed at', (text, hint) => expect(hinHint(text)).toBe(hint));
});
