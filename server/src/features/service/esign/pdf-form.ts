import type { DocumentBlock } from '@gatehouse/contract/signing';
import { bytesOf } from '#features/base/images/data-url.ts';
import { Refusal } from '#errors/refusal.ts';
import type { Area } from '#papers/stamp-pdf.ts';
import { fieldNames, places, type FieldName, type FieldValues } from './form.ts';
import { readPdf, type ReadPdf } from './read-pdf.ts';

type Place = Extract<DocumentBlock, { kind: 'place' }>;
type Sized = Area & { size: number | null };

/** What is filled in where on the pages of an operator's PDF, as its form keeps it. */
export type PdfForm = {
  pages: number;
  marks: ((Sized & { kind: 'field'; field: FieldName }) | (Area & Place))[];
};
/** That of a document, with its fields filled in. */
export type PdfDocument = {
  pages: number;
  marks: ((Sized & { kind: 'text'; text: string }) | (Area & Place))[];
};

/** A place of a PDF by its name there, and what it is for, in the words of a text form. */
export type FoundPlace = { name: string; page: number; means: string };

/** Of a name only its letters count: `Tenant_Name`, `tenantName.1`. */
const keyOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
const meanings = new Map(
  [...fieldNames, ...Object.keys(places)].map((name) => [keyOf(name), name]),
);

/** As many as a signer may sign at. */
const MOST_PLACES = 200;

/**
 * An operator's PDF, a data URL: its pages without its fields, and what each is filled with.
 * Refuses with 422 as readPdf does, names that are none of the fields and places, and a PDF without
 * a signature of the tenant.
 */
export async function readPdfForm(
  dataUrl: string,
): Promise<{ pdf: Buffer; form: PdfForm; found: FoundPlace[] }> {
  const bytes = bytesOf(dataUrl);
  if (bytes === null) throw new Refusal(422, 'The PDF was not sent whole. Please choose it again.');
  const { pdf, pages, places: given } = await readPdf(bytes);
  const found = given.map((place) => ({ ...place, means: meaningOf(place.name) }));
  refuseUnknown(found.filter(({ means }) => means === undefined));
  if (found.length > MOST_PLACES)
    throw new Refusal(422, `The PDF has more than ${MOST_PLACES} places.`);
  const marks = found.map(({ name: _, means = '', size, ...area }) => {
    const place = places[means];
    // What is no place is a field: both are looked up by the same names.
    return place === undefined
      ? { ...area, size, kind: 'field' as const, field: means as FieldName }
      : { ...area, ...place };
  });
  if (
    !marks.some((mark) => mark.kind === 'place' && mark.mark === 'signature' && mark.signer === 1)
  )
    throw new Refusal(422, 'The PDF has no field with the name “signature”.');
  return {
    pdf: Buffer.from(pdf),
    form: { pages, marks },
    found: found.map(({ name, page, means = '' }) => ({ name, page: page + 1, means })),
  };
}

/** By the whole name, or its last part where fields are grouped. */
function meaningOf(name: string): string | undefined {
  return [name, ...name.split('.').toReversed()]
    .map((part) => meanings.get(keyOf(part)))
    .find((means) => means !== undefined);
}

function refuseUnknown(unknown: ReadPdf['places']): void {
  if (unknown.length === 0) return;
  const names = [
    ...new Set(unknown.map(({ name, page }) => `“${name.slice(0, 60)}” on page ${page + 1}`)),
  ];
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  throw new Refusal(
    422,
    `The PDF has fields that have no meaning here: ${names.slice(0, 10).join(', ')}${more}. Name them as the fields of a text form, such as “monthly rent”.`,
  );
}

/** The marks with their fields filled in. */
export function fillPdfForm({ pages, marks }: PdfForm, values: FieldValues): PdfDocument {
  return {
    pages,
    marks: marks.map((mark) => {
      if (mark.kind === 'place') return mark;
      const { field, ...area } = mark;
      return { ...area, kind: 'text', text: values[field] };
    }),
  };
}

/** The places of a PDF as blocks of the document, each with its page from 1 on. */
export function blocksOfPdf({ marks }: PdfForm | PdfDocument): Place[] {
  return marks.flatMap((mark) =>
    mark.kind === 'place'
      ? [{ kind: mark.kind, mark: mark.mark, signer: mark.signer, page: mark.page + 1 }]
      : [],
  );
}
