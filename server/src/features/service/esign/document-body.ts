import type { DocumentBlock } from '@gatehouse/contract/signing';
import { fillForm, parseForm, type FieldValues } from './form.ts';
import { blocksOfPdf, fillPdfForm, type PdfDocument, type PdfForm } from './pdf-form.ts';

/** A document as its signers read it: the parts of a text, or what is filled in on a PDF. */
export type DocumentBody = DocumentBlock[] | PdfDocument;

/** What a form has before its fields are filled in. Refuses as parseForm does. */
export function partsOf({ body, pages }: { body: string; pages: number | null }) {
  // Written by forms.add.
  return pages === null
    ? parseForm(body)
    : ({ pages, marks: JSON.parse(body) as PdfForm['marks'] } satisfies PdfForm);
}

export function fillParts(parts: DocumentBlock[] | PdfForm, values: FieldValues): DocumentBody {
  return Array.isArray(parts) ? fillForm(parts, values) : fillPdfForm(parts, values);
}

export function bodyOf(body: string): DocumentBody {
  // Written by insertDocument.
  return JSON.parse(body) as DocumentBody;
}

/** What a page of a text shows; of a PDF its places only. */
export function blocksOf(body: DocumentBody | PdfForm): DocumentBlock[] {
  return Array.isArray(body) ? body : blocksOfPdf(body);
}
