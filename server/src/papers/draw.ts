import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { locale } from '@gatehouse/language/language';
import { DRAWING } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import PDFDocument from 'pdfkit';
import { loadFonts, runsOf } from './fonts.ts';
import { drawStrokes } from './strokes.ts';
import { textsOf, type Block, type Cell, type Paper, type Row } from './paper.ts';
import { Typesetter, type Style } from './typeset.ts';

// US Letter, in points.
const PAGE = { width: 612, height: 792, margin: 54, foot: 48 };
const MONEY_WIDTH = 86;
const LABEL_WIDTH = 130;
/** The least of a table's first column. */
const FIRST_WIDTH = 84;
const GAP = 12;
const ROW_SPACE = 5;
const MARK_HEIGHT = 44;
/** Blocks, rows and pages that are drawn in one turn, in some milliseconds. */
const PARTS_OF_A_TURN = 10;
/**
 * Where an address is seen through the window of a US #10 envelope (4 1/8 by 9 1/2 inches, window
 * 4 1/2 by 1 1/8, 7/8 from the left and 1/2 from below) however a sheet folded in three moves in
 * it. Nothing else may be printed where the window can be, up to `end`, which is the fold.
 */
const WINDOW = { x: 63, y: 180, width: 252, height: 48, end: 264 };

const ink = {
  text: '#16202c',
  muted: '#566476',
  brand: '#174a7c',
  line: '#d8e0ea',
  notice: '#fdf3d7',
};
const styles = {
  issuer: { size: 11, isBold: true, colour: ink.brand },
  title: { size: 20, isBold: true, colour: ink.text },
  heading: { size: 12, isBold: true, colour: ink.text },
  text: { size: 10, isBold: false, colour: ink.text },
  strong: { size: 10, isBold: true, colour: ink.text },
  muted: { size: 10, isBold: false, colour: ink.muted },
  mark: { size: 20, isBold: false, colour: ink.brand },
  small: { size: 8.5, isBold: false, colour: ink.muted },
  smallText: { size: 8.5, isBold: false, colour: ink.text },
  smallStrong: { size: 8.5, isBold: true, colour: ink.text },
} satisfies Record<string, Style>;

const WINDOW_LEADING = 1.2;
/** As many as end above the window. */
const LETTERHEAD_LINES = 7;

/** From one baseline to the next. */
const leading = ({ size }: Style) => size * 1.45;

/**
 * Draws a paper as a PDF, tagged for screen readers: headings, paragraphs and tables in their
 * order. A letter that no font has prints as a box. Thousands of rows take seconds, in turns with
 * what else the process does.
 */
export async function drawPaper(paper: Paper): Promise<Buffer> {
  const fonts = await loadFonts(textsOf(paper).flatMap(runsOf));
  const document = new PDFDocument({
    size: paper.isWide ? [PAGE.height, PAGE.width] : [PAGE.width, PAGE.height],
    margin: 0,
    // None: PDFKit would read Helvetica for each paper.
    font: '',
    bufferPages: true,
    // The first with structure elements in each page's order.
    pdfVersion: '1.5',
    lang: locale(),
    tagged: true,
    displayTitle: true,
    info: { Title: paper.title, Author: paper.issuer, CreationDate: paper.at },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(document, 'end');
  await new Pen(document, new Typesetter(document, fonts), paper.isWide ?? false).draw(paper);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

/** A text and the lines that it is printed in. */
type Printed = { text: string; lines: string[] };

/** PDFKit's types lack the scope, and what may be left out may be undefined here. */
type ElementOptions = { scope: 'Row' | 'Column' | undefined; actual: string | undefined };

/** Goes down the page and on to the next. */
class Pen {
  private y = PAGE.margin;
  private parts = 0;
  private readonly document: PDFKit.PDFDocument;
  private readonly type: Typesetter;
  /** All that screen readers read, in its order. */
  private readonly root: PDFKit.PDFStructureElement;

  private readonly isWide: boolean;
  private readonly width: number;
  private readonly bottom: number;

  constructor(document: PDFKit.PDFDocument, type: Typesetter, isWide: boolean) {
    this.isWide = isWide;
    this.width = (isWide ? PAGE.height : PAGE.width) - 2 * PAGE.margin;
    this.bottom = (isWide ? PAGE.width : PAGE.height) - PAGE.margin - PAGE.foot;
    this.document = document;
    this.type = type;
    this.root = document.struct('Document');
    document.addStructure(this.root);
  }

  async draw(paper: Paper): Promise<void> {
    if (!paper.isOfLetters) {
      this.write('P', paper.issuer, styles.issuer);
      this.y += 6;
      this.write('H1', paper.title, styles.title);
      this.rule();
    }
    for (const block of paper.blocks) {
      await this.drawBlock(block);
      await this.endPart();
    }
    this.root.end();
    if (!paper.isOfLetters) await this.drawFeet(paper);
  }

  private async endPart(): Promise<void> {
    this.parts += 1;
    if (this.parts % PARTS_OF_A_TURN === 0) await nextTurn();
  }

  private async drawBlock(block: Block): Promise<void> {
    switch (block.kind) {
      case 'heading':
        this.y += GAP;
        this.keep(60);
        this.write('H2', block.text, styles.heading);
        this.y += 2;
        return;
      case 'paragraph':
        this.write('P', block.text, styles.text);
        this.y += GAP / 2;
        return;
      case 'notice':
        this.drawNotice(block.text);
        return;
      case 'facts':
        this.drawFacts(block.facts);
        this.y += GAP;
        return;
      case 'columns':
        this.drawColumns(block.columns);
        return;
      case 'rows':
        await this.drawRows(block.head, block.rows);
        return;
      case 'mark':
        this.drawMark(block);
        return;
      case 'letter':
        this.beginLetter(block);
        return;
      case 'page':
        this.turn();
        return;
    }
  }

  private drawNotice(text: string): void {
    const lines = this.type.linesOf(text, this.width - 2 * GAP, styles.text);
    const height = lines.length * leading(styles.text) + GAP;
    this.keep(height + GAP);
    this.decorate(() =>
      this.document.rect(PAGE.margin, this.y, this.width, height).fill(ink.notice),
    );
    this.y += GAP / 2;
    const print = () => this.print(lines, PAGE.margin + GAP, styles.text);
    this.root.add(this.tag('P', { text, lines }, print));
    this.y += GAP * 1.5;
  }

  private drawFacts(facts: [label: string, value: string][]): void {
    const table = this.begin('Table');
    for (const [label, value] of facts) {
      const labels = this.type.linesOf(label, LABEL_WIDTH - GAP, styles.muted);
      const values = this.type.linesOf(value, this.width - LABEL_WIDTH, styles.text);
      const height = Math.max(labels.length, values.length) * leading(styles.text);
      this.keep(height);
      const printLabels = () => this.printAt(labels, PAGE.margin, this.y, styles.muted);
      const printValues = () =>
        this.printAt(values, PAGE.margin + LABEL_WIDTH, this.y, styles.text);
      const row = this.begin('TR', table);
      row.add(this.tag('TH', { text: label, lines: labels }, printLabels, 'Row'));
      row.add(this.tag('TD', { text: value, lines: values }, printValues));
      this.y += height + 2;
    }
  }

  private drawColumns(columns: { title: string; lines: string[] }[]): void {
    const width = this.width / columns.length;
    const setIn = (text: string, style: Style): Printed & { style: Style } => ({
      text,
      style,
      lines: this.type.linesOf(text, width - GAP, style),
    });
    const drawn = columns.map(({ title, lines }) => [
      setIn(title, styles.muted),
      ...lines.map((line) => setIn(line, styles.text)),
    ]);
    const height = Math.max(...drawn.map(heightOf));
    this.keep(height);
    for (const [index, texts] of drawn.entries()) {
      const column = this.begin('Div');
      let y = this.y;
      for (const { style, ...text } of texts) {
        const print = () => this.printAt(text.lines, PAGE.margin + index * width, y, style);
        column.add(this.tag('P', text, print));
        y += heightOf([{ style, ...text }]);
      }
    }
    this.y += height + GAP;
  }

  private async drawRows(head: string[], rows: Row[]): Promise<void> {
    const table = this.begin('Table');
    this.drawRow(table, { cells: head }, styles.small);
    for (const row of rows) {
      this.drawRow(table, row, this.styleOf(row), head);
      await this.endPart();
    }
    this.y += GAP;
  }

  private styleOf({ look }: Row): Style {
    if (this.isWide) return look === 'strong' ? styles.smallStrong : styles.smallText;
    return look === 'strong' ? styles.strong : styles.text;
  }

  /**
   * Draws a row, and a line over it unless it is a part of the row above; on a new page under the
   * head again, which screen readers skip there (`table` null).
   */
  private drawRow(
    table: PDFKit.PDFStructureElement | null,
    { cells, look }: Row,
    style: Style,
    head?: string[],
  ): void {
    const [first = '', ...rest] = cells;
    const indent = look === 'part' ? GAP : 0;
    const shown = look === 'part' ? styles.muted : style;
    // Of many columns each has its share of what the first one leaves.
    const each = Math.min(MONEY_WIDTH, (this.width - FIRST_WIDTH) / rest.length);
    const width = this.width - rest.length * each - indent - GAP;
    const lines = this.type.linesOf(printed(first), width, shown);
    const columns = rest.map((cell) => this.type.linesOf(printed(cell), each - 6, shown));
    const height =
      Math.max(lines.length, ...columns.map((column) => column.length)) * leading(shown) +
      ROW_SPACE;
    if (this.keep(height) && head !== undefined) this.drawRow(null, { cells: head }, styles.small);
    if (head !== undefined && look !== 'part') this.hairline(this.y - ROW_SPACE / 2);
    const printFirst = () => this.printAt(lines, PAGE.margin + indent, this.y, shown);
    const printColumn = (column: string[], index: number) => {
      const right = PAGE.margin + this.width - (columns.length - 1 - index) * each;
      for (const [row, text] of column.entries())
        this.type.print(
          text,
          right - this.type.widthOf(text, shown),
          this.baseline(this.y, row, shown),
          shown,
        );
    };
    if (table === null) {
      this.decorate(() => {
        printFirst();
        columns.forEach(printColumn);
      });
    } else {
      const row = this.begin('TR', table);
      const scope = head === undefined ? 'Column' : 'Row';
      row.add(this.tag('TH', { text: printed(first), lines }, printFirst, scope));
      for (const [index, column] of columns.entries()) {
        const cell = { text: printed(rest[index]!), lines: column };
        const print = () => printColumn(column, index);
        const isHead = head === undefined;
        row.add(this.tag(isHead ? 'TH' : 'TD', cell, print, isHead ? scope : undefined));
      }
    }
    this.y += height;
  }

  /** A signature on its line, and under it who signed and when. */
  private drawMark({ text, strokes, caption }: Extract<Block, { kind: 'mark' }>): void {
    this.y += GAP / 2;
    this.keep(MARK_HEIGHT + leading(styles.small));
    const y = this.y;
    const isDrawn = strokes !== null;
    const printMark = () => {
      const scale = MARK_HEIGHT / DRAWING.height;
      const drawn = { left: PAGE.margin, top: y, scale, colour: ink.text };
      if (isDrawn) drawStrokes(this.document, strokes, drawn);
      else this.printAt([text], PAGE.margin, y + MARK_HEIGHT - leading(styles.mark), styles.mark);
    };
    this.root.add(this.tag(isDrawn ? 'Figure' : 'P', { text, lines: [text, text] }, printMark));
    this.y = y + MARK_HEIGHT;
    this.decorate(() =>
      this.document.rect(PAGE.margin, this.y, this.width / 2, 0.5).fill(ink.muted),
    );
    this.write('P', caption, styles.small);
    this.y += GAP / 2;
  }

  /** The sender's lines, then the address in the window; what follows is below the fold. */
  private beginLetter({ from, to }: Extract<Block, { kind: 'letter' }>): void {
    if (this.y !== PAGE.margin) this.turn();
    const letterhead = from.flatMap((line) => this.type.linesOf(line, this.width, styles.small));
    for (const line of letterhead.slice(0, LETTERHEAD_LINES)) this.write('P', line, styles.small);
    const { style, lines } = this.inWindow(to);
    const address = this.begin('Div');
    for (const [row, line] of lines.entries()) {
      const y = WINDOW.y + row * style.size * WINDOW_LEADING;
      const print = () => this.type.print(line, WINDOW.x, y + style.size, style);
      address.add(this.tag('P', { text: line, lines: [line] }, print));
    }
    this.y = WINDOW.end + GAP;
  }

  /** The lines of an address in the largest type in which they fit the window. */
  private inWindow(to: string[]): { style: Style; lines: string[] } {
    const inSize = (size: number) => {
      const style = { ...styles.text, size };
      return { style, lines: to.flatMap((line) => this.type.linesOf(line, WINDOW.width, style)) };
    };
    const sizes = [10, 9, 8, 7, 6].map(inSize);
    return (
      sizes.find(
        ({ style, lines }) => lines.length * style.size * WINDOW_LEADING <= WINDOW.height,
      ) ?? sizes.at(-1)!
    );
  }

  private async drawFeet({ issuer, title }: Paper): Promise<void> {
    const { count } = this.document.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.document.switchToPage(page);
      const number = t('Page {page} of {count}', { page: page + 1, count });
      const y = this.bottom + PAGE.foot;
      const right = PAGE.margin + this.width - this.type.widthOf(number, styles.small);
      const [foot = ''] = this.type.linesOf(
        `${issuer} · ${title}`,
        right - PAGE.margin - GAP,
        styles.small,
      );
      this.decorate(() => {
        this.type.print(foot, PAGE.margin, y, styles.small);
        this.type.print(number, right, y, styles.small);
      }, 'Pagination');
      await this.endPart();
    }
  }

  /** Prints a text across the page, as an element of the paper. */
  private write(tag: string, text: string, style: Style): void {
    const lines = this.type.linesOf(text, this.width, style);
    this.root.add(this.tag(tag, { text, lines }, () => this.print(lines, PAGE.margin, style)));
  }

  /** An element that holds others. */
  private begin(tag: string, parent = this.root): PDFKit.PDFStructureElement {
    const element = this.document.struct(tag);
    parent.add(element);
    return element;
  }

  /** An element with what `print` prints: `text`, in as many lines as it needs. */
  private tag(
    tag: string,
    { text, lines }: Printed,
    print: () => void,
    scope?: 'Row' | 'Column',
  ): PDFKit.PDFStructureElement {
    // Printed lines have no space between them.
    const options: ElementOptions = { scope, actual: lines.length > 1 ? text : undefined };
    if (text === '') return this.document.struct(tag, options);
    const content = this.document.markStructureContent(tag);
    print();
    this.document.endMarkedContent();
    return this.document.struct(tag, options, content);
  }

  /** Prints what screen readers skip. */
  private decorate(print: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.document.markContent('Artifact', { type });
    print();
    this.document.endMarkedContent();
  }

  /** Prints lines and goes down by each, on to the next page where one is full. */
  private print(lines: string[], x: number, style: Style): void {
    for (const line of lines) {
      this.keep(leading(style));
      this.printAt([line], x, this.y, style);
      this.y += leading(style);
    }
  }

  private printAt(lines: string[], x: number, y: number, style: Style): void {
    for (const [row, line] of lines.entries())
      this.type.print(line, x, this.baseline(y, row, style), style);
  }

  private baseline(y: number, row: number, style: Style): number {
    return y + row * leading(style) + style.size * 1.05;
  }

  private rule(): void {
    this.y += GAP / 2;
    this.decorate(() => this.document.rect(PAGE.margin, this.y, this.width, 1.5).fill(ink.brand));
    this.y += GAP * 1.25;
  }

  private hairline(y: number): void {
    this.decorate(() => this.document.rect(PAGE.margin, y, this.width, 0.5).fill(ink.line));
  }

  /** Goes on to a new page where less than `height` is left on this one; answers whether it did. */
  private keep(height: number): boolean {
    if (this.y + height <= this.bottom || this.y === PAGE.margin) return false;
    this.turn();
    return true;
  }

  /** On to a new page, with the element that is being printed, which continues there. */
  private turn(): void {
    this.document.continueOnNewPage();
    this.y = PAGE.margin;
  }
}

function heightOf(texts: (Printed & { style: Style })[]): number {
  return texts.reduce((height, { lines, style }) => height + lines.length * leading(style), 0);
}

function printed(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? cell : formatMoney(toDollars(cell.cents));
}
