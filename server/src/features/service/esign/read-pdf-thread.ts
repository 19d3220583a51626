import { parentPort, workerData } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import {
  EncryptedPDFError,
  PDFAcroPushButton,
  PDFAcroTerminal,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFAcroForm,
  type PDFPage,
} from '@cantoo/pdf-lib';
import { PDF_DAMAGED, type NamedPlace, type PdfAnswer, type ReadPdf } from './read-pdf.ts';

const MOST_PAGES = 50;
/** Of all that is packed in a file, unpacked. */
const MOST_UNPACKED = 128 * 1024 * 1024;
/** As large as a value is printed, in points. */
const LARGEST_TYPE = 72;
/** What a page keeps: what it inherits is found by its parent. */
const KEPT = ['Type', 'Parent', 'Contents', 'Resources', 'MediaBox', 'CropBox', 'Rotate'];

/** What is wrong with the file, in a sentence for the member of staff. */
class Fault extends Error {}

/** The thread of one PDF: one file, one answer (read-pdf.ts). */
async function answer(bytes: Uint8Array): Promise<PdfAnswer> {
  try {
    return { read: await read(bytes) };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    if (error instanceof EncryptedPDFError)
      return { fault: 'The PDF is protected: save it without a password.' };
    throw error;
  }
}

async function read(bytes: Uint8Array): Promise<ReadPdf> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // The library takes what is left of a file that was cut off.
  if (!file.includes('%%EOF', -1024)) throw new Fault(PDF_DAMAGED);
  refuseBomb(file);
  const given = await PDFDocument.load(bytes, { updateMetadata: false });
  const form = given.catalog.getAcroForm();
  if (form?.dict.has(PDFName.of('XFA')))
    throw new Fault('The PDF is an XFA form: save it as a plain PDF form (AcroForm).');
  if (given.getPageCount() === 0) throw new Fault(PDF_DAMAGED);
  if (given.getPageCount() > MOST_PAGES)
    throw new Fault(`The PDF has more than ${MOST_PAGES} pages.`);
  const pages = given.getPages();
  const places = form === undefined ? [] : placesOf(form, pages);
  for (const { node } of pages)
    for (const key of node.keys()) if (!KEPT.includes(key.decodeText())) node.delete(key);
  return { pdf: await printedPages(pages), pages: pages.length, places };
}

/**
 * Refuses a file that unpacks to more than its pages can need. What is packed in an unusual way is
 * left to the time that the thread has.
 */
function refuseBomb(bytes: Buffer): void {
  let left = MOST_UNPACKED;
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at + 6)) {
    const from = at + (bytes[at + 6] === 0x0d ? 8 : 7);
    try {
      left -= inflateSync(bytes.subarray(from), { maxOutputLength: left }).length;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        throw new Fault('The PDF takes too much memory: save it in a simpler way.');
      // Not packed, or not in this way.
    }
    if (left <= 0) throw new Fault('The PDF takes too much memory: save it in a simpler way.');
  }
}

/** Where each field of the form is shown, from the first page's top to the last one's end. */
function placesOf(form: PDFAcroForm, pages: PDFPage[]): NamedPlace[] {
  const pageOf = new Map<PDFDict, number>();
  for (const [page, { node }] of pages.entries()) {
    const shown = node.Annots();
    for (let index = 0; index < (shown?.size() ?? 0); index++) {
      const annotation = shown!.lookup(index);
      if (annotation instanceof PDFDict) pageOf.set(annotation, page);
    }
  }
  const places: NamedPlace[] = [];
  for (const [field] of form.getAllFields()) {
    // A button that prints or sends the form is none to fill in.
    if (!(field instanceof PDFAcroTerminal) || field instanceof PDFAcroPushButton) continue;
    const name = field.getFullyQualifiedName() ?? '';
    for (const widget of field.getWidgets()) {
      const page = pageOf.get(widget.dict);
      if (page === undefined) continue;
      if (pages[page]!.getRotation().angle % 360 !== 0)
        throw new Fault(`Page ${page + 1} is turned, and has places: save it upright.`);
      const { x, y, width, height } = widget.getRectangle();
      const box = pages[page]!.getCropBox();
      const style = widget.getDefaultAppearance() ?? field.getDefaultAppearance() ?? '';
      const size = Number(/(\d[\d.]{0,9})\s{1,9}Tf/.exec(style)?.[1] ?? 0);
      places.push({
        name,
        page,
        x: x - box.x,
        y: box.y + box.height - y - height,
        width,
        height,
        size: size > 0 ? Math.min(size, LARGEST_TYPE) : null,
      });
    }
  }
  return places.sort((a, b) => a.page - b.page || a.y - b.y || a.x - b.x);
}

/** The pages as pictures of themselves in a new document. */
async function printedPages(pages: PDFPage[]): Promise<Uint8Array> {
  const made = await PDFDocument.create({ updateMetadata: false });
  const printed = pages.filter(({ node }) => node.Contents() !== undefined);
  const embedded = await made.embedPages(
    printed,
    printed.map((page) => {
      const { x, y, width, height } = page.getCropBox();
      return { left: x, bottom: y, right: x + width, top: y + height };
    }),
  );
  for (const page of pages) {
    const { width, height } = page.getCropBox();
    const copy = made.addPage([width, height]);
    copy.setRotation(page.getRotation());
    const picture = embedded[printed.indexOf(page)];
    if (picture !== undefined) copy.drawPage(picture);
  }
  return made.save({ useObjectStreams: false, addDefaultPage: false });
}

parentPort!.postMessage(await answer(workerData as Uint8Array));
