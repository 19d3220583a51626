import { once } from 'node:events';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import PDFDocument from 'pdfkit';
import { loadFonts, runsOf } from './fonts.ts';
import { textsOf, type Block, type Cell, type Paper, type Row } from './paper.ts';
import { Typesetter, type Style } from './typeset.ts';

// US Letter, in points.
const PAGE = { width: 612, height: 792, margin: 54, foot: 48 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const BOTTOM = PAGE.height - PAGE.margin - PAGE.foot;
const MONEY_WIDTH = 86;
const LABEL_WIDTH = 130;
const GAP = 12;
const ROW_SPACE = 5;

const ink = { text: '#16202c', muted: '#566476', brand: '#174a7c', line: '#d8e0ea', notice: '#fdf3d7' };
const styles = {
  issuer: { size: 11, isBold: true, colour: ink.brand },
  title: { size: 20, isBold: true, colour: ink.text },
  heading: { size: 12, isBold: true, colour: ink.text },
  text: { size: 10, isBold: false, colour: ink.text },
  strong: { size: 10, isBold: true, colour: ink.text },
  muted: { size: 10, isBold: false, colour: ink.muted },
  small: { size: 8.5, isBold: false, colour: ink.muted },
} satisfies Record<string, Style>;

/** From one baseline to the next. */
const leading = ({ size }: Style) => size * 1.45;

/** Draws a paper as a PDF. A letter that no font has prints as a box. */
export async function drawPaper(paper: Paper): Promise<Buffer> {
  const fonts = await loadFonts(textsOf(paper).flatMap(runsOf));
  const document = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    // None: PDFKit would read Helvetica for each paper.
    font: '',
    bufferPages: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: paper.title, Author: paper.issuer, CreationDate: paper.at },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(document, 'end');
  new Pen(document, new Typesetter(document, fonts)).draw(paper);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

/** Goes down the page and on to the next. */
class Pen {
  private y = PAGE.margin;
  private readonly document: PDFKit.PDFDocument;
  private readonly type: Typesetter;

  constructor(document: PDFKit.PDFDocument, type: Typesetter) {
    this.document = document;
    this.type = type;
  }

  draw(paper: Paper): void {
    this.write(paper.issuer, styles.issuer);
    this.y += 6;
    this.write(paper.title, styles.title);
    this.rule();
    for (const block of paper.blocks) this.drawBlock(block);
    this.drawFeet(paper);
  }

  private drawBlock(block: Block): void {
    switch (block.kind) {
      case 'heading':
        this.y += GAP;
        this.keep(60);
        this.write(block.text, styles.heading);
        this.y += 2;
        return;
      case 'paragraph':
        this.write(block.text, styles.text);
        this.y += GAP / 2;
        return;
      case 'notice':
        this.drawNotice(block.text);
        return;
      case 'facts':
        for (const [label, value] of block.facts) this.drawFact(label, value);
        this.y += GAP;
        return;
      case 'columns':
        this.drawColumns(block.columns);
        return;
      case 'rows':
        this.drawRows(block.head, block.rows);
        return;
    }
  }

  private drawNotice(text: string): void {
    const lines = this.type.linesOf(text, WIDTH - 2 * GAP, styles.text);
    const height = lines.length * leading(styles.text) + GAP;
    this.keep(height + GAP);
    this.document.rect(PAGE.margin, this.y, WIDTH, height).fill(ink.notice);
    this.y += GAP / 2;
    this.print(lines, PAGE.margin + GAP, styles.text);
    this.y += GAP * 1.5;
  }

  private drawFact(label: string, value: string): void {
    const labels = this.type.linesOf(label, LABEL_WIDTH - GAP, styles.muted);
    const values = this.type.linesOf(value, WIDTH - LABEL_WIDTH, styles.text);
    const height = Math.max(labels.length, values.length) * leading(styles.text);
    this.keep(height);
    this.printAt(labels, PAGE.margin, this.y, styles.muted);
    this.printAt(values, PAGE.margin + LABEL_WIDTH, this.y, styles.text);
    this.y += height + 2;
  }

  private drawColumns(columns: { title: string; lines: string[] }[]): void {
    const width = WIDTH / columns.length;
    const drawn = columns.map(({ title, lines }) => ({
      titles: this.type.linesOf(title, width - GAP, styles.muted),
      lines: lines.flatMap((line) => this.type.linesOf(line, width - GAP, styles.text)),
    }));
    const rows = Math.max(...drawn.map(({ titles, lines }) => titles.length + lines.length));
    const height = rows * leading(styles.text);
    this.keep(height);
    for (const [index, { titles, lines }] of drawn.entries()) {
      const x = PAGE.margin + index * width;
      this.printAt(titles, x, this.y, styles.muted);
      this.printAt(lines, x, this.y + titles.length * leading(styles.muted), styles.text);
    }
    this.y += height + GAP;
  }

  private drawRows(head: string[], rows: Row[]): void {
    this.drawRow({ cells: head }, styles.small);
    for (const row of rows) this.drawRow(row, row.look === 'strong' ? styles.strong : styles.text, head);
    this.y += GAP;
  }

  /** Draws a row, and a line over it unless it is a part of the row above; on a new page under the head again. */
  private drawRow({ cells, look }: Row, style: Style, head?: string[]): void {
    const [first = '', ...rest] = cells;
    const indent = look === 'part' ? GAP : 0;
    const shown = look === 'part' ? styles.muted : style;
    const width = WIDTH - rest.length * MONEY_WIDTH - indent - GAP;
    const lines = this.type.linesOf(printed(first), width, shown);
    const columns = rest.map((cell) => this.type.linesOf(printed(cell), MONEY_WIDTH - 6, shown));
    const height = Math.max(lines.length, ...columns.map((column) => column.length)) * leading(shown) + ROW_SPACE;
    if (this.keep(height) && head !== undefined) this.drawRow({ cells: head }, styles.small);
    if (head !== undefined && look !== 'part') this.hairline(this.y - ROW_SPACE / 2);
    this.printAt(lines, PAGE.margin + indent, this.y, shown);
    for (const [index, column] of columns.entries()) {
      const right = PAGE.margin + WIDTH - (columns.length - 1 - index) * MONEY_WIDTH;
      for (const [row, text] of column.entries())
        this.type.print(text, right - this.type.widthOf(text, shown), this.baseline(this.y, row, shown), shown);
    }
    this.y += height;
  }

  private drawFeet({ issuer, title }: Paper): void {
    const { count } = this.document.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.document.switchToPage(page);
      const number = `Page ${page + 1} of ${count}`;
      const y = PAGE.height - PAGE.margin;
      const right = PAGE.width - PAGE.margin - this.type.widthOf(number, styles.small);
      const [foot = ''] = this.type.linesOf(`${issuer} · ${title}`, right - PAGE.margin - GAP, styles.small);
      this.type.print(foot, PAGE.margin, y, styles.small);
      this.type.print(number, right, y, styles.small);
    }
  }

  private write(text: string, style: Style): void {
    this.print(this.type.linesOf(text, WIDTH, style), PAGE.margin, style);
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
    for (const [row, line] of lines.entries()) this.type.print(line, x, this.baseline(y, row, style), style);
  }

  private baseline(y: number, row: number, style: Style): number {
    return y + row * leading(style) + style.size * 1.05;
  }

  private rule(): void {
    this.y += GAP / 2;
    this.document.rect(PAGE.margin, this.y, WIDTH, 1.5).fill(ink.brand);
    this.y += GAP * 1.25;
  }

  private hairline(y: number): void {
    this.document.rect(PAGE.margin, y, WIDTH, 0.5).fill(ink.line);
  }

  /** Goes on to a new page where less than `height` is left on this one; answers whether it did. */
  private keep(height: number): boolean {
    if (this.y + height <= BOTTOM || this.y === PAGE.margin) return false;
    this.document.addPage();
    this.y = PAGE.margin;
    return true;
  }
}

function printed(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? cell : formatMoney(toDollars(cell.cents));
}
