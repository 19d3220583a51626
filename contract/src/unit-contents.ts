import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { PREFIX } from './ids.ts';
import { ledgerPathParams } from './ledgers.ts';

/** The types of unit contents and their labels (spec section 3; design section 5). */
export const contentsTypes = { boat: 'Boat', vehicle: 'Vehicle', none: 'Household Items' } as const;
export type ContentsType = keyof typeof contentsTypes;

/** Splits the one string `type:value` (spec section 3); null where nothing was entered or the type is unknown. */
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

/** GET {prefix}/ledgers/{ledgerId}/unit-contents: `{contents}`, the empty string where nothing was entered yet. */
export const getUnitContents = endpoint({
  name: 'getUnitContents',
  summary: 'What is stored in the unit, as type:value',
  method: 'GET',
  path: `${PREFIX}/ledgers/:ledgerId/unit-contents`,
  access: 'tenant',
  params: ledgerPathParams,
  reply: z.object({ contents: z.string() }),
  example: { contents: 'boat:ABC12345D404' },
});
