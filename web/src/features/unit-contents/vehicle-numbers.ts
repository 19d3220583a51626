import { t } from '@gatehouse/language/t';

/**
 * What is odd about a VIN: it has 17 characters, none of them I, O or Q, and the ninth is computed
 * from the others (49 CFR 565.15). Older vehicles and those from abroad have anything, so that an
 * odd one is only pointed at; undefined where nothing is odd, or nothing was entered.
 */
export function vinHint(vin: string): string | undefined {
  const text = vin.replaceAll(/\s/g, '').toUpperCase();
  if (text === '') return undefined;
  if (text.length !== 17)
    return t('A VIN usually has 17 characters, this one has {count}. Please check it.', {
      count: text.length,
    });
  if (!/^[A-HJ-NPR-Z0-9]{17}$/.test(text))
    return t('A VIN has letters and digits, and no I, O or Q. Please check it.');
  if (text[8] !== checkDigitOf(text))
    return t(
      'The check digit of this VIN does not fit. Please compare it with the vehicle; one from abroad may differ.',
    );
  return undefined;
}

/** The ninth character that belongs to the others of a VIN. */
export function checkDigitOf(vin: string): string {
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * valueOf(vin[place]!), 0);
  return sum % 11 === 10 ? 'X' : String(sum % 11);
}

/** The check digit itself counts for nothing. */
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/** Of the letters from A to Z; those that no VIN has are 0. */
const VALUES = '12345678012345070923456789';

function valueOf(character: string): number {
  return /\d/.test(character)
    ? Number(character)
    : Number(VALUES[character.charCodeAt(0) - 'A'.charCodeAt(0)]);
}

/**
 * What is odd about a HIN: it has 12 characters, the maker's three, a serial number of five, and
 * the date, or 14 with the country before them (33 CFR 181.25). Boats of before 1972 have anything.
 */
export function hinHint(hin: string): string | undefined {
  const text = hin.replaceAll(/[\s-]/g, '').toUpperCase();
  if (text === '' || HIN.test(text)) return undefined;
  if (text.length !== 12 && text.length !== 14)
    return t('A HIN usually has 12 or 14 characters, this one has {count}. Please check it.', {
      count: text.length,
    });
  return t(
    'A HIN usually looks like ABC12345D404: maker, serial number, month and year. Please check it.',
  );
}

/**
 * The serial number has no I, O or Q. The date is a letter for the month and a digit for the year
 * of the making, then the model year; until 1984 month and year in digits, or M, the model year and
 * a letter.
 */
const HIN =
  /^([A-Z]{2})?[A-Z0-9]{3}[A-HJ-NPR-Z0-9]{5}([A-L]\d{3}|(0[1-9]|1[0-2])\d{2}|M\d{2}[A-L])$/;
