import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';
import decompress from 'woff2-encoder/decompress';

/** A piece of text that one font prints. */
export type Run = { text: string; font: FontName; isRightToLeft: boolean };

/**
 * A font of the chain by its name; a slice is one of the many small files that the Chinese and
 * Korean letters come in.
 */
export type FontName = 'sans' | 'arabic' | 'hebrew' | 'thai' | `han-${string}` | `hangul-${string}`;

/**
 * How a font gets to its weight: it has a bold file, or its outlines are drawn with a line, in
 * parts of its size.
 */
export type FontFile = { regular: ParsedFont; bold: ParsedFont | null; line: number };
export type ParsedFont = Font;

const require = createRequire(import.meta.url);

// The Chinese and Korean files hold the thinnest weight: a line makes them as strong as the others.
const THIN_LINE = 0.05;

/**
 * Splits a text into runs, each letter to the font of its script: Noto Sans for Latin, Greek,
 * Cyrillic, Vietnamese and Devanagari, and one each for Arabic, Hebrew, Thai, Chinese with
 * Japanese, and Korean. A letter of no font stays with Noto Sans, which prints a box. Control
 * characters, which could turn the order of a line around, are left out.
 */
export function runsOf(text: string): Run[] {
  // Nearly every text.
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text))
    return [{ text, font: 'sans', isRightToLeft: false }];
  const runs: Run[] = [];
  for (const letter of lettersOf(text)) {
    const last = runs.at(-1);
    const font = last?.isRightToLeft && letter === ' ' ? last.font : fontOf(letter);
    if (last?.font === font) last.text += letter;
    else runs.push({ text: letter, font, isRightToLeft: font === 'arabic' || font === 'hebrew' });
  }
  return runs.flatMap(withSpaceAfter);
}

/** The letters as a reader counts them, with what is above and below each. */
export function lettersOf(text: string): string[] {
  const plain = text
    .normalize('NFC')
    .replace(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g, '')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cs}]/gu, '');
  return Array.from(letters.segment(plain), ({ segment }) => segment);
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A space at the end of what reads from the right belongs between it and what follows on its other
 * side.
 */
function withSpaceAfter(run: Run): Run[] {
  const text = run.text.trimEnd();
  if (!run.isRightToLeft || text === run.text) return [run];
  return [
    { ...run, text },
    { text: ' ', font: 'sans', isRightToLeft: false },
  ];
}

function fontOf(letter: string): FontName {
  const code = letter.codePointAt(0)!;
  if (code < 0x0590) return 'sans';
  if (/^\p{scx=Arabic}/u.test(letter) && !/^\p{sc=Common}/u.test(letter)) return 'arabic';
  if (/^\p{sc=Hebrew}/u.test(letter)) return 'hebrew';
  if (/^\p{sc=Thai}/u.test(letter)) return 'thai';
  if (code < 0x1100) return 'sans';
  const slice = slices().get(code);
  return slice ?? 'sans';
}

const families = {
  han: { package: '@fontsource-variable/noto-sans-sc', file: 'noto-sans-sc' },
  hangul: { package: '@fontsource-variable/noto-sans-kr', file: 'noto-sans-kr' },
} as const;

let read: Map<number, FontName> | undefined;

/**
 * Which slice holds a code, as the packages list them; Chinese goes before Korean, which holds some
 * of the same.
 */
function slices(): Map<number, FontName> {
  if (read !== undefined) return read;
  read = new Map();
  for (const family of ['hangul', 'han'] as const) {
    const listed = require(`${families[family].package}/unicode.json`) as Record<string, string>;
    for (const [name, ranges] of Object.entries(listed)) {
      const slice = /^\[(\d+)\]$/.exec(name)?.[1];
      if (slice === undefined) continue;
      for (const range of ranges.split(',')) {
        const [from, to = from] = range.replace('U+', '').split('-');
        for (let code = parseInt(from!, 16); code <= parseInt(to!, 16); code++)
          if (isOfFamily(family, code)) read.set(code, `${family}-${slice}`);
      }
    }
  }
  return read;
}

/**
 * Below are the letters and signs that Noto Sans has; what the packages list of Hangul is true of
 * the Korean one only.
 */
function isOfFamily(family: 'han' | 'hangul', code: number): boolean {
  if (code < 0x1100 || (code >= 0x1e00 && code < 0x2190)) return false;
  return family === 'hangul' || !/\p{sc=Hangul}/u.test(String.fromCodePoint(code));
}

const files = new Map<FontName, Promise<FontFile>>();

/** Reads what the runs need; what was read once stays, for parsing takes longer than drawing. */
export async function loadFonts(runs: Run[]): Promise<Map<FontName, FontFile>> {
  const names = [...new Set<FontName>(['sans', ...runs.map(({ font }) => font)])];
  const loaded = await Promise.all(
    names.map(async (name) => [name, await loadFont(name)] as const),
  );
  return new Map(loaded);
}

function loadFont(name: FontName): Promise<FontFile> {
  let file = files.get(name);
  if (file === undefined) {
    file = readFont(name);
    files.set(name, file);
    file.catch(() => files.delete(name));
  }
  return file;
}

async function readFont(name: FontName): Promise<FontFile> {
  switch (name) {
    case 'sans':
      return plain('@embedpdf/fonts-latin', 'NotoSans');
    case 'arabic':
      return plain('@embedpdf/fonts-arabic', 'NotoNaskhArabic');
    case 'hebrew':
      return plain('@embedpdf/fonts-hebrew', 'NotoSansHebrew');
    case 'thai':
      return {
        regular: await unpacked('@fontsource-variable/noto-sans-thai', 'noto-sans-thai-thai'),
        bold: null,
        line: 0,
      };
    default: {
      const [family, slice] = name.split('-') as ['han' | 'hangul', string];
      const { package: from, file } = families[family];
      return { regular: await unpacked(from, `${file}-${slice}`), bold: null, line: THIN_LINE };
    }
  }
}

async function plain(name: string, file: string): Promise<FontFile> {
  const folder = join(dirname(require.resolve(name)), '..', 'fonts');
  const [regular, bold] = await Promise.all([
    readFile(join(folder, `${file}-Regular.ttf`)),
    readFile(join(folder, `${file}-Bold.ttf`)),
  ]);
  return { regular: parse(regular), bold: parse(bold), line: 0 };
}

/** PDFKit draws nothing from a WOFF2 file: it is unpacked first. */
async function unpacked(name: string, file: string): Promise<ParsedFont> {
  const packed = await readFile(require.resolve(`${name}/files/${file}-wght-normal.woff2`));
  return parse(Buffer.from(await decompress(packed)));
}

/**
 * Parses a font. It remembers of each glyph for which letters it was taken first, and who copies
 * text from any later paper gets those: so each is taken here for its own letter, the commonest of
 * several first. Ligatures and the like are left to be taken for the letters that they join.
 */
function parse(bytes: Buffer): ParsedFont {
  const font = create(bytes);
  if (!('characterSet' in font)) throw new Error('a file holds several fonts');
  for (const code of font.characterSet.toSorted((a, b) => a - b)) {
    const letter = String.fromCodePoint(code);
    if (code >= 0x20 && letter.normalize('NFKC') === letter.normalize('NFC'))
      font.glyphForCodePoint(code);
  }
  return font;
}
