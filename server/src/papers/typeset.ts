import { lettersOf, runsOf, type FontFile, type FontName, type Run } from './fonts.ts';

export type Style = { size: number; isBold: boolean; colour: string };

/** Bold where there is no bold file: a line around the outlines, in parts of the size. */
const BOLD_LINE = 0.035;

/** Sets text on a PDF's pages, each letter in the font that has it. */
export class Typesetter {
  private readonly document: PDFKit.PDFDocument;
  private readonly fonts: Map<FontName, FontFile>;
  private readonly registered = new Set<string>();

  constructor(document: PDFKit.PDFDocument, fonts: Map<FontName, FontFile>) {
    this.document = document;
    this.fonts = fonts;
  }

  widthOf(text: string, style: Style): number {
    return runsOf(text).reduce((width, run) => width + this.widthOfRun(run, style), 0);
  }

  /**
   * The lines of a text in a width: broken between words, and within a word that is longer than a
   * line.
   */
  linesOf(text: string, width: number, style: Style): string[] {
    const lines: string[] = [];
    let line = '';
    const fits = (text: string) => this.widthOf(text, style) <= width;
    for (const word of text.split(/\s+/u).filter((part) => part !== '')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = '';
      for (const letter of fits(word) ? [word] : lettersOf(word)) {
        if (line !== '' && !fits(line + letter)) {
          lines.push(line);
          line = '';
        }
        line += letter;
      }
    }
    if (line !== '' || lines.length === 0) lines.push(line);
    return lines;
  }

  /** Prints one line with its baseline at `y`. */
  print(text: string, x: number, y: number, style: Style): void {
    let at = x;
    for (const run of runsOf(text)) {
      const line = this.take(run.font, style);
      const isLined = line > 0;
      this.document.fillColor(style.colour);
      if (isLined)
        this.document
          .strokeColor(style.colour)
          .lineWidth(line * style.size)
          .lineJoin('round');
      this.document.text(run.text, at, y, {
        lineBreak: false,
        baseline: 'alphabetic',
        fill: true,
        stroke: isLined,
        ...wholeRun(run),
      });
      at += this.widthOfRun(run, style);
    }
  }

  private widthOfRun(run: Run, style: Style): number {
    this.take(run.font, style);
    return this.document.widthOfString(run.text, wholeRun(run));
  }

  /**
   * Makes a font the document's; answers how thick a line its weight needs, in parts of the size.
   */
  private take(name: FontName, { size, isBold }: Style): number {
    const file = this.fonts.get(name);
    if (file === undefined) throw new Error(`the font ${name} was not loaded`);
    const hasBold = isBold && file.bold !== null;
    const registered = hasBold ? `${name} bold` : name;
    if (!this.registered.has(registered)) {
      // PDFKit takes a parsed font too; its types do not know.
      this.document.registerFont(
        registered,
        (hasBold ? file.bold : file.regular) as unknown as Buffer,
      );
      this.registered.add(registered);
    }
    this.document.font(registered).fontSize(size);
    return file.line + (isBold && !hasBold ? BOLD_LINE : 0);
  }
}

/**
 * PDFKit shapes word by word, which would leave the words of what reads from the right in the wrong
 * order.
 */
function wholeRun(run: Run): { features?: [] } {
  return run.isRightToLeft ? { features: [] } : {};
}
