import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { ledgerPathParams } from './ledgers.ts';
import { requiredMessage, tooLongMessage } from './text.ts';

/** The types of unit contents and their labels. */
export const contentsTypes = {
  boat: () => t('Boat'),
  vehicle: () => t('Vehicle'),
  none: () => t('Household Items'),
};
export type ContentsType = keyof typeof contentsTypes;

/** Splits the one string `type:value`; null where nothing was entered or the type is unknown. */
export function parseContents(contents: string): { type: ContentsType; value: string } | null {
  const colon = contents.indexOf(':');
  const type = contents.slice(0, colon);
  if (colon < 0 || !Object.hasOwn(contentsTypes, type)) return null;
  return { type: type as ContentsType, value: contents.slice(colon + 1) };
}

/** Joins a type and its VIN or HIN to the one string; contents without a number is `none:`. */
export function joinContents(type: ContentsType, value: string): string {
  return `${type}:${value}`;
}

/**
 * GET {prefix}/ledgers/{ledgerId}/unit-contents: `{contents}`, the empty string where nothing was
 * entered yet.
 */
export const getUnitContents = endpoint({
  name: 'getUnitContents',
  subject: 'Unit contents and vehicles',
  summary: 'What is stored in the unit, as type:value',
  method: 'GET',
  path: `${PREFIX}/ledgers/:ledgerId/unit-contents`,
  access: 'tenant',
  params: ledgerPathParams,
  reply: z.object({ contents: z.string() }),
  example: { contents: 'boat:ABC12345D404' },
});

/**
 * The longest VIN or HIN in characters; a VIN has 17 and a HIN 12 or 14, older ones anything (warn,
 * never block).
 */
export const CONTENTS_VALUE_MAX = 50;

const noContents = requiredMessage(() => t('Contents'));

/** What a contents string must be: a known type, and for a vehicle or boat its number. */
export const contentsString = z.string(noContents).check(
  z.trim(),
  z.minLength(1, noContents),
  z.maxLength(
    CONTENTS_VALUE_MAX + 20,
    tooLongMessage(() => t('Contents')),
  ),
  z.refine((text) => parseContents(text) !== null, {
    error: () => t('Contents must be vehicle, boat or none, a colon and a value.'),
    abort: true,
  }),
  z.refine((text) => !/^(vehicle|boat):\s*$/.test(text), {
    error: () => t('A vehicle needs its VIN and a boat its HIN.'),
  }),
);

/** POST {prefix}/ledgers/{ledgerId}/unit-contents: sets the contents; answers what is kept. */
export const updateUnitContents = endpoint({
  name: 'updateUnitContents',
  subject: 'Unit contents and vehicles',
  summary: 'Sets what is stored in the unit, as type:value',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/unit-contents`,
  access: 'tenant',
  params: ledgerPathParams,
  body: z.object({ contents: contentsString }),
  reply: z.object({ contents: z.string() }),
  example: { contents: 'boat:ABC12345D404' },
});
