import { MOST_PLACES, placesOf, type DocumentBlock } from '@gatehouse/contract/signing';
import { Refusal } from '#errors/refusal.ts';

/** What a form's fields stand for, by the name between the braces. */
export type FieldValues = Record<FieldName, string>;

/** The fields of a form; docs/esign.md says what each is. */
export const fieldNames = [
  'tenant',
  'tenant address',
  'tenant phone',
  'tenant email',
  'second signer',
  'unit',
  'unit type',
  'unit size',
  'monthly rent',
  'deposit',
  'first day',
  'today',
  'operator',
  'facility',
  'facility address',
  'facility phone',
] as const;
export type FieldName = (typeof fieldNames)[number];

export const places: Record<string, Extract<DocumentBlock, { kind: 'place' }>> = {
  signature: { kind: 'place', mark: 'signature', signer: 1 },
  initials: { kind: 'place', mark: 'initials', signer: 1 },
  'second signature': { kind: 'place', mark: 'signature', signer: 2 },
  'second initials': { kind: 'place', mark: 'initials', signer: 2 },
};

/** What a form shows in place of a rental's own. */
export const sampleValues: FieldValues = {
  tenant: 'Jordan Sample',
  'tenant address': '100 Main St, Springfield, TX 75001',
  'tenant phone': '(555) 555-0100',
  'tenant email': 'jordan@example.com',
  'second signer': 'Sam Sample',
  unit: 'A101',
  'unit type': 'Covered parking',
  'unit size': '12 x 40',
  'monthly rent': '$200.00',
  deposit: '$100.00',
  'first day': '01/15/2027',
  today: '01/10/2027',
  operator: 'Your company',
  facility: 'Your facility',
  'facility address': '1 Storage Way, Springfield, TX 75001',
  'facility phone': '(555) 555-0101',
};

const BRACES = /\{([^{}]*)\}/g;

/** Of a paragraph: a lease's have at most half as many, and to set it in type takes its time. */
const MOST_CHARACTERS = 5000;

/**
 * The parts of a form's text: headings, paragraphs, whose lines are kept, and places. Refuses with
 * 422 a field or place that there is not, a place inside of a paragraph, a text without a signature
 * of the tenant or with more places than one can sign, and a paragraph that is too long.
 */
export function parseForm(text: string): DocumentBlock[] {
  const blocks = text
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parsePart);
  if (
    !blocks.some(
      (block) => block.kind === 'place' && block.mark === 'signature' && block.signer === 1,
    )
  )
    throw new Refusal(422, 'The text has no {signature} in a paragraph of its own.');
  if ([1, 2].some((signer) => placesOf(blocks, signer).length > MOST_PLACES))
    throw new Refusal(
      422,
      `The text has more than ${MOST_PLACES} places for a signer, who could not sign them.`,
    );
  return blocks;
}

function parsePart(part: string): DocumentBlock {
  const [, alone = ''] = /^\{([^{}]*)\}$/.exec(part) ?? [];
  const place = places[nameOf(alone)];
  if (place !== undefined) return place;
  for (const [braces, name = ''] of part.matchAll(BRACES)) {
    if (places[nameOf(name)] !== undefined)
      throw new Refusal(422, `${braces} must be a paragraph of its own.`);
    if (!isField(nameOf(name))) throw new Refusal(422, `There is no field ${braces.slice(0, 60)}.`);
  }
  if (part.length > MOST_CHARACTERS)
    throw new Refusal(
      422,
      `A paragraph has more than ${MOST_CHARACTERS} characters: divide the one that begins with “${part.slice(0, 20)}”.`,
    );
  const [, heading] = /^#+\s*(.+)$/.exec(part) ?? [];
  return heading === undefined
    ? { kind: 'paragraph', text: part }
    : { kind: 'heading', text: heading };
}

/** How often fields are filled in. */
export function countFields(blocks: DocumentBlock[]): number {
  return blocks.flatMap((block) => (block.kind === 'place' ? [] : [...block.text.matchAll(BRACES)]))
    .length;
}

export function needsSecond(blocks: DocumentBlock[]): boolean {
  return blocks.some((block) => block.kind === 'place' && block.signer === 2);
}

/** The parts with their fields filled in; a value makes no field, place or heading. */
export function fillForm(blocks: DocumentBlock[], values: FieldValues): DocumentBlock[] {
  return blocks.map((block) =>
    block.kind === 'place'
      ? block
      : {
          ...block,
          text: block.text.replace(BRACES, (braces, name: string) => {
            const field = nameOf(name);
            return isField(field) ? values[field] : braces;
          }),
        },
  );
}

function isField(name: string): name is FieldName {
  return (fieldNames as readonly string[]).includes(name);
}

function nameOf(typed: string): string {
  return typed.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}
