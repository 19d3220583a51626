import { plainNumber } from '@gatehouse/contract/typed';

/**
 * Dollars as they are typed, with or without a dollar sign and thousands commas; null where it
 * is no amount to the cent. A comma for the cents is refused rather than guessed: `12,50` and
 * `1,250` differ by a hundred times.
 */
export function parseAmount(text: string): number | null {
  const plain = plainNumber(text)
    .trim()
    .replace(/^\$\s*/, '');
  if (!/^(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/.test(plain)) return null;
  return Number(plain.replaceAll(',', ''));
}

/** Why a typed amount cannot be taken, as the reader sees it; undefined where it can. */
export function amountFault(text: unknown, mayBeZero = false): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'Enter an amount.';
  if (/,\d{1,2}$/.test(text.trim())) return 'Write the cents with a point, such as 12.50.';
  const amount = parseAmount(text);
  if (amount === null) return 'Enter an amount such as 214.50.';
  return amount > 0 || mayBeZero ? undefined : 'The amount must be above 0.';
}
