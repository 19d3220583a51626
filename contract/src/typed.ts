/**
 * Text as people type and paste it, and what it means. Both sides apply it, through the contract's
 * shapes.
 */

/** Characters that show nothing, except line ends. */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800]|(?![\0\t-\r])\p{Cc}/gu;
const OTHER_LINE_END = /[\u0085\p{Zl}\p{Zp}]/gu;
const OTHER_SPACE = /(?! )\p{Zs}/gu;

/**
 * A number as it is meant, such as that of a card or phone, or a sum: full-width characters as
 * usual ones, each dash a hyphen, each space the usual one, and no invisible characters.
 */
export function plainNumber(typed: string): string {
  return typed
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .replace(OTHER_SPACE, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}

/**
 * Text as it is stored: in NFC, each space the usual one, and no invisible characters. Line ends
 * and tabs are kept.
 */
export function plainText(typed: string): string {
  return typed
    .replace(OTHER_LINE_END, '\n')
    .replace(INVISIBLE, '')
    .replace(OTHER_SPACE, ' ')
    .normalize();
}

/** A code that was read somewhere: as a number, without the spaces and hyphens that group it. */
export function plainCode(typed: string): string {
  return plainNumber(typed).replace(/[\s-]/g, '');
}

/**
 * The first invisible character of a text, such as `U+200B`; undefined where it has none. Letters
 * in combined and in single characters are alike to the eye, which normalizing to NFC is for.
 */
export function invisibleIn(text: string): string | undefined {
  const [found] = text.match(INVISIBLE) ?? text.match(OTHER_SPACE) ?? [];
  return found === undefined
    ? undefined
    : `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
