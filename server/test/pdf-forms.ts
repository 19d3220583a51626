import { PDFDocument, PDFName, PDFString, degrees, type PDFForm } from '@cantoo/pdf-lib';

type Field = { name: string; page?: number; y: number; height?: number };

/** An operator's PDF with text fields of these names, and what else `change` does to it. */
export async function pdfForm(
  fields: Field[],
  change: (document: PDFDocument, form: PDFForm) => unknown = () => undefined,
): Promise<Buffer> {
  const document = await PDFDocument.create();
  const form = document.getForm();
  const pages = Math.max(0, ...fields.map(({ page = 0 }) => page)) + 1;
  for (let page = 0; page < pages; page++)
    document.addPage([612, 792]).drawText(`Lease, page ${page + 1}`, { x: 72, y: 740 });
  for (const { name, page = 0, y, height = 20 } of fields)
    form
      .createTextField(name)
      .addToPage(document.getPage(page), { x: 72, y: 792 - y - height, width: 240, height });
  await change(document, form);
  // Without streams of objects, so that a test finds what it changes.
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** The fields of a lease of two pages, named as programs name them. */
export const LEASE: Field[] = [
  { name: 'TENANT', y: 100 },
  { name: 'lease.MonthlyRent', y: 130 },
  { name: 'Unit 1', y: 160 },
  { name: 'initials', y: 200 },
  { name: 'Signature', page: 1, y: 100, height: 40 },
];

export const asDataUrl = (bytes: Buffer) =>
  `data:application/pdf;base64,${bytes.toString('base64')}`;

/** What a hostile PDF does when it is opened. */
export function addScript(document: PDFDocument): void {
  document.addJavaScript('main', 'app.alert(1)');
  const action = { Type: 'Action', S: 'JavaScript', JS: PDFString.of('app.alert(2)') };
  document.catalog.set(PDFName.of('OpenAction'), document.context.obj(action));
  document.getPage(0).node.set(PDFName.of('AA'), document.context.obj({ O: action }));
}

export function turn(document: PDFDocument): void {
  document.getPage(0).setRotation(degrees(90));
}
