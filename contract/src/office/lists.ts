import { z } from 'zod/mini';
import type { Schema } from '../endpoint.ts';
import { id } from '../ids.ts';
import { plainText } from '../typed.ts';

/** The most rows of a page of a list, and how many it has where none is named. */
export const MOST_ROWS = 200;
export const USUAL_ROWS = 25;

const limit = z.string('Limit must be a number.').check(
  z.regex(/^\d{1,3}$/, 'Limit must be a number.'),
  z.refine((text) => Number(text) >= 1 && Number(text) <= MOST_ROWS, {
    error: `Limit must be 1 to ${MOST_ROWS}.`,
  }),
);

/** A text of a filter. */
export const filterText = z.string().check(z.trim(), z.maxLength(200, 'The filter is too long.'));

/** A yes or no in a query. */
export const yesNo = z.enum(['true', 'false'], 'It must be true or false.');

/**
 * The query of a list. `after` is the `next` of the page before, for the same sort, order and
 * filters. The first of `sorts` applies where none is named. `locationCode` limits the list to one
 * of the caller's facilities.
 */
export function listQuery<const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) {
  return z.object({
    after: z.optional(z.string().check(z.maxLength(1000, 'After is too long.'))),
    limit: z.optional(limit),
    sort: z.optional(z.enum(sorts, `Sort must be one of: ${sorts.join(', ')}.`)),
    order: z.optional(z.enum(['asc', 'desc'], 'Order must be asc or desc.')),
    locationCode: z.optional(z.string().check(z.maxLength(50, 'Location is too long.'))),
  });
}

/**
 * A page of a list: its rows, each with an `id` of its own, and `next` for the page after; null on
 * the last one.
 */
export function pageOf<Row extends Schema>(row: Row) {
  return z.object({ rows: z.array(row), next: z.nullable(z.string()) });
}

/** The parameters of a path about one thing. */
export const tenantParams = z.object({ tenantId: id });
export const unitParams = z.object({ unitId: id });
export const requestParams = z.object({ requestId: id });
export const facilityIdParams = z.object({ facilityId: id });
export const staffParams = z.object({ staffId: id });
export const noteParams = z.object({ noteId: id });

/** The reason of a change, which stays in the audit trail. */
export const reason = z
  .string('Give the reason.')
  .check(
    z.overwrite(plainText),
    z.trim(),
    z.minLength(1, 'Give the reason.'),
    z.maxLength(500, 'The reason must be at most 500 characters.'),
  );

/** The key of a change: repeated with the same body it is done once and answers the same again. */
export const changeKey = z.uuid('Key must be a UUID.');
