import { once } from 'node:events';
import { PDFDocument as LoadedPdf } from '@cantoo/pdf-lib';
import { DRAWING, type Strokes } from '@gatehouse/contract/signing';
import PDFDocument from 'pdfkit';
import { loadFonts, runsOf } from './fonts.ts';
import { drawStrokes } from './strokes.ts';
import { Typesetter, type Style } from './typeset.ts';

/** A rectangle of a page, the first of which is 0, in points from its upper left corner. */
export type Area = { page: number; x: number; y: number; width: number; height: number };

/** What is printed into an area: a value, or a signature, drawn where there are `strokes`. */
export type Stamp = Area & {
  text: string;
  /** The size of its type; null for what fits. */
  size: number | null;
  signature?: { strokes: Strokes | null; caption: string };
};

const ink = { text: '#16202c', muted: '#566476', brand: '#174a7c' };
const PADDING = 2;
const SIZES = { value: 11, signature: 20, least: 4, caption: 6 };
const LEADING = 1.2;
/** From this height on a signature has its caption under it. */
const CAPTIONED = 24;

/**
 * A PDF of `readPdf` with stamps on its pages, and the pages of another one at its end. Text is set
 * in the type of other papers, in any script, as large as its area has room for.
 */
export async function stampPdf(
  pdf: Uint8Array,
  { title, at, stamps, end }: { title: string; at: Date; stamps: Stamp[]; end?: Uint8Array },
): Promise<Buffer> {
  const made = await LoadedPdf.load(pdf, { updateMetadata: false });
  const pages = made.getPages();
  const stamped = [...new Set(stamps.map(({ page }) => page))];
  const sizes = stamped.map((page) => pages[page]!.getSize());
  const layers = await drawLayers(
    stamped.map((page, index) => ({
      ...sizes[index]!,
      stamps: stamps.filter((stamp) => stamp.page === page),
    })),
    at,
  );
  const pictures = await made.embedPdf(
    layers,
    stamped.map((_, index) => index),
  );
  for (const [index, page] of stamped.entries()) pages[page]!.drawPage(pictures[index]!);
  if (end !== undefined) {
    const last = await LoadedPdf.load(end, { updateMetadata: false });
    for (const page of await made.copyPages(last, last.getPageIndices())) made.addPage(page);
  }
  made.setTitle(title, { showInWindowTitleBar: true });
  made.setCreationDate(at);
  made.setModificationDate(at);
  return Buffer.from(await made.save({ useObjectStreams: false }));
}

type Layer = { width: number; height: number; stamps: Stamp[] };

/** Pages that hold the stamps only. */
async function drawLayers(layers: Layer[], at: Date): Promise<Buffer> {
  const texts = layers.flatMap(({ stamps }) =>
    stamps.flatMap(({ text, signature }) => [text, signature?.caption ?? '']),
  );
  const fonts = await loadFonts(texts.flatMap(runsOf));
  const document = new PDFDocument({ autoFirstPage: false, font: '', info: { CreationDate: at } });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(document, 'end');
  const type = new Typesetter(document, fonts);
  for (const { width, height, stamps } of layers) {
    document.addPage({ size: [width, height], margin: 0 });
    for (const stamp of stamps) drawStamp(document, type, stamp);
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawStamp(document: PDFKit.PDFDocument, type: Typesetter, stamp: Stamp): void {
  const { text, signature } = stamp;
  if (signature === undefined) {
    const most = stamp.size ?? SIZES.value;
    printIn(type, text, stamp, { size: most, isBold: false, colour: ink.text });
    return;
  }
  const hasCaption = stamp.height >= CAPTIONED;
  const height = stamp.height - (hasCaption ? SIZES.caption * LEADING : 0);
  const { strokes, caption } = signature;
  if (strokes === null)
    printIn(
      type,
      text,
      { ...stamp, height },
      { size: SIZES.signature, isBold: false, colour: ink.brand },
    );
  else {
    const scale = Math.min(stamp.width / DRAWING.width, height / DRAWING.height);
    drawStrokes(document, strokes, { left: stamp.x, top: stamp.y, scale, colour: ink.text });
  }
  if (!hasCaption) return;
  const below = { ...stamp, y: stamp.y + height, height: stamp.height - height };
  printIn(type, caption, below, { size: SIZES.caption, isBold: false, colour: ink.muted });
}

/** In the largest type up to the style's in which the lines have room, or else in the least. */
function printIn(type: Typesetter, text: string, area: Area, most: Style): void {
  const width = area.width - 2 * PADDING;
  let style = most;
  const lines = () => type.linesOf(text, width, style);
  while (style.size > SIZES.least && lines().length * style.size * LEADING > area.height)
    style = { ...style, size: style.size - 0.5 };
  const printed = lines();
  const top = area.y + (area.height - printed.length * style.size * LEADING) / 2;
  for (const [row, line] of printed.entries())
    type.print(line, area.x + PADDING, top + row * style.size * LEADING + style.size, style);
}
