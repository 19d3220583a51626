/** The basic characters of GSM 03.38, of which 160 fit in one text message. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** What one text message holds, in such characters. */
export const TEXT_LENGTH = 160;

/** What is written otherwise than a basic character and means the same. */
const alike: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
};

/** A text in basic characters only: accents go where they must, and so does what has none. */
export function toGsm(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => {
    if (BASIC.has(character)) return character;
    const same = alike[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
    return Array.from(same).every((one) => BASIC.has(one)) ? same : '';
  }).join('');
}

/** What a text that was cut does not end with. */
const NO_END = ' &,-';

/** A text of this many characters at most; the words that do not fit are left out, at the end. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const space = text[most] === ' ' ? most : cut.lastIndexOf(' ');
  let end = space < 0 ? most : space;
  while (end > 0 && NO_END.includes(cut[end - 1]!)) end -= 1;
  return cut.slice(0, end);
}
