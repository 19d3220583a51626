/** All but the last four characters as stars; a number of four or fewer shows none of itself. */
export function maskTail(number: string): string {
  return number.length <= 4 ? '****' : `****${number.slice(-4)}`;
}
