/**
 * Whether a value that was parsed from JSON has a shape, in a few bytes: what a page checks before
 * it needs zod. The build makes guards of the endpoints' replies (web/vite-wire.ts).
 */
export type Guard = (value: unknown) => boolean;

export const text: Guard = (value) => typeof value === 'string';
export const filledText: Guard = (value) => text(value) && value !== '';
export const number: Guard = (value) => typeof value === 'number';
export const integer: Guard = (value) => Number.isSafeInteger(value);
export const flag: Guard = (value) => typeof value === 'boolean';

export const uuid = matching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);
/** YYYY-MM-DD. */
export const date = matching(/^\d{4}-\d\d-\d\d$/);
/** An instant in UTC, such as 2026-11-14T15:04:05.000Z. */
export const instant = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

export function oneOf(...values: unknown[]): Guard {
  return (value) => values.includes(value);
}

export function nullable(guard: Guard): Guard {
  return (value) => value === null || guard(value);
}

export function optional(guard: Guard): Guard {
  return (value) => value === undefined || guard(value);
}

export function array(guard: Guard): Guard {
  return (value) => Array.isArray(value) && value.every((item) => guard(item));
}

/** An object whose named fields have their shapes; it may have others. */
export function object(fields: Record<string, Guard>): Guard {
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(fields).every(([name, guard]) =>
      guard((value as Record<string, unknown>)[name]),
    );
}

/** An object with the named fields and no others. */
export function exactObject(fields: Record<string, Guard>): Guard {
  const hasFields = object(fields);
  return (value) =>
    hasFields(value) && Object.keys(value as object).every((name) => name in fields);
}

/** A guard with a schema's `safeParse`, which answers the value as it is. */
export function shapeOf(guard: Guard) {
  return { guard, safeParse: (data: unknown) => ({ success: guard(data), data }) };
}

function matching(pattern: RegExp): Guard {
  return (value) => text(value) && pattern.test(value as string);
}
